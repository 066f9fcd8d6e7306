import Display
import Files
import Glibc
import Interface
import Messages
import Settings
import Synchronization

/// Copies the text of several messages, and writes them into files of the user's.
struct RangeWriter: Sendable {
    private let store: KnownPages

    init(store: KnownPages) { self.store = store }

    private func messages(_ range: MarkedRange) async throws(StoreError) -> [Message] {
        var messages: [Message] = []
        var left: MessageRange? = try await MessageRange(
            range.first, range.last, in: range.conversation, thread: range.thread, of: store)
        while let pages = left {
            let (some, rest) = try await pages.next()
            messages += some
            left = rest
        }
        store.forget()
        return messages
    }

    func copy(_ range: MarkedRange) async -> RangeResult {
        do throws(StoreError) {
            let messages = try await messages(range)
            let text = MessageWriter(.text, zone: .local).text(of: messages, in: range.conversation)
            guard text.utf8.count <= ClipboardLimit.bytes else { return .tooLong(count: messages.count) }
            return .copied(text, count: messages.count)
        } catch {
            return .unread(error, messages: store.count)
        }
    }

    /// - Parameters:
    ///   - file: a path; `~/` is the user's home, and another relative one counts from the current folder.
    ///   - replaces: true if a file that exists is replaced.
    func write(_ range: MarkedRange, to file: String, replaces: Bool) async -> RangeResult {
        guard let format = MessageFormat(ofFile: file) else {
            return .failed("\(file) does not end in .txt, .md or .json")
        }
        let path = RangeWriter.path(file)
        if !replaces, Disk.exists(path) { return .exists(range, file: file) }
        do throws(StoreError) {
            let messages = try await messages(range)
            let text = MessageWriter(format, zone: .local).text(of: messages, in: range.conversation)
            do throws(FileError) {
                try RangeWriter.write(Array(text.utf8), to: path, replaces: replaces)
                return .written(messages.count, file: file)
            } catch {
                return error.code == EEXIST
                    ? .exists(range, file: file) : .failed("\(file) was not written: \(error.reason)")
            }
        } catch {
            return .unread(error, messages: store.count)
        }
    }

    private static func path(_ file: String) -> String {
        guard file.hasPrefix("~/"), let home = Environment.variables["HOME"] else { return file }
        return home + file.dropFirst()
    }

    /// A file that is replaced stays as it was when the new one cannot be written completely.
    private static func write(_ bytes: [UInt8], to path: String, replaces: Bool) throws(FileError) {
        guard replaces else { return try Disk.create(path, bytes) }
        var file = try UnnamedFile("\(path).kedge-\(getpid())")
        try file.append(bytes)
        try file.finish(as: path)
    }
}

/// Reads the ends of a range and its pages, and keeps them until the range is complete: after an error, only the
/// missing ones are requested again.
final class KnownPages: MessageReading {
    private let store: any MessageReading
    private let pages = Mutex<[PageRequest: Page]>([:])
    private let ends = Mutex<[Link: Message]>([:])

    init(_ store: any MessageReading) { self.store = store }

    /// The number of messages in the pages.
    var count: Int { pages.withLock { $0.values.reduce(0) { $0 + $1.messages.count } } }

    func forget() {
        pages.withLock { $0 = [:] }
        ends.withLock { $0 = [:] }
    }

    func page(_ request: PageRequest) async throws(StoreError) -> Page {
        if let known = pages.withLock({ $0[request] }) { return known }
        let page = try await store.page(request)
        pages.withLock { $0[request] = page }
        return page
    }

    func message(_ id: MessageID, in conversation: ConversationID) async throws(StoreError) -> Message {
        let end = Link(conversation: conversation, message: id)
        if let known = ends.withLock({ $0[end] }) { return known }
        let message = try await store.message(id, in: conversation)
        ends.withLock { $0[end] = message }
        return message
    }

    func place(of cursor: Cursor, in conversation: ConversationID) async throws(StoreError) -> Place? {
        try await store.place(of: cursor, in: conversation)
    }

    func messages(_ ids: Set<MessageID>, in conversation: ConversationID) async throws(StoreError) -> [Message] {
        try await store.messages(ids, in: conversation)
    }
}
