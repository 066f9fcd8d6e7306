/// Reads the messages of a conversation, page by page.
package protocol MessageReading: Sendable {
    /// A page of the main timeline, or of a thread, with quotes, names and neighbours filled in.
    /// - Throws: `noSuchMessage` when the requested message does not exist, or is not in the thread.
    func page(_ request: PageRequest) async throws(StoreError) -> Page

    /// One message, thread replies included.
    /// - Throws: `noSuchMessage`
    func message(_ id: MessageID, in conversation: ConversationID) async throws(StoreError) -> Message

    /// The place of the message at a cursor in the main timeline; nil when the store does not know it yet.
    func place(of cursor: Cursor, in conversation: ConversationID) async throws(StoreError) -> Place?

    /// Messages in their current form, without those that do not exist.
    func messages(_ ids: Set<MessageID>, in conversation: ConversationID) async throws(StoreError) -> [Message]

    /// All texts that a message has had, as far as the store holds them, the first one first; none for a deleted message.
    /// - Throws: `noSuchMessage`
    func versions(of id: MessageID, in conversation: ConversationID) async throws(StoreError) -> [MessageVersion]

    /// The path of an attached file, for the user's own programs.
    /// - Parameter progress: receives the number of bytes that have come so far, if the file has to be fetched first: 0 when
    ///   that begins. Any thread may call it.
    /// - Throws: `unreadable` with the reason: the file does not exist, or lies outside the store.
    func location(
        of file: MessageFile, progress: @escaping @Sendable (_ received: Int64) -> Void
    ) async throws(StoreError) -> String
}

extension MessageReading {
    /// A store does not have to keep earlier texts.
    package func versions(
        of id: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> [MessageVersion] {
        let message = try await message(id, in: conversation)
        if message.isDeleted { return [] }
        return [MessageVersion(at: message.at, text: message.text, isFirst: !message.isEdited)]
    }

    /// A store does not have to keep files.
    package func location(
        of file: MessageFile, progress: @escaping @Sendable (_ received: Int64) -> Void
    ) async throws(StoreError) -> String {
        throw .unreadable("the file \(file.attachment.name) is not kept here")
    }
}
