import Foundation
import Messages
import Testing

@testable import Archive

/// A line with any value for any key is either read or reported as bad. It never counts as a lack of memory, and never
/// affects other lines.
struct OddValueTests {
    static let keys = [
        "type", "id", "at", "from", "text", "replyTo", "thread", "broadcast", "kind", "attachments", "target", "emoji",
        "removed", "other",
    ]
    static let values = [
        "nan", "n", "nul", "nulll", "null5", "NULL", "none", "t", "tru", "truee", "true1", "f", "fals", "falsee", "-",
        "--1",
        "+1", "01", "1.", ".5", "1e", "1e+", "0x10", "Infinity", "-Infinity", "1e400", "-1e400",
        "99999999999999999999999",
        "1" + String(repeating: "0", count: 400), "12x", "\"", "\"open", "'single'", #""\ud800""#, #""\u12""#, #""\x""#,
        "{",
        "}", "[", "]", "{]", "[}", "[nan]", #"{"a":nan}"#, ",", ":", "", "\u{0}", "\u{FEFF}", "true false", "null null",
        String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000),
        String(repeating: "[", count: 2_000),
        String(repeating: #"{"a":"#, count: 1_500) + "1" + String(repeating: "}", count: 1_500),
    ]

    /// A valid record except for one value.
    private func line(_ key: String, _ value: String, type: String) -> String {
        var fields = [
            ("type", "\"\(type)\""), ("id", "\"x\""), ("at", "\"2025-03-01T09:12:33Z\""), ("from", "\"ana\""),
            ("text", "\"hello\""), ("target", "\"m1\""), ("emoji", "\"👍\""),
        ]
        fields.removeAll { $0.0 == key }
        return "{" + (fields + [(key, value)]).map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    @Test(arguments: keys)
    func `No odd value of a key counts as a lack of memory or hides other lines`(key: String) async throws {
        for value in OddValueTests.values {
            for type in ["message", "edit", "reaction"] {
                let odd = line(key, value, type: type)
                let reading = try reading(of: odd)
                let archive = try TemporaryArchive(message("m1"), odd, message("m2"))
                let store = try archive.open(index: nil)
                let ids = try await store.ids()
                #expect(ids.first == "m1" && ids.last == "m2", "\(odd.prefix(200))")
                _ = try await store.summary(of: general)
                let problems = await store.problems()
                if case .failure(let fault) = reading {
                    let reason = "general/messages-000001.jsonl:2: \(fault.reason); the line is skipped"
                    #expect(problems.contains(reason), "\(odd.prefix(200)): \(problems)")
                }
            }
        }
    }

    private func reading(of text: String) throws -> RecordReader.Reading {
        let bytes = Array(text.utf8)
        return try bytes.withUnsafeBytes { bytes in
            try RecordReader().read(
                LogLine(offset: 0, length: bytes.count, isTerminated: false, content: Slice(bytes)))
        }
    }

    @Test(arguments: ["nan", "n", "nulll", "-", "tru", "1e400x", "[", "{\"a\":"])
    func `An odd last line does not prevent sending`(value: String) async throws {
        let archive = try TemporaryArchive()
        let old = message("m1") + "\n"
        try archive.write(firstSegment, old + line("from", value, type: "message"))
        let store = try archive.open(index: nil)
        try await store.send(post("p-1"), to: general)
        #expect(try await store.ids() == ["m1", "p-1"])
        #expect(try archive.log().hasPrefix(old))
    }

    @Test func `Numbers of any size are accepted`() async throws {
        let archive = try TemporaryArchive(
            message("m1", more: #","attachments":[{"name":"a","bytes":1e400},{"name":"b","bytes":12}]"#))
        let files = try await archive.open(index: nil).first()?.attachments
        #expect(files?.map(\.name) == ["a", "b"])
        #expect(files?.map(\.size) == [nil, 12])
    }
}
