import Archive
import Dates
import Formats
import Foundation
import Logging

@testable import Mirror

/// A real export beside the repository, and its copy in a folder that is removed at the end.
final class RealExports: Sendable {
    let path: String
    private let cache: String
    private static let data = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/data").path

    static let areThere = FileManager.default.fileExists(atPath: data + "/telegram")
    /// The paths of the Telegram exports.
    static let telegram = ((try? FileManager.default.contentsOfDirectory(atPath: data + "/telegram")) ?? []).sorted()
        .filter { FileManager.default.fileExists(atPath: "\(data)/telegram/\($0)/result.json") }.map {
            "telegram/\($0)"
        }

    init(_ name: String) throws {
        path = RealExports.data + "/" + name
        cache = FileManager.default.temporaryDirectory.path + "/kedge-real-\(UUID().uuidString)"
    }

    deinit { try? FileManager.default.removeItem(atPath: cache) }

    private var files: MirrorFiles { MirrorFiles(root: IndexFolder(cache: cache, archive: path).path + "/mirror") }

    /// The native records of all conversations.
    func records() async throws -> [[String: Any]] {
        let store = try Export.open(
            path: path, index: IndexFolder(cache: cache, archive: path), zone: .utc,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await store.settle()
        return try MirrorFiles.names(in: files.conversations).flatMap { id in
            try MirrorFiles.segments(in: files.folder(of: id)).flatMap { segment in
                try Data(contentsOf: URL(fileURLWithPath: segment.path)).split(separator: UInt8(ascii: "\n")).map {
                    try JSONSerialization.jsonObject(with: $0) as? [String: Any] ?? [:]
                }
            }
        }
    }

    /// The paths of the files of a zip that are messages of a day.
    func unpacked() throws -> [String] {
        var problems: [ForeignProblem] = []
        let plain = try DiskSource.source(at: path)
        let root = cache + "/unpacked"
        let source = try Unpacked.source(plain, at: path, files: MirrorFiles(root: root), &problems)
        return source.files.filter { $0.path.contains("/") }.map { root + "/state/unpacked/" + $0.path }
    }

    static func array(_ path: String) throws -> [[String: Any]] {
        try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [[String: Any]] ?? []
    }

    // MARK: - Facts

    /// ID, time, sender and reply of a native record.
    static func facts(_ record: [String: Any]) -> String {
        let parts = ["id", "at", "from", "replyTo"].map { record[$0] as? String ?? "-" }
        return parts.joined(separator: " ")
    }

    /// The same of a message of Telegram.
    static func telegramFacts(_ message: [String: Any]) -> String {
        let unix = (message["date_unixtime"] as? String).flatMap(Int64.init)
        let written = message["date"] as? String ?? ""
        let moment = unix.map { Timestamp(milliseconds: $0 * 1_000).iso8601 } ?? written + "Z"
        let from = message["from_id"] ?? message["actor_id"]
        let sender = (from as? String) ?? (from as? Int).map { "user\($0)" } ?? "-"
        // A reply to a message of another chat is none in this one.
        let isHere = message["reply_to_peer_id"] == nil
        let replied =
            message["reply_to_message_id"]
            ?? (message["action"] as? String == "pin_message" ? message["message_id"] : nil)
        let reply = isHere ? (replied as? Int).map(String.init) ?? "-" : "-"
        return "\(message["id"] ?? "") \(moment) \(sender) \(reply)"
    }

    /// The text of a message of Telegram: a string, or strings and entities.
    static func telegramText(_ text: Any?) -> String {
        switch text {
        case let text as String: text
        case let parts as [Any]: parts.map { telegramText($0) }.joined()
        case let entity as [String: Any]: telegramText(entity["text"]) + address(of: entity)
        default: ""
        }
    }

    /// The address of a link that can be seen.
    private static func address(of entity: [String: Any]) -> String {
        letters(telegramText(entity["text"])).isEmpty ? "" : entity["href"] as? String ?? ""
    }

    static func count(_ reaction: [String: Any]) -> Int {
        reaction["count"] as? Int ?? (reaction["people"] as? [Any])?.count ?? 0
    }

    /// Whether a text holds the letters and digits of another: marks and blanks differ between services.
    static func holds(_ text: String, _ part: String) -> Bool {
        let part = letters(part)
        return part.isEmpty || letters(text).contains(part)
    }

    static func letters(_ text: String) -> String { String(text.filter { $0.isLetter || $0.isNumber }) }
}
