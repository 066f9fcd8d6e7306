internal import Messages
internal import Threads

/// Writes into the conversations of an archive, on a thread of its own: locks that others hold, and slow disks, keep no
/// page waiting.
///
///     post → may it be written? → line → lock → (a retry: is it there already?) → append
actor ArchiveWriter {
    private nonisolated let executor: SerialThread
    private let patience: Duration
    private let blocks = BlockReader()
    private let index: CurrentIndex

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter patience: how long to wait for others who write into the same conversation.
    /// - Throws: `unavailable` without a thread.
    init(index service: IndexService?, patience: Duration = .seconds(10)) throws(StoreError) {
        executor = try .forReading()
        index = CurrentIndex(service)
        self.patience = patience
    }

    /// Appends a post to the log of a conversation. When this returns the disk has it.
    /// - Parameters:
    ///   - folder: of the conversation.
    ///   - isRetry: whether it may be there already.
    /// - Throws: `notSent`, `noSuchMessage`, and what reading throws.
    func send(
        _ post: Post, to conversation: ConversationID, in folder: String, isRetry: Bool
    ) throws(StoreError) {
        let line = try PostRules.line(post)
        var refusal: StoreError?
        do throws(StoreError) {
            try check(post, in: conversation, folder)
        } catch {
            // What the first try has done forbids the second: a message is deleted once.
            guard isRetry else { throw error }
            refusal = error
        }
        let log = try LockedLog(folder, of: conversation, patience: patience, blocks: blocks)
        if isRetry, try log.keeps(post.id) { return }
        if let refusal { throw refusal }
        try log.append(line)
    }

    /// Before the lock, since it may take a look at all of the log.
    private func check(_ post: Post, in conversation: ConversationID, _ folder: String) throws(StoreError) {
        let references = post.references
        guard !references.isEmpty else { return }
        var strays = ProblemList()
        let segments = try Segment.all(in: folder, of: conversation, &strays)
        try index.read(conversation, segments) { (view) throws(StoreError) in
            let reader = try ConversationReader(segments, blocks: blocks, index: view)
            let found = try reader.messages(Set(references))
            for id in references where found[id] == nil { throw .noSuchMessage(id, in: conversation) }
            // An answer may be to anything.
            if case .message = post.content { return }
            for message in try reader.folded(found.values).values {
                if let fault = PostRules.fault(of: post, about: message) { throw .notSent(fault) }
            }
        }
    }
}
