internal import Messages
internal import Threads

/// Appends to the conversations of an archive. Uses a thread of its own, so that pages wait neither for the locks of
/// other processes nor for slow disks.
///
///     post → validate → line → lock → (a retry: is it there already?) → append
actor ArchiveWriter {
    private nonisolated let executor: SerialThread
    private let patience: Duration
    private let blocks = BlockReader()
    private let index: CurrentIndex

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter patience: how long to wait for other writers of the same conversation.
    /// - Throws: `unavailable` if no thread can be started.
    init(index service: IndexService?, patience: Duration = .seconds(10)) throws(StoreError) {
        executor = try .forReading()
        index = CurrentIndex(service)
        self.patience = patience
    }

    /// Appends a post to the log of a conversation. When it returns, the line is on the disk.
    /// - Parameters:
    ///   - folder: the folder of the conversation.
    ///   - isRetry: whether an earlier try may have succeeded.
    /// - Throws: `notSent`, `noSuchMessage`, and the errors of reading files.
    func send(
        _ post: Post, to conversation: ConversationID, in folder: String, isRetry: Bool
    ) throws(StoreError) {
        let line = try PostRules.line(post)
        var refusal: StoreError?
        do throws(StoreError) {
            try check(post, in: conversation, folder)
        } catch {
            // A successful first try may forbid the second: a deleted message cannot be deleted again. So a retry looks
            // for its line first.
            guard isRetry else { throw error }
            refusal = error
        }
        let log = try LockedLog(folder, of: conversation, patience: patience, blocks: blocks)
        if isRetry, try log.keeps(post.id) { return }
        if let refusal { throw refusal }
        try log.append(line)
    }

    /// Runs before the lock is taken, since it may scan the whole log.
    private func check(_ post: Post, in conversation: ConversationID, _ folder: String) throws(StoreError) {
        let references = post.references
        guard !references.isEmpty else { return }
        var strays = ProblemList()
        let segments = try Segment.all(in: folder, of: conversation, &strays)
        try index.read(conversation, segments) { (view) throws(StoreError) in
            let reader = try ConversationReader(segments, blocks: blocks, index: view)
            let found = try reader.messages(Set(references))
            for id in references where found[id] == nil { throw .noSuchMessage(id, in: conversation) }
            // A reply may refer to any message.
            if case .message = post.content { return }
            for message in try reader.folded(found.values).values {
                if let fault = PostRules.fault(of: post, about: message) { throw .notSent(fault) }
                if let error = post.overwriting(message.text, in: conversation) { throw error }
            }
        }
    }
}
