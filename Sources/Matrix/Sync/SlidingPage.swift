package import Formats

/// A response to sliding sync, or a part of a long one, as records and facts.
package struct SlidingPage: Sendable {
    /// The token for the next request.
    package let pos: String
    /// How many rooms the account has.
    package let count: Int
    /// The rooms of which this response tells all; others have only changed.
    package internal(set) var rooms: [RoomNews] = []
    /// The receipts that have come, in their rooms.
    package internal(set) var receipts: [String: [Receipt]] = [:]
    /// The names that people have had last.
    package internal(set) var people: [ForeignPerson] = []
    /// How many bytes it takes, about.
    var weight = 0

    init(pos: String, count: Int) { (self.pos, self.count) = (pos, count) }
}
