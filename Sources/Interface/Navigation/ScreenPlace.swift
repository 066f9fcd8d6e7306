import Messages
import Timeline

/// A screen as a place to come back to, whatever is loaded or evicted meanwhile: an anchored row, and a selection.
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

    /// Two screens are the same place even if their surroundings differ.
    struct Substitutes: Hashable, Sendable {
        static let limit = 50

        /// The messages nearest to the anchored one, the nearest first.
        var ids: [MessageID] = []
        /// The time of the anchored message: the place to open when all of them are gone.
        var moment = Timestamp(milliseconds: 0)

        static func == (_: Substitutes, _: Substitutes) -> Bool { true }
        func hash(into _: inout Hasher) {}
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
