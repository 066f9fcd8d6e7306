import Dates
import Foundation

@testable import Formats

/// Logs that tests write, and the records that they become.
struct IRCRecords {
    let converted: Converted
    /// The records of the first conversation.
    let records: [[String: Any]]

    init(_ text: String, file: String = "kedge.log", zone: Zone = .utc, chunk: Int = 1 << 20) throws {
        try self.init([file: Array(text.utf8)], zone: zone, chunk: chunk)
    }

    init(_ files: [String: [UInt8]], zone: Zone = .utc, chunk: Int = 1 << 20) throws {
        converted = try Converted(
            Source(files, isFile: files.count == 1), by: IRCFormat(), zone: zone, chunk: chunk)
        records = converted.archive.conversations.first.flatMap { [converted] in converted.records[$0.id] } ?? []
    }

    /// `ana: hi`, `* ana waves`, `[join ana] ana (~ana@host) has joined`: a line for each record.
    var lines: [String] { records.map(IRCRecords.line) }

    static func line(_ record: [String: Any]) -> String {
        let (from, text) = (record["from"] as? String, record["text"] as? String ?? "-")
        switch (record["kind"] as? String, record["presence"] as? String) {
        case (nil, nil): return "\(from ?? "-"): \(text)"
        case ("action", nil): return "* \(from ?? "-") \(text)"
        case ("system", nil): return "[\(from ?? "")] \(text)"
        case ("system", let presence?):
            let name = (record["name"] as? String).map { " > \($0)" } ?? ""
            return "[\(presence) \(from ?? "-")\(name)] \(text)"
        default: return "unknown kind"
        }
    }

    func field(_ name: String) -> [String] { records.map { $0[name] as? String ?? "-" } }

    var times: [String] { field("at") }
}

/// How many bytes converters get at a time, in tests of what happens at the borders.
let chunks = [1, 7, 64, 1 << 20]
