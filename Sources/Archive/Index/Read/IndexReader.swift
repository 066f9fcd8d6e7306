internal import Files
import Glibc
internal import Index
internal import Messages

/// Reads the records of an index on one thread, always in the current generation.
final class IndexReader {
    /// Returns the current folder of the index; nil if there is no index.
    private let folder: () -> IndexFolder?
    /// Nil before the first read.
    private var source: IndexSource?
    /// The manifest of the last read; nil if there was no index.
    private var manifest: IndexManifest?
    /// True if the index of that manifest must not be used.
    private var isUnusable = false
    /// The conversation of the last read, with its snapshot.
    private var last: (snapshot: IndexSnapshot, conversation: IndexedConversation)?
    /// The reason why the index could not be read; nil if it could. A damaged index is not read again until it is replaced.
    private(set) var failure: (any Error)?
    /// The number of reads of the index, for tests.
    private(set) var readings = 0

    init(_ folder: IndexFolder?) { self.folder = { folder } }

    /// Follows the index if the service moves it to another folder.
    init(_ service: IndexService?) { folder = { service?.folder } }

    /// Calls `body` with a view of the index for a conversation. The view covers the files that are unchanged since
    /// they were indexed. Passes nil if there is no index or it is broken.
    func read<Result>(
        _ id: ConversationID, _ segments: [Segment], _ body: (IndexView?) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let result = attempt { snapshot, failure -> Swift.Result<Result, StoreError>? in
            guard let conversation = try conversation(id, segments, in: snapshot) else { return nil }
            let view = IndexView(conversation, snapshot, failure)
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
        let result = attempt { snapshot, failure -> Result? in
            guard try snapshot.state()?.isReady == true else { return nil }
            return body(IndexSession(snapshot, failure))
        }
        return result ?? body(nil)
    }

    /// Reads in one snapshot; returns nil if there is no index or it is broken.
    private func attempt<Result>(_ body: (IndexSnapshot, IndexView.Failure) throws -> Result?) -> Result? {
        readings += 1
        if !isUnusable { failure = nil }
        do {
            guard let snapshot = try current() else { return nil }
            let failure = IndexView.Failure()
            let result = try body(snapshot, failure)
            if let error = failure.error { throw error }
            try snapshot.checkLosses()
            return result
        } catch {
            (failure, isUnusable, last) = (error, IndexFault.isDamage(error), nil)
            source = source.map { IndexSource($0.files) }
            return nil
        }
    }

    /// The current generation; nil if there is none that may be used.
    private func current() throws -> IndexSnapshot? {
        guard let folder = folder() else { return nil }
        if source?.files.folder != folder.path {
            (source, manifest, failure, isUnusable, last) = (IndexSource(folder.files), nil, nil, false, nil)
        }
        let found = try folder.files.readManifest()
        if found != manifest {
            (manifest, failure, isUnusable, last) = (found, nil, false, nil)
            if found != nil { isUnusable = (try? folder.closeToOthers()) == nil }
        }
        guard let found, !isUnusable else { return nil }
        return try source?.current(found)
    }

    /// True if the index contains a sender whose ID meets a condition.
    /// - Throws: `IndexFault`
    func knowsPerson(where isMeant: (UnsafeRawBufferPointer) -> Bool) throws -> Bool {
        guard let snapshot = try current() else { return false }
        var isKnown = false
        try snapshot.forEachEntry(of: .people) { id, _ in
            isKnown = isMeant(id)
            return !isKnown
        }
        try snapshot.checkLosses()
        return isKnown
    }

    private func conversation(
        _ id: ConversationID, _ segments: [Segment], in snapshot: IndexSnapshot
    ) throws -> IndexedConversation? {
        if last?.snapshot !== snapshot || last?.conversation.id != id {
            last = nil
            guard try snapshot.state()?.isReady == true, let found = try IndexedConversation.find(id, in: snapshot)
            else { return nil }
            last = (snapshot, found)
        }
        guard let known = last?.conversation else { return nil }
        return known.prefix(known.segments(keptIn: segments))
    }
}
