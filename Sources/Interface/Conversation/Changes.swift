import Messages
import Timeline

/// Changes of the store after a list was shown that are not on the screen yet.
struct LateChanges: Sendable {
    /// Changes from the first moments after a list was shown. They are applied as one update.
    var waiting: [StoreChange] = []
    /// The ticket of the pause after the last waiting change.
    var quiet: PaneTicket?
    /// The ticket of the pause that covers the first moments; nil when it is over.
    var settling: PaneTicket?
    /// The newest form of changed messages, kept while pages are loading that may be older than the changes.
    private(set) var newest: [MessageID: Message] = [:]
    /// The new messages in `newest`, in the order of their arrival.
    private(set) var arrived: [Message] = []

    /// True if messages have filled a gap that a loading page may still report.
    private(set) var hasFilled = false

    /// True if the list must be read again: messages may have changed while it was loading.
    var mustReload = false
    /// True if the place of the window must be requested again: the known place may count changes that are not applied yet.
    var mustLocate = false
    /// The ticket of the pause after which the number of messages is requested; nil when the number is known.
    var counting: PaneTicket?

    mutating func remember(_ change: StoreChange) {
        switch change {
        case .updated(let message): newest[message.id] = message
        case .arrived(let message):
            newest[message.id] = message
            arrived.append(message)
        case .filled: hasFilled = true
        case .indexed, .replaced, .typing, .readers, .passedOver, .gap, .reach, .inOwnThreads: break
        }
    }

    /// The messages of a page in their newest form.
    func overrule(_ messages: [Message]) -> [Message] {
        newest.isEmpty ? messages : messages.map { newest[$0.id] ?? $0 }
    }

    mutating func forget() {
        newest = [:]
        arrived = []
        hasFilled = false
    }
}

/// The messages that existed before a log was rewritten. They do not count as new when they arrive again.
struct KnownBefore: Sendable {
    /// Messages that left the window and have not come back.
    private var missing: Set<MessageID> = []
    /// The missing messages that the user had not seen.
    private var unseen: Set<MessageID> = []
    /// Messages sent at or before this time existed before the rewrite; nil when nothing was rewritten.
    private var moment: Timestamp?

    /// The number of messages to remember: several windows. Older ones hardly ever come back.
    private static let most = 4_096

    func contains(_ message: Message) -> Bool {
        missing.contains(message.id) || moment.map { message.at <= $0 } ?? false
    }

    /// True if no message is missing.
    var isWhole: Bool { missing.isEmpty }
    func isUnseen(_ id: MessageID) -> Bool { unseen.contains(id) }
    mutating func forgetMoment() { moment = nil }
    mutating func note(_ moment: Timestamp) { self.moment = max(self.moment ?? moment, moment) }

    /// Records that messages are gone.
    /// - Parameter unseen: the lost messages that the user had not seen.
    mutating func lose(_ ids: [MessageID], unseen: [MessageID]) {
        if missing.count + ids.count > KnownBefore.most { (missing, self.unseen) = ([], []) }
        missing.formUnion(ids)
        self.unseen.formUnion(unseen)
    }

    mutating func regain(_ id: MessageID) {
        missing.remove(id)
        unseen.remove(id)
    }
}

/// A screen that has lost its anchored or its selected message, perhaps for a short time: a log that is rewritten in place is
/// short until it is complete. The screen is restored when its messages come back, unless the user has moved since.
struct LostScreen: Hashable, Sendable {
    let remains: Remains
    let anchor: Anchor<MessageID>
    let selection: MessageID?
    /// The messages on the screen. While one of them is missing, the screen is not complete.
    let shown: Set<MessageID>
    /// The screen shown instead.
    var substitute: Stance

    /// The position of a viewport and its cursor. It changes when the user moves, and not when messages arrive.
    struct Stance: Hashable, Sendable {
        let anchor: Anchor<MessageID>?
        let selection: MessageID?
        let isFollowing: Bool

        init(_ timeline: Timeline<MessageRuler>) {
            anchor = timeline.anchor
            selection = timeline.selection
            isFollowing = timeline.viewport.isFollowing
        }
    }

    /// - Parameter timeline: the timeline before the loss. The result is nil when it showed nothing.
    init?(_ timeline: Timeline<MessageRuler>, _ remains: Remains) {
        guard let anchor = timeline.shownAnchor else { return nil }
        self.remains = remains
        self.anchor = anchor
        selection = timeline.selection
        let visible = timeline.visibleIndices.map { timeline.list[$0].id }
        shown = Set(visible + [anchor.id] + [timeline.selection].compactMap(\.self))
        substitute = Stance(timeline)
    }

    /// True if a list lacks the anchored or the selected message.
    func isMissing(in timeline: Timeline<MessageRuler>) -> Bool {
        [anchor.id, selection].compactMap(\.self).contains { timeline.list.index(of: $0) == nil }
    }

    /// True if a timeline shows the lost screen again.
    func isShown(by timeline: Timeline<MessageRuler>) -> Bool {
        timeline.shownAnchor == anchor && (timeline.selection == selection || timeline.hasNewer)
    }
}

extension StoreChange {
    var message: Message? {
        switch self {
        case .updated(let message), .arrived(let message): message
        case .indexed, .replaced, .typing, .readers, .passedOver, .gap, .filled, .reach, .inOwnThreads: nil
        }
    }
}
