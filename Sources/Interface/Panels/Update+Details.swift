import Messages

/// Sheets about the selected message and about the conversation.
extension Model {
    mutating func showReactions() -> [Effect] {
        guard let message = selectedMessage, let id = conversation?.id else { return [] }
        let people = readers.people(whoHaveRead: message.id, in: pane)
        guard !message.reactions.isEmpty || !people.isEmpty else {
            tell("nobody has reacted to this message" + (readers.isEmpty ? "" : ", and who has read it is not known"))
            return []
        }
        return open(ReactionSheet(message, readBy: people, in: id))
    }

    mutating func showVersions() -> [Effect] {
        guard let message = selectedMessage, let id = conversation?.id else { return [] }
        if message.isDeleted {
            tell("this message is deleted; its texts are not shown")
        } else if !message.isEdited {
            tell("this message was never edited")
        } else {
            return open(VersionSheet(message, in: id))
        }
        return []
    }

    mutating func showMembers() -> [Effect] {
        guard let conversation else { return [] }
        return open(MemberSheet(conversation, writing.members[conversation.id]))
    }

    /// Asks for the members of whom only the server knows, for the composer.
    func askForMembers() -> [Effect] {
        guard let conversation, conversation.lacksMembers, writing.members[conversation.id] == nil else { return [] }
        return [.askForMembers(conversation.id)]
    }

    mutating func receive(members result: Result<[Person], StoreError>, of id: ConversationID) -> [Effect] {
        switch result {
        case .success(let people):
            writing.members[id] = people
            writing.memberRetries = Retries()
            if id == conversation?.id, panel == .composer { complete() }
            return []
        case .failure(let error): return [writing.memberRetries.fail(error, .members(id))].compactMap(\.self)
        }
    }

    mutating func retryMembers(of id: ConversationID) -> [Effect] {
        guard id == conversation?.id, panel == .composer, writing.memberRetries.reason != nil else { return [] }
        writing.memberRetries.begin()
        return askForMembers()
    }

    mutating func showOwn(_ kind: OwnPlaces.Kind) -> [Effect] {
        guard let me = addressee else {
            tell("Kedge doesn't know who you are: use --as ID or set me = \"ID\" in config.toml")
            return []
        }
        let titles = Effect.loadConversations(summaries: false, read: ReadStates())
        return [titles] + open(OwnPlacesSheet(kind, of: me, read: reading.states))
    }

    /// Opens the search everywhere with these words.
    mutating func search(for words: String) -> [Effect] {
        let effects = openSearch()
        return effects + inSearch { $0.look(for: words, in: $1) }
    }
}
