import Display
import Messages
import Timeline

/// The choice of a conversation.
extension Model {
    mutating func openSwitcher() -> [Effect] {
        panel = .switcher
        switcher.open(epoch: nextEpoch())
        return [loadSummaries(), .wait(Model.grace, .pause(epoch: switcher.epoch))]
    }

    func loadSummaries() -> Effect { .loadConversations(summaries: true, read: reading.states) }

    mutating func receive(conversations result: Result<[Conversation], StoreError>) -> [Effect] {
        switch result {
        case .success(let conversations):
            switcher.take(conversations)
            nameConversation()
            nameResults()
            return []
        case .failure(let error): return failToList(error)
        }
    }

    /// What is shown by its ID has a title as soon as that is known.
    private mutating func nameConversation() {
        if let id = conversation?.id, let named = switcher.conversation(id) { conversation = named }
        if let id = pending?.conversation.id, let named = switcher.conversation(id) {
            pane.pending?.conversation = named
        }
    }

    /// A list that did not come is asked for again, by itself or at once by Enter.
    private mutating func failToList(_ error: StoreError) -> [Effect] {
        switcher.failure = error.description
        switcher.attempts += 1
        // The list from before stays what it is.
        if !switcher.isEmpty { switcher.isShown = true }
        guard panel == .switcher, error.isTransient else { return [] }
        let delay = Pager<Messages.Cursor>.retryDelay(attempts: switcher.attempts)
        return [.wait(.seconds(delay), .retryConversations(epoch: switcher.epoch))]
    }

    mutating func retryConversations(_ epoch: Int) -> [Effect] {
        guard panel == .switcher, switcher.epoch == epoch, switcher.failure != nil else { return [] }
        return [loadSummaries()]
    }

    mutating func receive(summary result: Result<ConversationSummary, StoreError>) {
        switch result {
        case .success(let summary): switcher.take(summary)
        case .failure(let error): warn(error.description)
        }
    }

    mutating func endSummaries() -> [Effect] {
        switcher.finish()
        scrollSwitcher()
        if seeksUnread { return goToUnread() }
        return acceptSwitcher()
    }

    /// Enter was pressed before there was a list: now there is one.
    mutating func acceptSwitcher() -> [Effect] {
        guard panel == .switcher, switcher.isAccepting, switcher.isShown else { return [] }
        switcher.isAccepting = false
        return openSelectedConversation()
    }

    mutating func actInSwitcher(_ action: Action) -> [Effect] {
        let page = max(1, SwitcherView.height(size) - 1)
        switch action {
        case .cancel:
            panel = nil
            return opening == .nothing ? [.quit(.done)] : [.stopLoadingConversations]
        case .activate: return openSelectedConversation()
        case .up: switcher.move(by: -1)
        case .down: switcher.move(by: 1)
        case .pageUp: switcher.move(by: -page)
        case .pageDown: switcher.move(by: page)
        default: break
        }
        scrollSwitcher()
        return []
    }

    mutating func switcherTextChanged() {
        switcher.isAccepting = false
        switcher.isPicked = !switcher.field.isEmpty
        switcher.selected = 0
        switcher.filter()
        scrollSwitcher()
    }

    mutating func scrollSwitcher() { switcher.scroll(height: SwitcherView.height(size)) }

    /// Each conversation is where it was left; one that was not open yet is at its newest message.
    mutating func openSelectedConversation() -> [Effect] {
        if switcher.failure != nil, switcher.isEmpty { return retryConversations(switcher.epoch) }
        guard switcher.isShown else {
            switcher.isAccepting = true
            return []
        }
        guard let chosen = switcher.selectedConversation else { return [] }
        panel = nil
        dropPending()
        guard chosen.id != conversation?.id else { return [.stopLoadingConversations] }
        let destination = leftAt[chosen.id].map { ListRequest.Destination.place($0) } ?? .position(.latest)
        return [.stopLoadingConversations] + go(to: destination, in: chosen)
    }
}
