internal import SQLite
import Glibc
internal import Messages

/// Reads the records of an index on one thread. Opens the database for the first read, and again after it was replaced.
final class IndexReader {
    /// The page cache of the database, in bytes.
    private static let cache = 1 << 20

    let folder: IndexFolder
    private let database: IndexDatabase
    private var queue: IndexConnection?
    /// The inode of the open file.
    private var inode: UInt64?
    /// The stamp of a broken file. A new file at its path may have got the same inode.
    private var broken: FileStamp?
    /// The conversation of the last read, with the version of the database at that time.
    private var last: (version: Int64, conversation: IndexedConversation)?
    /// Why the index could not be read. A broken index is not read again until it is replaced.
    private(set) var failure: (any Error)?
    /// How often the index was read, for tests.
    private(set) var readings = 0

    init(_ folder: IndexFolder) {
        self.folder = folder
        database = folder.recordDatabase
    }

    /// Calls `body` with a view of the index for a conversation. The view covers the files that are unchanged since
    /// they were indexed. Passes nil if there is no index or it is broken.
    func read<Result>(
        _ id: ConversationID, _ segments: [Segment], _ body: (IndexView?) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let result = attempt { database, failure -> Swift.Result<Result, StoreError>? in
            guard let conversation = try conversation(id, segments, in: database) else { return nil }
            let view = IndexView(conversation, database, failure)
            do throws(StoreError) {
                return .success(try body(view))
            } catch {
                return .failure(error)
            }
        }
        guard let result else { return try body(nil) }
        return try result.get()
    }

    /// Calls `body` with a session that reads many conversations in one snapshot of the index. Passes nil if there is
    /// no index or it is broken.
    func readMany<Result>(_ body: (IndexSession?) -> Result) -> Result {
        let result = attempt { database, failure -> Result? in
            guard try RecordSchema.isReady(database) else { return nil }
            return body(IndexSession(database, failure))
        }
        return result ?? body(nil)
    }

    /// Reads in one snapshot; returns nil if there is no index or it is broken.
    private func attempt<Result>(_ body: (Database, IndexView.Failure) throws -> Result?) -> Result? {
        open()
        readings += 1
        guard let queue else { return nil }
        let failure = IndexView.Failure()
        do {
            let result = try queue.read { try body($0, failure) }
            if let error = failure.error { throw error }
            return result
        } catch {
            giveUp(error)
            return nil
        }
    }

    /// Whether the index contains a sender whose ID meets a condition.
    /// - Throws: the errors of SQLite.
    func knowsPerson(where isMeant: (UnsafeRawBufferPointer) -> Bool) throws -> Bool {
        open()
        guard let queue else { return false }
        return try queue.read { database in
            let select = try database.statement("SELECT id FROM person")
            defer { select.reset() }
            while try select.step() { if isMeant(select.bytes(0)) { return true } }
            return false
        }
    }

    private func conversation(
        _ id: ConversationID, _ segments: [Segment], in database: Database
    ) throws -> IndexedConversation? {
        let version = try database.first(Int64.self, "PRAGMA data_version") ?? 0
        if last?.version != version || last?.conversation.id != id {
            last = nil
            guard try RecordSchema.isReady(database),
                let found = try IndexedConversation.find(id, in: database)
            else { return nil }
            last = (version, found)
        }
        guard let known = last?.conversation else { return nil }
        return known.prefix(known.segments(keptIn: segments))
    }

    private func open() {
        var status = stat()
        let isThere = stat(database.path, &status) == 0
        let isMended = broken.map { $0 != FileStamp(status) } ?? false
        guard !isThere || inode != UInt64(status.st_ino) || isMended else { return }
        (queue, last, inode, failure, broken) = (nil, nil, isThere ? UInt64(status.st_ino) : nil, nil, nil)
        guard isThere, (try? folder.closeToOthers()) != nil else { return }
        do {
            queue = try database.reader(cache: IndexReader.cache)
            // A database of another version will be replaced by one of this version at the same path.
            if queue == nil { inode = nil }
        } catch {
            failure = error
        }
    }

    private func giveUp(_ error: any Error) {
        failure = error
        broken = (try? FileStamp.of(database.path)) ?? nil
        queue = nil
        last = nil
    }
}
