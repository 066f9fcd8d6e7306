package import Messages
import Search
package import Timeline

/// A request for a list that replaces the current one.
package struct ListRequest: Hashable, Sendable {
    package var conversation: Conversation
    /// The root of the thread in the requesting pane; nil for the main timeline.
    var thread: MessageID?
    let destination: Destination
    /// The way in which the history of jumps records the place that is left.
    var leaving: Leaving
    package let ticket: PaneTicket
    /// The thread that was next to the conversation when the user left.
    var beside: ThreadBeside?
    /// The number of failed tries.
    var failures = 0
    /// True if the request waits for another try.
    var isWaiting = false
    /// `next try in 4 s,`
    var wait: String { "next try in \(Pager<Messages.Cursor>.retryDelay(attempts: failures)) s," }

    enum Destination: Hashable, Sendable {
        case position(PageRequest.Position)
        /// A hit of the search in the conversation. For a hit in a thread this is the root.
        case hit(FindHit)
        /// A hit of the search everywhere, and its words.
        case found(MessageID, words: String)
        /// An earlier screen.
        case place(ScreenPlace)
        /// The first unread message; nil when the store has to find it.
        case unread(MessageID?)
        /// The messages of the current list, as far as they still exist.
        case again(Remains)
        /// A hit in the thread of the requesting pane.
        case reply(Reply)
    }

    /// A hit in a thread. The search counts hits in replies, and does not know their IDs.
    package struct Reply: Hashable, Sendable {
        package let query: ResolvedQuery
        /// The number of newer hits in the same thread.
        package let newer: Int

        /// Looks for the hit in some replies.
        /// - Parameters:
        ///   - messages: the oldest first.
        ///   - found: the number of hits after these messages. Hits in the messages are added.
        package func find(in messages: [Message], after found: inout Int) -> MessageID? {
            for message in messages.reversed() where query.accepts(message) {
                found += 1
                if found > newer { return message.id }
            }
            return nil
        }
    }

    /// The hit in the thread at which to load the list.
    package var reply: Reply? { if case .reply(let reply) = destination { reply } else { nil } }

    enum Leaving: Hashable, Sendable {
        /// The place goes into the history: this is a jump.
        case jump
        /// A number of steps back or forward in the history.
        case back(Int), forward(Int)
        /// Nothing is recorded: this is an opening, or only a look.
        case nothing
        /// Nothing is recorded: the messages are read again after a change.
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
        case .reply: .latest
        }
    }

    /// The line of unread messages of the screen to be restored.
    var line: UnreadLine? { if case .place(let place) = destination { place.line } else { nil } }

    /// True if both requests load the same list.
    func isSameLoad(as other: ListRequest) -> Bool {
        guard conversation.id == other.conversation.id, thread == other.thread, leaving == other.leaving else {
            return false
        }
        return leaving == .reload || destination == other.destination
    }

    /// True if the request only restores an earlier screen.
    var isRestoring: Bool {
        if case .place = destination { leaving == .nothing } else { leaving == .reload }
    }

    /// The place on the screen for the requested message.
    var alignment: Alignment {
        if case .earliest = position { .top } else { .middle }
    }
}

extension ListRequest.Destination {
    /// True if it is the beginning of the conversation or of the thread.
    var isBeginning: Bool { if case .position(.earliest) = self { true } else { false } }
}

/// A hit. Its ordinal is known once it is collected.
struct FindHit: Hashable, Sendable {
    let place: HitPlace
    var ordinal: HitOrdinal?
    /// True if the search passed the end and continued at the other end.
    var isWrapped = false
    /// The direction of the step that led to the hit. A long message is entered at its near end.
    var direction = FindDirection.newer
    /// The match in a long message that the last step showed.
    var inner: Inner?

    struct Inner: Hashable, Sendable {
        /// The place in the body.
        let place: Int
        /// 1 for the first match of the message.
        let number: Int
    }
}

/// Identifies a request or a pause of one pane.
package struct PaneTicket: Hashable, Sendable {
    let pane: Int
    let number: Int
}

extension PaneTicket: CustomStringConvertible {
    /// The form in the log of steps. A number alone means the main timeline.
    package var description: String { pane == 0 ? "\(number)" : "\(number) of pane \(pane)" }
}

/// A page that is loading for a pane.
package struct PageTicket: Hashable, Sendable {
    let pane: Int
    package let load: Pager<Messages.Cursor>.Ticket
}
