import Display
import Messages
import Search
import Timeline

/// The places where jumps started, as in a browser: the user goes back to them and forward again. A new jump drops the places
/// ahead.
struct JumpHistory: Hashable, Sendable {
    static let limit = 1_000

    private(set) var back: [ScreenPlace] = []
    private(set) var forward: [ScreenPlace] = []

    /// Records where a jump started.
    mutating func leave(_ place: ScreenPlace) {
        forward = []
        guard back.last != place else { return }
        back.append(place)
        if back.count > JumpHistory.limit { back.removeFirst() }
    }

    /// Records that some steps back have led to another place.
    mutating func wentBack(_ steps: Int, from place: ScreenPlace) {
        JumpHistory.walk(steps, from: place, &back, &forward)
    }

    mutating func wentForward(_ steps: Int, from place: ScreenPlace) {
        JumpHistory.walk(steps, from: place, &forward, &back)
    }

    private static func walk(
        _ steps: Int, from place: ScreenPlace, _ ahead: inout [ScreenPlace], _ other: inout [ScreenPlace]
    ) {
        var left = place
        for _ in 0..<min(steps, ahead.count) { other.append(exchange(&left, with: ahead.removeLast())) }
    }

    /// Drops places at the ends that are on the screen already, since a step to them would do nothing.
    mutating func skip(_ place: ScreenPlace?) {
        while let place, back.last == place { back.removeLast() }
        while let place, forward.last == place { forward.removeLast() }
    }

    /// Drops a place that does not exist any more.
    mutating func forget(_ place: ScreenPlace) {
        back.removeAll { $0 == place }
        forward.removeAll { $0 == place }
    }
}

/// The user's path through the conversations.
struct Trail: Sendable {
    /// The place where the user left each conversation.
    var leftAt: [ConversationID: ScreenPlace] = [:]
    /// The conversation that was on the screen before the current one.
    var former: ConversationID?
    /// The conversations that were shown.
    var visited: [ConversationID: Conversation] = [:]
    /// The messages that the user folded (true) or unfolded, so that the same screen is shown when the user comes back.
    var folds: [ConversationID: [MessageID: Bool]] = [:]
    /// True if the program began in the switcher. A conversation that cannot be shown then leads back there.
    var beganInSwitcher = false
    /// True if an unread conversation should be opened once the summaries are loaded.
    var seeksUnread = false
    /// True if all titles were requested because a message came into a conversation without a known title.
    var hasAskedForTitles = false
}

/// A screen as a place to come back to, whatever is loaded or evicted meanwhile: an anchored row, and a selection. Comparison
/// ignores the substitutes, the thread next to it and the line of unread messages.
struct ScreenPlace: Hashable, Sendable {
    let conversation: ConversationID
    /// Nil when the conversation was empty.
    let anchor: Anchor<MessageID>?
    let selection: MessageID?
    let isFollowing: Bool
    /// The message that was marked.
    let target: MessageID?
    /// Messages that replace the anchored one when it is gone.
    var substitutes = Substitutes()
    /// The thread next to the conversation, or in front of it on a narrow screen.
    var beside: ThreadBeside?
    /// The line of unread messages of the conversation; nil without a line, or while the conversation is open.
    var line: UnreadLine?

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

    /// The position of the page to load: at the anchored message or its substitute; at the newest messages while
    /// following or without an anchor.
    var position: PageRequest.Position {
        guard let anchor, !isFollowing else { return .latest }
        return .survivor(of: [anchor.id] + substitutes.ids, near: substitutes.moment)
    }

    /// The anchor for a substitute: the first row of its text takes the anchored row's place on the screen.
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
    /// True if the thread had the keys.
    let hasKeys: Bool

    func place(in conversation: ConversationID) -> ScreenPlace {
        ScreenPlace(
            conversation: conversation, anchor: anchor, selection: selection, isFollowing: isFollowing, target: target)
    }
}

/// The messages to find again when a pane is read again.
struct Remains: Hashable, Sendable {
    /// The messages of the window. When the anchored one is gone, the first remaining one in this order takes its place.
    var ids: [MessageID]
    /// The time of the anchored message: the place to open when none of them remains.
    var moment: Timestamp
    var isFollowing: Bool

    /// The position of the page to load: at the first of the messages that still exists, or at the newest ones while following.
    var position: PageRequest.Position {
        isFollowing || ids.isEmpty ? .latest : .survivor(of: ids, near: moment)
    }

    /// True if both have the same anchored message, and both or neither follow.
    func isSamePlace(as other: Remains) -> Bool {
        ids.first == other.ids.first && isFollowing == other.isFollowing
    }
}

/// The place where a text is written: the main timeline of a conversation, or a thread, identified by its root.
struct WritingPlace: Hashable, Sendable {
    let conversation: ConversationID
    var thread: MessageID?
}

/// The line of unread messages, and the read position of the conversation when the line was placed.
struct UnreadLine: Sendable {
    let first: MessageID
    let opened: ReadState
}
