import Messages
import Timeline

/// The wishes of components, as far as they cross from one to another.
extension Model {
    mutating func carryOut(_ outcomes: [Outcome]) -> [Effect] { outcomes.flatMap { carryOut($0) } }

    private mutating func carryOut(_ outcome: Outcome) -> [Effect] {
        switch outcome {
        case .typed: inputState.isTyping = true
        case .close: panel = nil
        case .warn(let text): warn(text)
        case .effect(let effect): return [effect]
        case .go(let destination, nil): return go(to: destination)
        case .go(let destination, let conversation?): return go(to: destination, in: conversation)
        case .goToShare(let position): return go(toShare: position)
        case .openConversation(let conversation): return open(conversation)
        case .listConversations: return [loadSummaries()]
        case .open(let openable): return open(openable)
        case .delete(let message): return delete(message)
        case .react(let emoji, let message): return react(emoji, to: message)
        case .find(.words): return queryChanged()
        case .find(.cancel): return cancelFind()
        case .find(.accept): return acceptFind()
        case .compose(let wish): return carryOut(wish)
        }
        return []
    }

    /// Each conversation is where it was left; one that was not open yet is at its newest message.
    private mutating func open(_ chosen: Conversation) -> [Effect] {
        dropPending()
        guard chosen.id != conversation?.id else { return [.stopLoadingConversations] }
        let destination = trail.leftAt[chosen.id].map { ListRequest.Destination.place($0) } ?? .position(.latest)
        return [.stopLoadingConversations] + go(to: destination, in: chosen)
    }

    private mutating func carryOut(_ wish: Composer.Wish) -> [Effect] {
        switch wish {
        case .changed: return composerTextChanged()
        case .keep: return keepDraftLater()
        case .leave: return leaveComposer()
        case .scroll(let screens): return scrollConversation(screens: screens)
        case .send: return sendComposed()
        }
    }
}
