import Archive
import Dates
import Foundation
import Formats
import Logging
import Messages

@testable import Mirror

/// A folder with an export for a test, and a cache. Removed at the end.
final class TestExport: Sendable {
    let root: String
    var source: String { root + "/source" }
    var cache: String { root + "/cache" }
    var index: IndexFolder { IndexFolder(cache: cache, archive: source) }
    var files: MirrorFiles { MirrorFiles(root: index.path + "/mirror") }

    init(_ contents: [String: String] = [:]) throws {
        root = FileManager.default.temporaryDirectory.path + "/kedge-mirror-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: root + "/source", withIntermediateDirectories: true)
        for (name, text) in contents { try write(text, to: name) }
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func write(_ text: String, to name: String) throws {
        let path = source + "/" + name
        try FileManager.default.createDirectory(
            atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    func append(_ text: String, to name: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: source + "/" + name))
        defer { try? file.close() }
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
    }

    func open(
        first: String? = nil, message: String? = nil, zone: Zone = .utc, formats: [any Format] = [LineFormat()],
        keepsIndex: Bool = false
    ) throws -> MirroredStore {
        try Export.open(
            path: source, index: index, zone: zone, keepsIndex: keepsIndex, first: first.map { ConversationID($0) },
            message: message.map { MessageID($0) }, formats: formats,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// The IDs of all messages of a conversation, as a new store reads them.
    func messages(
        _ id: String, zone: Zone = .utc, formats: [any Format] = [LineFormat()]
    ) async throws -> [String] {
        let store = try open(first: id, zone: zone, formats: formats)
        try await store.settle()
        return try await TestExport.ids(of: store, id)
    }

    static func ids(of store: any MessageReading, _ id: String) async throws -> [String] {
        var (ids, position) = ([String](), PageRequest.Position.earliest)
        while true {
            let page = try await store.page(
                PageRequest(conversation: ConversationID(id), position: position, limit: 500))
            ids += page.messages.map(\.id.rawValue)
            guard case .more(let cursor, _) = page.newer else { return ids }
            position = .after(cursor)
        }
    }

    /// The names of a conversation's segments.
    func segments(_ id: String) -> [String] {
        MirrorFiles.names(in: files.folder(of: id)).filter { $0.hasPrefix("messages-") }.sorted()
    }
}
