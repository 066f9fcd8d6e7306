import Display
import Messages
import Timeline

extension Model {
    mutating func openReactions() -> [Effect] {
        guard canWrite(), let message = selectedMessage else { return [] }
        if message.isDeleted {
            warn("the message is deleted: there is nothing to react to")
        } else {
            stayHere()
            panel = .reactions(ReactionPalette(target: message.id))
        }
        return []
    }

    mutating func actInReactions(_ action: Action) -> [Effect] {
        guard case .reactions(var palette) = panel else { return [] }
        let count = max(1, palette.candidates.count)
        switch action {
        case .cancel, .fieldBackspace:
            panel = nil
            return []
        case .activate: return react(palette)
        case .up, .fieldLeft: palette.selected = (palette.selected + count - 1) % count
        case .down, .fieldRight, .complete: palette.selected = (palette.selected + 1) % count
        default: return []
        }
        panel = .reactions(palette)
        return []
    }

    /// Adds the chosen emoji, or takes it back where it is one's own already.
    private mutating func react(_ palette: ReactionPalette) -> [Effect] {
        guard let id = conversation?.id, palette.candidates.indices.contains(palette.selected) else { return [] }
        let emoji = palette.candidates[palette.selected].emoji
        let message = timeline.list.index(of: palette.target).map { timeline.list[$0].message }
        let isOwn = message?.reactions.contains { reaction in
            reaction.emoji == emoji && reaction.people.contains { $0.id == me }
        }
        panel = nil
        return post(.reaction(palette.target, emoji: emoji, isRemoved: isOwn ?? false), in: id)
    }

    // MARK: - Deleting

    /// x: asks first.
    mutating func askForDeletion() {
        guard let message = ownSelected(to: "delete") else { return }
        stayHere()
        panel = .deletion(message.id)
    }

    /// Only `y` deletes.
    mutating func answerDeletion(_ key: Key, of message: MessageID) -> [Effect] {
        panel = nil
        guard key == .character("y"), let id = conversation?.id else { return [] }
        writing.edits[id]?[message] = nil
        return post(.deletion(message), in: id)
    }
}
