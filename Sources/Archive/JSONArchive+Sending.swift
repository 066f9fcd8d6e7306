package import Messages

extension JSONArchive {
    /// Examines the files that sending would write to, without writing.
    package func obstacle(in conversation: ConversationID) -> String? {
        if me == nil { return Post.withoutSender }
        do throws(StoreError) {
            return try obstacle(in: try folder(of: conversation), of: conversation)
        } catch {
            return error.description
        }
    }

    /// Appends one line to the log of the conversation and changes nothing else in the archive. Safe while other
    /// processes append.
    /// - Throws: `notSent`, `noSuchConversation`, `noSuchMessage`; `unreadable`, `unavailable` if the log cannot be
    ///   read.
    package nonisolated func send(
        _ post: Post, to conversation: ConversationID, isRetry: Bool
    ) async throws(StoreError) {
        let (writer, folder) = try await writer(for: conversation)
        try await writer.send(post, to: conversation, in: folder, isRetry: isRetry)
    }

    /// - Throws: `notSent`
    package func makeConversation(titled title: String) throws(StoreError) -> Conversation {
        let id = try NewConversation.make(title: title, topic: nil, in: catalogue.archive)
        return Conversation(id: id, title: title, topic: nil)
    }

    private func writer(
        for conversation: ConversationID
    ) throws(StoreError) -> (writer: ArchiveWriter, folder: String) {
        let folder = try folder(of: conversation)
        if let obstacle = try obstacle(in: folder, of: conversation) { throw .notSent(obstacle) }
        if let writer { return (writer, folder) }
        let new = try ArchiveWriter(index: service)
        writer = new
        return (new, folder)
    }

    private func obstacle(in folder: String, of conversation: ConversationID) throws(StoreError) -> String? {
        if isOfServer { return NewConversation.ofServer(catalogue.archive) }
        let last = try segments(of: conversation).last.map { [$0.path] } ?? []
        return WriteFailure.link(among: [catalogue.root, folder] + last)
            ?? WriteFailure.obstacle([catalogue.archive, folder] + last)
    }
}
