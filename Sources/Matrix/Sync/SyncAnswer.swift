package import Formats

/// An answer to /sync, as records and facts.
package struct SyncAnswer: Sendable {
    /// The token for the next question.
    package let next: String
    package let rooms: [RoomNews]
    /// The names that people have had last.
    package let people: [ForeignPerson]
}
