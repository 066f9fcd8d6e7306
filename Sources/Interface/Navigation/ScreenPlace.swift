import Messages
import Timeline

/// A screen to come back to, whatever has been loaded or evicted since: which row of which message is where.
struct ScreenPlace: Hashable, Sendable {
    let conversation: ConversationID
    /// Nil when the conversation had no messages.
    let anchor: Anchor<MessageID>?
    let selection: MessageID?
    let isFollowing: Bool
    /// The message that was marked.
    let target: MessageID?
    /// The messages that take the place of the anchored one when that is gone.
    var substitutes = Substitutes()

    /// A screen is the same one whatever stands around it by now.
    struct Substitutes: Hashable, Sendable {
        static let limit = 50

        /// The messages nearest to the anchored one, the nearest first.
        var ids: [MessageID] = []
        /// When the anchored message was sent: for when none of them is left.
        var moment = Timestamp(milliseconds: 0)
        /// Rows from the anchored row to the first one of the text, where that is further down.
        var rowsToText = 0

        static func == (_: Substitutes, _: Substitutes) -> Bool { true }
        func hash(into _: inout Hasher) {}
    }

    /// The page that holds all of it, or its survivors.
    var position: PageRequest.Position {
        guard let anchor, !isFollowing else { return .latest }
        return .survivor(of: [anchor.id] + substitutes.ids, near: substitutes.moment)
    }

    /// The anchor for a message that takes the place of the anchored one: its text in the row of that text.
    func anchor(substituting id: MessageID) -> Anchor<MessageID>? {
        anchor.map { Anchor(id: id, place: 0, screenRow: $0.screenRow + substitutes.rowsToText) }
    }
}
