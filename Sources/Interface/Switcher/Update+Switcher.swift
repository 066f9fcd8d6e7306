import Display
import Messages
import Timeline

/// The list of conversations.
extension Model {
    mutating func openSwitcher() -> [Effect] {
        panel = .switcher
        // While the first conversation is being opened, that is the current one.
        switcher.open(in: conversation?.id ?? main.pending?.conversation.id, after: trail.former)
        switcherPreview.forget()
        return [loadSummaries(), .wait(Switcher.grace, .pause(.switcher(switcher.epoch)))]
    }

    func loadSummaries() -> Effect { .loadConversations(summaries: true, read: reading.states) }

    mutating func receive(conversations result: Result<[Conversation], StoreError>) -> [Effect] {
        switch result {
        case .success(let conversations):
            switcher.take(conversations)
            nameConversation()
            let effects = inSearch { search, context in
                search.nameResults(in: context)
                return []
            }
            return effects + fillSidebar(with: conversations) + visitWanted()
        case .failure(let error): return failToList(error)
        }
    }

    /// A conversation that was shown by its ID gets its title, and all else that is new about it.
    private mutating func nameConversation() {
        if let id = conversation?.id, let named = switcher.conversation(id) { rename(named) }
        if let id = pending?.conversation.id, let named = switcher.conversation(id) {
            pane.pending?.conversation = named
        }
    }

    /// A list that did not come is asked for again, after a pause or by Enter.
    private mutating func failToList(_ error: StoreError) -> [Effect] {
        switcher.failure = error.description
        // Another try is made when the user opens the switcher.
        (sidebar.isLoading, sidebar.isLoaded) = (false, true)
        switcher.attempts += 1
        // The earlier list stays.
        if !switcher.isEmpty { switcher.isShown = true }
        if trail.seeksUnread || sidebar.wanted != nil || membership.wanted != nil {
            (trail.seeksUnread, sidebar.wanted, membership.wanted) = (false, nil, nil)
            warn("the conversations are not loaded: \(error)")
            dropHeld()
        }
        guard panel == .switcher else { return [] }
        guard error.isTransient else {
            dropHeld()
            return []
        }
        return [Loadable.conversations(epoch: switcher.epoch).retried(afterFailures: switcher.attempts)]
    }

    /// The user goes into the conversation that he has made.
    mutating func receive(made result: Result<Conversation, StoreError>) -> [Effect] {
        switch result {
        case .success(let conversation):
            guard panel == .switcher, switcher.isMaking else { return [loadSummaries()] }
            switcher.isMaking = false
            return carryOut([.close, .openConversation(conversation)]) + [loadSummaries()]
        case .failure(let error):
            switcher.isMaking = false
            warn(error.description)
            dropHeld()
            return []
        }
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
        switcher.finish(reading)
        (sidebar.isLoading, sidebar.isLoaded) = (false, true)
        scrollSwitcher()
        return trail.seeksUnread ? goToUnread() : []
    }

    mutating func scrollSwitcher() { switcher.scroll(height: Switcher.height(size, on: panes.main.grid)) }

    // MARK: - Preview

    /// Asks for the end of the selected conversation, if there is room for it.
    mutating func previewSwitcher() -> [Effect] {
        guard panel == .switcher, switcher.isShown,
            let area = PreviewLayout.switcher(size, on: panes.main.grid).preview,
            let id = switcher.selectedConversation?.id
        else { return [] }
        let request = switcherPreview.want(Link(conversation: id, message: nil), in: area, like: panes.main.grid)
        return request.map { [.loadPreview(epoch: Switcher.previewEpoch, $0)] } ?? []
    }

    mutating func receiveSwitcherPreview(_ result: Result<Page, StoreError>) -> [Effect] {
        guard let area = PreviewLayout.switcher(size, on: panes.main.grid).preview else {
            switcherPreview.forget()
            return []
        }
        switcherPreview.receive(result, in: area, like: panes.main.grid, zone: zone)
        guard case .failure(let error) = result, panel == .switcher else { return [] }
        return [switcherPreview.retryLater(error, .preview(epoch: Switcher.previewEpoch))].compactMap(\.self)
    }

    func retrySwitcherPreview() -> [Effect] {
        guard panel == .switcher, let request = switcherPreview.failed else { return [] }
        return [.loadPreview(epoch: Switcher.previewEpoch, request)]
    }
}
