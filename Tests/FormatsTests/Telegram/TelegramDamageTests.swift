import Foundation
import TestSupport
import Testing

@testable import Formats

struct TelegramDamageTests {
    private func converted(_ text: String, chunk: Int = 64) throws -> Converted {
        try Converted(TelegramExport.source(text), by: TelegramFormat(), chunk: chunk)
    }

    private func texts(_ converted: Converted) -> [String] {
        (converted.records["ana"] ?? []).compactMap { $0["text"] as? String }
    }

    @Test(arguments: [
        (#"a\x01b"#, "a\u{1}b"), (#"\x1Fb"#, "\u{1F}b"), (#"a\qb"#, #"a\qb"#), (#"\\x01"#, #"\x01"#),
        ("a\u{1}b", "a\u{1}b"), ("a\u{1B}b", "a\u{1B}b"),
    ])
    func `controls that the exporter wrote wrongly are repaired`(written: String, text: String) throws {
        let converted = try converted(
            TelegramExport.chat([TelegramExport.message(1, written), TelegramExport.message(2)]))
        #expect(texts(converted) == [text, "hello"])
        #expect(converted.problems == [])
    }

    @Test func `a file name that the exporter wrote without quotes is repaired`() throws {
        let pieces = """
            {
               "type": "custom_emoji",
               "text": "😁",
               "document_id": video_files/sticker "2".webm
              }, " x"
            """
        #expect(texts(try converted(TelegramExport.chat([TelegramExport.pieces(pieces)]))) == ["😁 x"])
    }

    @Test func `a record beyond repair is reported with its place, and the others are shown`() throws {
        let text = TelegramExport.chat([
            TelegramExport.message(1), #""id": 2, "text": "x" "y""#, TelegramExport.message(3),
        ])
        let converted = try converted(text)
        #expect(texts(converted) == ["hello", "hello"])
        let place = try #require(text.range(of: "{\n   \"id\": 2"))
        let offset = Int64(text.utf8.distance(from: text.startIndex, to: place.lowerBound))
        #expect(
            converted.problems
                == [ForeignProblem(file: "result.json", place: .byte(offset), kind: "record is not valid JSON")])
    }

    @Test func `of a file that is cut off, all whole records are shown`() throws {
        let text = TelegramExport.chat((1...5).map { TelegramExport.message($0) })
        for length in stride(from: 90, to: text.utf8.count - 1, by: 7) {
            let cut = String(decoding: Array(text.utf8.prefix(length)), as: UTF8.self)
            let converted = try converted(cut)
            let whole = cut.components(separatedBy: "\n  }").count - 1
            #expect(texts(converted).count == whole)
            #expect(!converted.problems.isEmpty, "cut at \(length)")
        }
    }

    @Test func `a message without a date takes that of its neighbour`() throws {
        let unsupported = #""id": 1, "type": "unsupported""#
        let messages = [unsupported, TelegramExport.message(2), unsupported.replacing("1", with: "3")]
        let records = try TelegramExport.records(TelegramExport.chat(messages))
        #expect(records.map { $0["id"] as? String } == ["1", "2", "3"])
        #expect(Set(records.map { $0["at"] as? String }) == ["2024-01-01T00:00:00Z"])
        #expect(records.first?["kind"] as? String == "system")
    }

    @Test func `a message without an ID is reported`() throws {
        let converted = try converted(TelegramExport.chat([#""type": "message", "date_unixtime": "5", "text": "x""#]))
        #expect(converted.problems.map(\.kind) == ["message without an ID"])
    }

    @Test(arguments: [
        "\u{202E}abc", "\u{2028}", "e\u{301}\u{302}\u{303}", "👩‍👩‍👧", "a\u{FEFF}b", "\u{7F}",
        String(repeating: "x", count: 1 << 20),
    ])
    func `a text keeps all its characters`(text: String) throws {
        #expect(texts(try converted(TelegramExport.chat([TelegramExport.message(1, text)]), chunk: 4_096)) == [text])
    }

    @Test(arguments: [(#"a\ud83db"#, "a\u{FFFD}b"), (#"a\u0000b"#, "a\u{0}b"), (#"a\u001b[31mb"#, "a\u{1B}[31mb")])
    func `an escape that stands for no character, or for a control, is kept as JSON has it`(
        written: String, text: String
    ) throws {
        #expect(texts(try converted(TelegramExport.chat([TelegramExport.message(1, written)]))) == [text])
    }

    @Test func `line ends of Windows change nothing`() throws {
        let text = TelegramExport.chat([TelegramExport.message(1), TelegramExport.message(2)])
        #expect(texts(try converted(text.replacing("\n", with: "\r\n"))) == ["hello", "hello"])
    }

    @Test func `the order of keys does not matter`() throws {
        let text =
            #"{"id": 7, "type": "personal_chat", "name": "Ana", "messages": [{"text": "x", "date_unixtime": "5", "id": 1}]}"#
        #expect(texts(try converted(text)) == ["x"])
    }

    @Test func `a damaged file has no more messages than a whole one`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let messages = [
            TelegramExport.message(1), TelegramExport.service(2, "topic_created", #""title": "T""#),
            TelegramExport.pieces(#""a ", {"type": "bold", "text": "b"}"#),
            TelegramExport.message(4, "x", #""reactions": [{"type": "emoji", "count": 1, "emoji": "👍"}]"#),
            TelegramExport.message(5, "", #""file": "a", "poll": {"question": "?", "answers": []}"#),
        ]
        let texts = [
            TelegramExport.chat(messages, type: "public_supergroup"),
            TelegramExport.all([TelegramExport.chat(messages), TelegramExport.chat(messages, id: 8)]),
        ]
        for _ in 0..<300 {
            var bytes = Array(texts[Int.random(in: 0...1, using: &random)].utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(Array("{}[]\",:\\".utf8).randomElement(using: &random) ?? 0, at: place)
                default: bytes.removeLast(min(place, max(0, bytes.count - 100)))
                }
            }
            let source = Source(["result.json": bytes])
            guard TelegramFormat().recognise(source) == .certain else { continue }
            let converted = try Converted(source, by: TelegramFormat(), chunk: 256)
            let count = converted.records.values.reduce(0) { $0 + $1.count }
            #expect(count <= 2 * messages.count, "seed \(seed)")
            let cut = bytes.withUnsafeBytes { TelegramFormat().cut($0, of: Feed(file: "")) }
            #expect(cut.map((0...bytes.count).contains) != false, "seed \(seed)")
        }
    }
}
