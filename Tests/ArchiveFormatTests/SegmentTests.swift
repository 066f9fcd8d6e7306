import Testing

@testable import ArchiveFormat

struct SegmentTests {
    @Test(
        arguments: [
            (nil, "messages-000001.jsonl"), ("messages-000001.jsonl", "messages-000002.jsonl"),
            ("messages-000009.jsonl", "messages-000010.jsonl"), ("messages-999999.jsonl", nil),
            ("messages-1.jsonl", "messages-2.jsonl"), ("messages-9.jsonl", nil),
            ("messages-2024.jsonl", "messages-2025.jsonl"),
            ("messages-2024-01.jsonl", nil), ("messages-.jsonl", nil), ("messages-+1.jsonl", nil),
            ("messages-9223372036854775807.jsonl", nil), ("messages-٣.jsonl", nil),
        ] as [(String?, String?)])
    func `The next segment sorts after the last one, or there is none`(last: String?, next: String?) {
        #expect(SegmentFile.name(after: last) == next)
        if let last, let next { #expect(last.utf8.lexicographicallyPrecedes(next.utf8)) }
    }

    @Test func `names sort as their numbers do`() throws {
        #expect(SegmentName.first.file == "messages-500000000000000000.jsonl")
        #expect(SegmentName.first.before?.file == "messages-499999999999999999.jsonl")
        let (one, two) = (SegmentName.first, try #require(SegmentName.first.island))
        #expect(one < two && one.file < two.file)
        #expect(SegmentName(file: two.file) == two)
    }

    @Test(arguments: ["messages-000001.jsonl", "messages-50000000000000000x.jsonl", "messages-.jsonl", ".messages", ""])
    func `files of other names are no mirrored segments`(name: String) { #expect(SegmentName(file: name) == nil) }

    @Test func `the ends of the numbers are no error`() throws {
        let last = try #require(SegmentName(file: "messages-999999999999999999.jsonl"))
        #expect(last.after == nil && last.island == nil)
        #expect(SegmentName(file: "messages-000000000000000000.jsonl")?.before == nil)
    }

    @Test func `a head is read as it was written`() {
        let heads = [
            SegmentHead(before: .start), SegmentHead(before: .gap, from: "t\"1", to: "s2"),
            SegmentHead(before: .segment(.first)), SegmentHead(before: .gap, from: "f", to: nil, end: "e\"1"),
        ]
        for head in heads {
            let line = String(decoding: head.line.dropLast(), as: UTF8.self)
            #expect(SegmentHead(of: Array((line + "\n").utf8)) == head)
        }
    }

    @Test(arguments: [
        "", "{}", #"{"type":"segment"}"#, #"{"type":"segment","before":"x"}"#, #"{"type":"message","before":"gap"}"#,
    ])
    func `other lines are no heads`(line: String) { #expect(SegmentHead(of: Array((line + "\n").utf8)) == nil) }
}
