@testable import Archive
import Foundation
import Index
import Logging
import Messages
import Synchronization

/// An archive in a folder of its own, which is deleted with this object and the last store that it opened.
final class TemporaryArchive: Sendable {
    let path: String
    /// The lines that its stores have logged.
    let logged = Mutex<[String]>([])

    init() throws {
        path = NSTemporaryDirectory() + "/kedge-archive-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try write("archive.json", #"{"format":"kedge","version":1,"name":"Test","me":"ana"}"#)
        try write("people.json", "[]")
    }

    /// Creates the conversation "general" with these lines.
    convenience init(_ lines: String...) throws {
        try self.init()
        try write("conversations/general/messages-000001.jsonl", lines.map { $0 + "\n" }.joined())
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        try? FileManager.default.removeItem(atPath: cache)
    }

    private var cache: String { path + "-cache" }

    /// The folder of its index.
    var index: IndexFolder { IndexFolder(cache: cache, archive: path) }

    func write(_ file: String, _ text: String) throws { try write(file, Data(text.utf8)) }

    func write(_ file: String, _ data: Data) throws {
        let url = URL(fileURLWithPath: path + "/" + file)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        // In place, as a writer does: the file keeps its inode.
        if let handle = try? FileHandle(forWritingTo: url) {
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: data)
            try handle.close()
        } else {
            try data.write(to: url)
        }
    }

    func append(_ file: String, _ text: String) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path + "/" + file))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    /// The folder of another index, which only `makeIndex(in:)` updates.
    var otherIndex: IndexFolder { IndexFolder(cache: cache + "/other", archive: path) }

    /// Updates the index to the current files.
    /// - Parameter folder: the folder of the index; nil for `index`.
    func makeIndex(in folder: IndexFolder? = nil, isRebuilding: Bool = false) throws(StoreError) {
        for failure in try ArchiveIndex(archive: path, in: folder ?? index).make(isRebuilding: isRebuilding) {
            throw failure
        }
    }

    /// The paths of the files of words.
    var words: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: index.path)) ?? []
        return names.filter { $0.hasPrefix("words") }.sorted().map { index.path + "/" + $0 }
    }

    func removeWords() throws {
        guard let records = try index.files.snapshot() else { throw CocoaError(.fileNoSuchFile) }
        try index.files.commit(words: [], to: records.identity)
    }

    /// Opens a store with an up-to-date index.
    func open() throws(StoreError) -> JSONArchive {
        try makeIndex()
        return try open(index: index)
    }

    /// - Parameter index: the folder of the index; nil for none.
    func open(
        index: IndexFolder?, keepsIndex: Bool = false, typing: TypingFolder? = nil, me: Identity = .ofArchive,
        pace: SettlingPace = .quick
    ) throws(StoreError) -> JSONArchive {
        try JSONArchive.open(
            path: path, index: index, keepsIndex: keepsIndex, typing: typing, me: me, pace: pace,
            logger: Logger(label: "test", factory: { _ in Keeper(archive: self) }))
    }
}

extension SettlingPace {
    /// A pace without waiting.
    static let quick = SettlingPace(
        quiet: .milliseconds(5), patience: .milliseconds(20), limit: .milliseconds(100))
}

/// Collects log lines, and keeps the folder of the archive while the store has its logger.
private struct Keeper: LogHandler {
    let archive: TemporaryArchive
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.warning

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { archive.logged.withLock { $0.append("\(event.level): \(event.message)") } }
}

let general = ConversationID("general")
let firstSegment = "conversations/general/messages-000001.jsonl"

extension JSONArchive {
    func page(_ position: PageRequest.Position, _ limit: Int = 50) throws(StoreError) -> Page {
        try page(PageRequest(conversation: general, position: position, limit: limit))
    }

    func ids(_ position: PageRequest.Position = .earliest, _ limit: Int = 50) throws(StoreError) -> [String] {
        try page(position, limit).messages.map(\.id.rawValue)
    }

    /// The IDs of all messages, read page by page because pages are limited in size.
    func allIDs() throws(StoreError) -> [String] {
        var page = try page(.earliest, 200)
        var ids = page.messages.map(\.id.rawValue)
        while case .more(let cursor, _) = page.newer {
            page = try self.page(.after(cursor), 200)
            ids += page.messages.map(\.id.rawValue)
        }
        return ids
    }

    func first() throws -> Message? { try page(.earliest).messages.first }
}

/// A line of a log; `more` is JSON to append, beginning with a comma.
func message(_ id: String, from: String = "ana", minute: Int = 0, _ text: String = "hello", more: String = "") -> String
{
    #"{"type":"message","id":"\#(id)","at":"\#(time(minute))","from":"\#(from)","text":"\#(text)"\#(more)}"#
}

func record(_ type: String, _ id: String, on target: String, from: String = "ana", more: String = "") -> String {
    #"{"type":"\#(type)","id":"\#(id)","target":"\#(target)","at":"\#(time(0))","from":"\#(from)"\#(more)}"#
}

func time(_ minute: Int) -> String { Timestamp(milliseconds: 1_740_000_000_000 + Int64(minute) * 60_000).iso8601 }

extension TemporaryArchive {
    /// The bytes of all files by path.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            var isFolder: ObjCBool = false
            let file = path + "/" + name
            if FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder.boolValue {
                files["/" + name] = try Data(contentsOf: URL(fileURLWithPath: file))
            }
        }
        return files
    }

    /// The text of a segment of "general".
    func log(_ number: Int = 1) throws -> String {
        let file = "\(path)/conversations/general/messages-00000\(number).jsonl"
        return String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
    }

    /// The names of the segments of "general".
    func segments() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/conversations/general").sorted()
    }
}

extension JSONArchive {
    func send(_ post: Post, to conversation: ConversationID) async throws {
        try await send(post, to: conversation, isRetry: false)
    }
}

/// A post from ana.
func post(
    _ id: String, _ content: Post.Content = .message(text: "hello", replyTo: nil, thread: nil), from: String = "ana"
) -> Post {
    Post(
        id: MessageID(id), at: Timestamp(milliseconds: 1_740_000_000_007), sender: PersonID(from), content: content)
}
