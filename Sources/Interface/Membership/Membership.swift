import Messages

/// Rooms of a server that the user joins and leaves.
struct Membership: Sendable {
    /// The room that is being joined, by its address, and its name for people. Its conversation is opened when it comes.
    var joining: (address: String, name: String)?
    /// A conversation that is opened as soon as the list of conversations is known.
    var wanted: ConversationID?
    /// The conversation whose people have moved while it was on the screen, until the user does something: only then its last row may
    /// move.
    var justMoved: ConversationID?
    /// The invitations of which the user has been told.
    var told: Set<String> = []
    /// Whether the invitations were asked for before: those that come later are new.
    var isListed = false
}
