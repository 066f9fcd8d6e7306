/// Joins and leaves the conversations of a server.
package protocol ConversationJoining: Sendable {
    /// Joins a conversation, or accepts an invitation to it. One that is here already is only found.
    /// - Parameter address: the ID of a room, an alias such as `#harbour:example.org`, or a link to it.
    /// - Returns: nil for a space.
    /// - Throws: `notSent` with the reason.
    func join(_ address: String) async throws(StoreError) -> Conversation?

    /// Declines an invitation.
    /// - Throws: `notSent` with the reason.
    func decline(_ invitation: Invitation) async throws(StoreError)

    /// Leaves a conversation. What is here of it stays.
    /// - Throws: `notSent` with the reason.
    func leave(_ conversation: ConversationID) async throws(StoreError)
}

/// An archive without a server.
extension ConversationJoining {
    package func join(_ address: String) async throws(StoreError) -> Conversation? {
        throw .notSent("this archive has no server, so no room can be joined")
    }

    package func decline(_ invitation: Invitation) async throws(StoreError) {
        throw .notSent("this archive has no server, so nobody can be told")
    }

    package func leave(_ conversation: ConversationID) async throws(StoreError) {
        throw .notSent("this archive has no server, so there is no room to leave")
    }
}
