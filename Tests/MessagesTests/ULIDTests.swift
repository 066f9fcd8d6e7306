import Messages
import TestSupport
import Testing

struct ULIDTests {
    /// Always returns the same number.
    private struct Constant: RandomNumberGenerator {
        let value: UInt64
        mutating func next() -> UInt64 { value }
    }

    @Test(
        arguments: [
            // The example of the specification.
            (1_469_918_176_385, "01ARYZ6S41"), (0, "0000000000"), (31, "000000000Z"), (32, "0000000010"),
            ((1 << 48) - 1, "7ZZZZZZZZZ"), (1 << 48, "7ZZZZZZZZZ"), (Int64.max, "7ZZZZZZZZZ"), (-1, "0000000000"),
            (Int64.min, "0000000000"),
        ] as [(Int64, String)])
    func `A ULID begins with the time`(milliseconds: Int64, beginning: String) {
        var random = Constant(value: 0)
        let id = ULID.make(at: Timestamp(milliseconds: milliseconds), using: &random)
        #expect(id == beginning + String(repeating: "0", count: 16))
    }

    @Test func `A ULID has 26 characters that cannot be mistaken for each other`() {
        var random = SeededGenerator(seed: 7)
        var seen: Set<Character> = []
        for _ in 0..<200 {
            let id = ULID.make(at: Timestamp(milliseconds: 1_740_000_000_000), using: &random)
            #expect(id.count == 26)
            seen.formUnion(id.dropFirst(10))
        }
        #expect(seen == Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ"))
    }

    @Test func `Later ULIDs sort after earlier ones, and those of one moment differ`() {
        var random = SeededGenerator(seed: 8)
        let times = (0..<100).map { Timestamp(milliseconds: 1_740_000_000_000 + $0 * $0 * $0) }
        let ids = times.map { ULID.make(at: $0, using: &random) }
        #expect(ids == ids.sorted())
        #expect(Set((0..<1_000).map { _ in ULID.make(at: times[0], using: &random) }).count == 1_000)
    }
}
