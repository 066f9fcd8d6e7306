package import Formats

/// A response to /sync, or a part of a long one, as records and facts.
package struct SyncResponse: Sendable {
    /// The token for the next request.
    package let next: String
    package internal(set) var rooms: [RoomNews] = []
    /// The invitations that are new or have changed: in the last part.
    package internal(set) var invitations: [Invitation] = []
    /// The rooms to which this account was invited, and is no longer: it was accepted, declined or taken back. In the last part.
    package internal(set) var answered: Set<String> = []
    /// The people who are typing, in rooms where that has changed.
    package internal(set) var typing: [String: [String]] = [:]
    /// The receipts that have come, in their rooms.
    package internal(set) var receipts: [String: [Receipt]] = [:]
    /// The names that people have had last.
    package internal(set) var people: [ForeignPerson] = []
    /// Whether no other part follows.
    package internal(set) var isLast = false
    /// How many bytes it takes, about.
    var weight = 0

    init(next: String) { self.next = next }

    /// Whether nothing in it is to be kept but its token.
    package var isEmpty: Bool { rooms.isEmpty && invitations.isEmpty && answered.isEmpty && people.isEmpty }
}
