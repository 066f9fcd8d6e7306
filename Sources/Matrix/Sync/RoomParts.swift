internal import Formats

/// The part of a response that is about a room: lists of events, and what was left out of them.
struct RoomParts {
    /// The state before the timeline, or some of it.
    let state: LongJSON?
    let timeline: LongJSON?
    let isLimited: Bool
    /// The token before the first event of the timeline.
    let from: String?
}
