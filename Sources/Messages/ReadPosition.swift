/// How far one has read in a conversation.
package struct ReadPosition: Hashable, Sendable {
    /// The last message of the main timeline that was read.
    package let message: MessageID
    /// Its index in the main timeline; nil when the store did not know it.
    package let index: Int?

    package init(message: MessageID, index: Int?) {
        self.message = message
        self.index = index
    }
}
