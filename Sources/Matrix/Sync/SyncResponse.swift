package import Formats

/// A response to /sync, as records and facts.
package struct SyncResponse: Sendable {
    /// The token for the next request.
    package let next: String
    package let rooms: [RoomNews]
    /// The invitations that are new or have changed.
    package let invitations: [Invitation]
    /// The rooms to which this account was invited, and is no longer: it was accepted, declined or taken back.
    package let answered: Set<String>
    /// The people who are typing, in rooms where that has changed.
    package let typing: [String: [String]]
    /// The receipts that have come, in their rooms.
    package let receipts: [String: [Receipt]]
    /// The names that people have had last.
    package let people: [ForeignPerson]

    /// Whether nothing in it is to be kept but its token.
    package var isEmpty: Bool { rooms.isEmpty && invitations.isEmpty && answered.isEmpty && people.isEmpty }
}
