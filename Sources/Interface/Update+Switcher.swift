import Display
import Messages

/// The choice of a conversation.
extension Model {
    mutating func openSwitcher() -> [Effect] {
        panel = .switcher
        switcher.open(epoch: nextEpoch())
        return [
            .loadConversations(summaries: true), .wait(Model.grace, .pause(epoch: switcher.epoch)),
        ]
    }

    mutating func receive(conversations result: Result<[Conversation], StoreError>) {
        switch result {
        case .success(let conversations):
            switcher.take(conversations)
            nameResults()
        case .failure(let error): switcher.failure = error.description
        }
    }

    mutating func receive(summary result: Result<ConversationSummary, StoreError>) {
        switch result {
        case .success(let summary): switcher.take(summary)
        case .failure(let error): switcher.failure = error.description
        }
    }

    mutating func endSummaries() { switcher.finish() }

    mutating func actInSwitcher(_ action: Action) -> [Effect] {
        let page = max(1, SwitcherView.height(size) - 1)
        switch action {
        case .cancel:
            panel = nil
            return opening == .nothing ? [.quit(.done)] : loads()
        case .activate: return openSelectedConversation()
        case .up: switcher.move(by: -1)
        case .down: switcher.move(by: 1)
        case .pageUp: switcher.move(by: -page)
        case .pageDown: switcher.move(by: page)
        default: break
        }
        return []
    }

    mutating func switcherTextChanged() {
        switcher.selected = 0
        switcher.filter()
    }

    /// Each conversation is where it was left; one that was not open yet is at its newest message.
    mutating func openSelectedConversation() -> [Effect] {
        guard switcher.isShown, let chosen = switcher.selectedConversation else { return [] }
        panel = nil
        dropPending()
        guard chosen.id != conversation?.id else { return loads() }
        return go(to: places[chosen.id].map { .place($0) } ?? .position(.latest), in: chosen)
    }
}
