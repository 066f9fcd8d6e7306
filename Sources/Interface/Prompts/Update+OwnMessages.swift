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
            let timeline = pane.timeline
            let loaded = timeline.visibleIndices.map { timeline.list[$0].message } + [message]
            ask(ReactionPalette(target: message.id, others: loaded.flatMap(\.reactions).map(\.emoji)))
        }
        return []
    }

    mutating func react(_ emoji: String, to target: MessageID) -> [Effect] {
        guard let id = conversation?.id else { return [] }
        // An emoji that is there is written as it was.
        let there = pane.loaded(target)?.reactions.first { Reaction.key($0.emoji) == Reaction.key(emoji) }
        let emoji = there?.emoji ?? emoji
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
