package import Messages
import Timeline

/// A request for a list that replaces the current one.
package struct ListRequest: Hashable, Sendable {
    package var conversation: Conversation
    /// The root of the thread of the pane that asks; nil for the main timeline.
    var thread: MessageID?
    let destination: Destination
    /// How the history of jumps takes the place that the user leaves.
    var leaving: Leaving
    package let ticket: PaneTicket
    /// The number of failed tries.
    var failures = 0
    /// Whether it waits for another try.
    var isWaiting = false

    enum Destination: Hashable, Sendable {
        case position(PageRequest.Position)
        /// A hit of the search in the conversation. For a hit in a thread this is the root.
        case hit(Find.Hit)
        /// A hit of the search everywhere, and its words.
        case found(MessageID, words: String)
        /// A screen from before.
        case place(ScreenPlace)
        /// The first unread message; nil when the store has to find it.
        case unread(MessageID?)
        /// The messages of the current list, as far as they still exist.
        case again(Remains)
        /// The thread of a root, to be shown beside the conversation: at one of its replies, or at the newest.
        case thread(MessageID, at: MessageID?)
    }

    enum Leaving: Hashable, Sendable {
        /// It goes into the history: this is a jump.
        case jump
        /// This is a number of steps back or forward in the history.
        case back(Int), forward(Int)
        /// Nothing: this is an opening, or only a look.
        case nothing
        /// Nothing: the messages have changed, so the place cannot stay.
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

    /// Whether it loads the list that another request has failed to load.
    func isSameLoad(as other: ListRequest) -> Bool {
        guard conversation.id == other.conversation.id, thread == other.thread, leaving == other.leaving else {
            return false
        }
        return leaving == .reload || destination == other.destination
    }

    /// Whether it only restores a screen from before.
    var isRestoring: Bool {
        if case .place = destination { leaving == .nothing } else { leaving == .reload }
    }

    /// The place on the screen for the requested message.
    var alignment: Alignment {
        if case .earliest = position { .top } else { .middle }
    }
}

extension ListRequest.Destination {
    /// Whether it is the beginning of the conversation or of the thread.
    var isBeginning: Bool { if case .position(.earliest) = self { true } else { false } }
}
