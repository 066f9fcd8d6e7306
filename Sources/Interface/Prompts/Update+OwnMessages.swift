import Display
import Messages
import Timeline

extension Model {
    mutating func openReactions() -> [Effect] {
        guard canWrite(), let message = selectedMessage else { return [] }
        if message.isDeleted {
            warn("this message is deleted; there is nothing to react to")
        } else {
            stayHere()
            ask(ReactionPalette(target: message.id))
        }
        return []
    }

    mutating func react(_ emoji: String, to target: MessageID) -> [Effect] {
        guard let id = conversation?.id else { return [] }
        let isRemoved = writing.reactions.toggle(emoji, on: target, pane.loaded(target), by: me)
        return post(.reaction(target, emoji: emoji, isRemoved: isRemoved), in: id)
    }

    // MARK: - Deleting

    /// x: asks first.
    mutating func askForDeletion() {
        guard let message = ownSelected(to: "delete") else { return }
        stayHere()
        ask(DeletionPrompt(message: message.id))
    }

    mutating func delete(_ message: MessageID) -> [Effect] {
        guard let id = conversation?.id else { return [] }
        writing.edits[id]?[message] = nil
        return post(.deletion(message), in: id)
    }
}
