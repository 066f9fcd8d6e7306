import TestSupport
import Testing

@testable import Archive

struct SegmentNumbersTests {
    @Test func `New segments leave room before, between and after them`() {
        #expect(SegmentNumbers.all(for: [nil, nil, nil]) == [32_768, 32_772, 32_776])
    }

    @Test func `A known segment keeps its number`() {
        #expect(SegmentNumbers.all(for: [nil, 32_768, nil]) == [32_764, 32_768, 32_772])
        #expect(SegmentNumbers.all(for: [10, nil, nil, 20]) == [10, 13, 16, 20])
        #expect(SegmentNumbers.all(for: [10, nil, 12]) == [10, 11, 12])
    }

    @Test func `There may be no room between neighbours and at both ends`() {
        #expect(SegmentNumbers.all(for: [10, nil, 11]) == nil)
        #expect(SegmentNumbers.all(for: [nil, 0]) == nil)
        #expect(SegmentNumbers.all(for: [65_535, nil]) == nil)
        #expect(SegmentNumbers.all(for: [nil, 2, 3]) == [1, 2, 3])
    }

    @Test func `A log gets numbers for up to 65536 segments and not for more`() {
        #expect(SegmentNumbers.all(for: Array(repeating: nil, count: 65_536)) == Array(0..<65_536))
        #expect(SegmentNumbers.all(for: Array(repeating: nil, count: 65_537)) == nil)
    }

    @Test(arguments: [1, 100, 10_000, 20_000, 40_000])
    func `Many segments leave room before and after them`(count: Int) throws {
        let found = try #require(SegmentNumbers.all(for: Array(repeating: nil, count: count)))
        let numbers: [Int64?] = found.map { $0 }
        #expect(SegmentNumbers.all(for: numbers + Array(repeating: nil, count: 1_000)) != nil)
        #expect(SegmentNumbers.all(for: Array(repeating: nil, count: 1_000) + numbers) != nil)
    }

    @Test(arguments: (0..<20).map { _ in UInt64.random(in: 0...UInt64.max) })
    func `Numbers rise however segments are added and removed`(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var known: [Int64?] = []
        for _ in 0..<60 {
            if !known.isEmpty, Bool.random(using: &random) {
                known.remove(at: .random(in: known.indices, using: &random))
            }
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                known.insert(nil, at: .random(in: 0...known.count, using: &random))
            }
            guard let numbers = SegmentNumbers.all(for: known) else {
                known = []
                continue
            }
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy(<), "seed \(seed)")
            #expect(numbers.allSatisfy { (0..<65_536).contains($0) }, "seed \(seed)")
            #expect(zip(known, numbers).allSatisfy { $0 == nil || $0 == $1 }, "seed \(seed)")
            known = numbers
        }
    }
}
