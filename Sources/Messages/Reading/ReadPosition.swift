/// How far one has read in a conversation.
package struct ReadPosition: Hashable, Sendable {
    /// The last message of the main timeline that was read.
    package let message: MessageID
    /// Its index in the main timeline; nil when the store did not know it.
    package let index: Int?
    /// What waits in threads; nil when that was never noted: then all up to the message counts as read.
    package var threads: ThreadMarks?

    package init(message: MessageID, index: Int?, threads: ThreadMarks? = nil) {
        self.message = message
        self.index = index
        self.threads = threads
    }
}
