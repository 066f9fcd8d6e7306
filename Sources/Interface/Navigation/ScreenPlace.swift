import Messages
import Timeline

/// A screen as a place to come back to, whatever is loaded or evicted meanwhile: an anchored row, and a selection. Two screens are the
/// same place even if their surroundings differ: the messages that may take the place of the anchored one, and the thread beside it,
/// and the line of unread messages.
struct ScreenPlace: Hashable, Sendable {
    let conversation: ConversationID
    /// Nil when the conversation was empty.
    let anchor: Anchor<MessageID>?
    let selection: MessageID?
    let isFollowing: Bool
    /// The message that was marked.
    let target: MessageID?
    /// Messages that take the place of the anchored one when it is gone.
    var substitutes = Substitutes()
    /// The thread beside it, or in front of it on a narrow screen.
    var beside: ThreadBeside?
    /// The line of unread messages of the conversation; nil if it had none, or has not been left.
    var line: Reading.Line?

    struct Substitutes: Sendable {
        static let limit = 50

        /// The messages nearest to the anchored one, the nearest first.
        var ids: [MessageID] = []
        /// The time of the anchored message: the place to open when all of them are gone.
        var moment = Timestamp(milliseconds: 0)
    }

    static func == (a: ScreenPlace, b: ScreenPlace) -> Bool {
        (a.conversation, a.anchor, a.selection, a.isFollowing, a.target)
            == (b.conversation, b.anchor, b.selection, b.isFollowing, b.target)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(conversation)
        hasher.combine(anchor)
        hasher.combine(selection)
    }

    /// The page with the anchored message or its substitute.
    var position: PageRequest.Position {
        guard let anchor, !isFollowing else { return .latest }
        return .survivor(of: [anchor.id] + substitutes.ids, near: substitutes.moment)
    }

    /// The anchor for a substitute: the first row of its text stands where the anchored row stood.
    func anchor(substituting id: MessageID) -> Anchor<MessageID>? {
        anchor.map { Anchor(id: id, place: 0, screenRow: $0.screenRow) }
    }
}

/// A thread as a place to come back to.
struct ThreadBeside: Hashable, Sendable {
    let root: MessageID
    let anchor: Anchor<MessageID>?
    let selection: MessageID?
    let isFollowing: Bool
    let target: MessageID?
    /// Whether it had the keys.
    let hasKeys: Bool

    init?(_ pane: Pane, hasKeys: Bool) {
        guard let root = pane.thread else { return nil }
        let place = pane.place
        (self.root, self.hasKeys) = (root, hasKeys)
        (anchor, selection, target) = (place?.anchor, place?.selection, place?.target)
        isFollowing = place?.isFollowing ?? true
    }

    func place(in conversation: ConversationID) -> ScreenPlace {
        ScreenPlace(
            conversation: conversation, anchor: anchor, selection: selection, isFollowing: isFollowing, target: target)
    }
}
