/// How far a person has read in a conversation.
package struct ReadPosition: Hashable, Sendable {
    /// The last message of the main timeline that was read; nil when the person has marked all of them as unread.
    package let message: MessageID?
    /// Its index in the main timeline; nil when the store did not know it.
    package let index: Int?
    /// The replies that wait in threads; nil when they were never noted: then everything up to `message` counts as
    /// read.
    package var threads: ThreadMarks?
    /// The message up to which the person had read for the server, when that was last taken into account: the same word of the
    /// server does not count twice. Nil without a server.
    package var server: MessageID?
    /// Whether the person has chosen it, so that it counts even if another process has read further since.
    package var isChosen = false

    package init(message: MessageID?, index: Int?, threads: ThreadMarks? = nil) {
        self.message = message
        self.index = index
        self.threads = threads
    }

    /// The same place, whatever the server has said.
    package var place: ReadPosition {
        var place = self
        place.server = nil
        return place
    }
}
