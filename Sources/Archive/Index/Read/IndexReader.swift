internal import SQLite
import Glibc
internal import Messages

/// Reads the records of an index, on one thread. Opens what is there when somebody asks, and again when it was made anew.
final class IndexReader {
    /// Pages of the database that are kept, in bytes.
    private static let cache = 1 << 20

    let folder: IndexFolder
    private let database: IndexDatabase
    private var queue: IndexConnection?
    /// The file that is open.
    private var inode: UInt64?
    /// What is known of the conversation that was asked for last, in the state of the database with this number.
    private var last: (version: Int64, conversation: IndexedConversation)?
    /// Why the index could not be read; what is broken is not asked again.
    private(set) var failure: (any Error)?
    /// How often the index was asked, for tests.
    private(set) var readings = 0

    init(_ folder: IndexFolder) {
        self.folder = folder
        database = folder.recordDatabase
    }

    /// Asks the index about a conversation: as far as its files still are what was indexed. Without an index, or when it
    /// turns out to be broken, the closure is given nil.
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

    /// Asks the index about many conversations, all of which it sees in one state. Without an index, or when it turns out to
    /// be broken, the closure is given nil.
    func readMany<Result>(_ body: (IndexSession?) -> Result) -> Result {
        let result = attempt { database, failure -> Result? in
            guard try RecordSchema.isReady(database) else { return nil }
            return body(IndexSession(database, failure))
        }
        return result ?? body(nil)
    }

    /// Reads in one state of the index; nil without an index, or when it turns out to be broken.
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

    /// Whether the index knows of somebody, by the bytes of an ID, who has written.
    /// - Throws: what SQLite says.
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
        guard !isThere || inode != UInt64(status.st_ino) else { return }
        (queue, last, inode, failure) = (nil, nil, isThere ? UInt64(status.st_ino) : nil, nil)
        guard isThere, (try? folder.closeToOthers()) != nil else { return }
        do {
            queue = try database.reader(cache: IndexReader.cache)
            // Another version gives way to this one in the same place.
            if queue == nil { inode = nil }
        } catch {
            failure = error
        }
    }

    private func giveUp(_ error: any Error) {
        failure = error
        queue = nil
        last = nil
    }
}
