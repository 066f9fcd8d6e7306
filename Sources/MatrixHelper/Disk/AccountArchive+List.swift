internal import Matrix

/// What a list of rooms shows beside the rooms: spaces, and invitations.
extension AccountArchive {
    /// Takes spaces and invitations.
    /// - Parameter isWhole: whether the response has all that there are, in all its parts.
    func takeList(_ response: SyncResponse, isWhole: Bool) throws(DiskFailure) {
        for news in response.rooms where news.facts.isSpace { spaces.take(news.facts) }
        guard response.isLast else { return }
        if try invitations.take(response.invitations, answered: response.answered, isWhole: isWhole) {
            listChanges += 1
        }
        // Otherwise the file would say that it has all spaces.
        guard isWhole || spaces.isComplete else { return }
        if try spaces.write(roomsAndConversations) { listChanges += 1 }
    }
}

extension RoomFacts {
    /// Whether a list of rooms shows it in another way.
    func isListed(differentlyFrom other: RoomFacts) -> Bool {
        title { $0 } != other.title { $0 } || topic != other.topic || replacement != other.replacement
            || hasLeft != other.hasLeft || isEncrypted != other.isEncrypted || callers != other.callers
    }
}
