/// A file that is attached to a message.
package struct MessageFile: Hashable, Sendable {
    package let attachment: Attachment
    package let message: MessageID
    package let conversation: ConversationID

    package init(_ attachment: Attachment, of message: MessageID, in conversation: ConversationID) {
        (self.attachment, self.message, self.conversation) = (attachment, message, conversation)
    }
}
