/// The messages of a conversation, page by page.
package protocol MessageReading: Sendable {
    /// A page of the main timeline, or of a thread, with quotes, names and neighbours filled in.
    /// - Throws: `noSuchMessage` when the position names one that is not there, or not in the thread.
    func page(_ request: PageRequest) async throws(StoreError) -> Page

    /// One message, thread replies included.
    /// - Throws: `noSuchMessage`
    func message(_ id: MessageID, in conversation: ConversationID) async throws(StoreError) -> Message

    /// Where the message at a cursor stands in the main timeline; nil when the store does not know it yet.
    func place(of cursor: Cursor, in conversation: ConversationID) async throws(StoreError) -> Place?

    /// Messages as they are now, as far as they are there.
    func messages(_ ids: Set<MessageID>, in conversation: ConversationID) async throws(StoreError) -> [Message]

    /// Where the file of an attachment is, for the user's own programs.
    /// - Throws: `unreadable` with why it cannot be shown: it is not there, or not the store's own.
    func location(of attachment: Attachment, in conversation: ConversationID) async throws(StoreError) -> String
}

extension MessageReading {
    /// A store need not keep files.
    package func location(
        of attachment: Attachment, in conversation: ConversationID
    ) async throws(StoreError) -> String {
        throw .unreadable("the file \(attachment.name) is not kept here")
    }
}
