package import Messages
import Timeline

/// A list to be shown in place of the one there is.
package struct ListRequest: Hashable, Sendable {
    package var conversation: Conversation
    /// The root of the thread whose pane it is for; nil for the main timeline.
    var thread: MessageID?
    let destination: Destination
    /// The use of the place that is left.
    var leaving: Leaving
    package let ticket: PaneTicket
    /// How often it has failed before.
    var failures = 0
    /// Whether it waits to be tried again.
    var isWaiting = false

    enum Destination: Hashable, Sendable {
        case position(PageRequest.Position)
        /// A hit of the search in the conversation, or the root of the thread that it stands in.
        case hit(Find.Hit)
        /// A hit of the search everywhere, and the words it was found by.
        case found(MessageID, words: String)
        /// A screen that was there before.
        case place(ScreenPlace)
        /// The first message that is new; nil when the store has to find it.
        case unread(MessageID?)
        /// The messages that are shown now, as far as they are still there.
        case again(Remains)
        /// The thread of a root, beside the conversation: at one of the replies, or at its newest one.
        case thread(MessageID, at: MessageID?)
    }

    enum Leaving: Hashable, Sendable {
        /// It can be come back to: this is a jump.
        case jump
        /// A number of steps back or forward in the history of jumps.
        case back(Int), forward(Int)
        /// Nothing: this only looks, or opens.
        case nothing
        /// Nothing: its messages have changed, so that it cannot stay.
        case reload
    }

    package var position: PageRequest.Position {
        switch destination {
        case .position(let position): position
        case .hit(let hit): .index(hit.place.index)
        case .found(let id, _): .message(id)
        case .place(let place): place.position
        case .again(let remains): remains.position
        case .unread(let first): first.map { .message($0) } ?? .unread
        case .thread(_, let reply): reply.map { .message($0) } ?? .latest
        }
    }

    /// Whether this one loads the list that the other one could not.
    func isSameLoad(as other: ListRequest) -> Bool {
        guard conversation.id == other.conversation.id, thread == other.thread, leaving == other.leaving else {
            return false
        }
        return leaving == .reload || destination == other.destination
    }

    /// Whether it only brings back the screen from before.
    var isRestoring: Bool {
        if case .place = destination { leaving == .nothing } else { leaving == .reload }
    }

    /// Where the message asked for is to appear.
    var alignment: Alignment {
        if case .earliest = position { .top } else { .middle }
    }
}
