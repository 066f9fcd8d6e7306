import Dates
import Testing

@testable import Formats

struct RecordWriterTests {
    @Test func `a record holds its fields, escaped where JSON demands it`() throws {
        var writer = RecordWriter()
        Array("m-1".utf8).withUnsafeBytes { writer.message(id: $0, at: Timestamp(milliseconds: 1_240)) }
        writer.text("text", "a \"quote\",\u{1B}[31m and \\")
        writer.flag("edited")
        writer.reactions([ForeignReaction(emoji: "👍", count: 9, people: ["ana"])])
        writer.end()
        #expect(
            String(decoding: writer.lines, as: UTF8.self)
                == #"{"type":"message","id":"m-1","at":"1970-01-01T00:00:01.240Z","text":"a \"quote\",\u001b[31m and \\","edited":true,"reactions":[{"emoji":"👍","count":9,"people":["ana"]}]}"#
                + "\n")
    }

    @Test func `text that is not UTF-8 becomes replacement characters`() throws {
        var writer = RecordWriter()
        Array("m-1".utf8).withUnsafeBytes { writer.message(id: $0, at: Timestamp(milliseconds: 0)) }
        writer.text("text", [0x61, 0xFF, 0x62])
        writer.end()
        #expect(try Converted.lines(writer.lines).first?["text"] as? String == "a\u{FFFD}b")
    }

    @Test func `a person is noted once, however many others speak in between`() {
        var writer = RecordWriter()
        for round in 0..<2 {
            for number in 0..<2_000 {
                Array("\(number)".utf8).withUnsafeBytes { writer.person($0, name: $0) }
            }
            #expect(writer.people.count == 2_000, "round \(round)")
        }
    }
}
