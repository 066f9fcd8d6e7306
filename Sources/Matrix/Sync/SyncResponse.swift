package import Formats

/// A response to /sync, as records and facts.
package struct SyncResponse: Sendable {
    /// The token for the next request.
    package let next: String
    package let rooms: [RoomNews]
    /// The people who are typing, in rooms where that has changed.
    package let typing: [String: [String]]
    /// The receipts that have come, in their rooms.
    package let receipts: [String: [Receipt]]
    /// The names that people have had last.
    package let people: [ForeignPerson]
}
