import TestSupport
import Testing
import Words

struct RowSetTests {
    @Test func `A set of rows returns the inserted rows, from any row downwards`() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<50 {
            var set = RowSet()
            let top = Int64([100, 5_000, 1 << 40].randomElement(using: &random) ?? 0)
            let rows = Set(
                (0..<Int.random(in: 0...300, using: &random)).map { _ in Int64.random(in: 0...top, using: &random) })
            for row in rows.shuffled(using: &random) { set.insert(row) }
            set.finish()
            #expect(set.isEmpty == rows.isEmpty)
            let low = Int64.random(in: 0...top, using: &random)
            let range = low..<Int64.random(in: low...top + 1, using: &random)
            let limit = Int.random(in: 0...400, using: &random)
            #expect(set.rows(in: range, limit: limit) == Array(rows.filter(range.contains).sorted(by: >).prefix(limit)))
            for row in rows.prefix(20) { #expect(set.contains(row)) }
            #expect(!set.contains(top + 7))
        }
    }

    @Test func `does not give the rows that were taken out of it`() {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<50 {
            var set = RowSet()
            var left: Set<Int64> = []
            for _ in 0..<Int.random(in: 0...300, using: &random) {
                let row = Int64.random(in: 0...5_000, using: &random)
                if Int.random(in: 0..<3, using: &random) == 0 {
                    set.remove(row)
                    left.remove(row)
                } else {
                    set.insert(row)
                    left.insert(row)
                }
            }
            set.finish()
            #expect(set.rows(in: 0..<5_001, limit: .max) == left.sorted(by: >))
        }
    }
}
