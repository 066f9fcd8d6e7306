package import Formats

/// A response to sliding sync, as records and facts.
package struct SlidingPage: Sendable {
    /// The token for the next request.
    package let pos: String
    /// How many rooms the account has.
    package let count: Int
    /// The rooms of which this response tells all; others have only changed.
    package let rooms: [RoomNews]
    /// The receipts that have come, in their rooms.
    package let receipts: [String: [Receipt]]
    /// The names that people have had last.
    package let people: [ForeignPerson]
}
