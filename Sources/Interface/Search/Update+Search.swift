import Display
import Messages
import Search
import Timeline

/// The search over all conversations.
extension Model {
    mutating func openSearch() -> [Effect] {
        panel = .search
        search.field.select()
        var effects: [Effect] = [.loadConversations(summaries: false, read: ReadStates())]
        // What was not finished goes on; what was found stays where it is meanwhile.
        if search.state == .interrupted {
            let isSame = Query(search.field.text, isTyping: true) == search.query.query
            effects += runSearch(isRefreshing: isSame && search.list.count > 0)
        }
        return effects + wantPreview()
    }

    /// Nothing that comes in later can change what is shown the next time.
    private mutating func closeSearch() -> [Effect] {
        panel = nil
        search.pendingPreview = nil
        search.isAccepting = false
        switch search.state {
        case .running:
            search.state = .interrupted
            search.epoch = nextEpoch()
        case .idle, .done, .interrupted: break
        }
        return [.stopSearching]
    }

    mutating func actInSearch(_ action: Action) -> [Effect] {
        switch action {
        case .cancel: return closeSearch()
        case .activate: return openHit()
        case .up, .down, .pageUp, .pageDown: return moveInResults(action)
        default: return []
        }
    }

    mutating func searchTextChanged() -> [Effect] {
        let query = Query(search.field.text, isTyping: true)
        guard query != search.query.query else { return [] }
        search.isAccepting = false
        search.forgetCounts()
        search.limit = SearchPanel.firstLimit
        search.attempts = 0
        return runSearch(isRefreshing: false)
    }

    private mutating func runSearch(isRefreshing: Bool) -> [Effect] {
        search.query = typed(search.field.text)
        search.epoch = nextEpoch()
        search.more = [:]
        search.incoming = []
        search.failures = []
        search.isRefreshing = isRefreshing
        guard !search.query.isEmpty else {
            search.state = .idle
            showHits([])
            return [.stopSearching]
        }
        search.state = .running(progress: 0)
        var request = SearchRequest(search.query, limit: search.limit)
        request.countsAll = search.counts == nil
        request.textLimit = SearchPanel.textLimit
        return [.search(epoch: search.epoch, request)]
    }

    mutating func receiveHits(_ epoch: Int, _ result: Result<SearchBatch, StoreError>) -> [Effect] {
        guard search.epoch == epoch, case .running = search.state else { return [] }
        switch result {
        case .failure(let error): search.failures.append(error)
        case .success(let batch):
            let isFirst = search.incoming.isEmpty
            search.incoming += batch.hits
            search.more.merge(batch.more) { $0 + $1 }
            search.state = .running(progress: batch.progress)
            guard !batch.hits.isEmpty else { return [] }
            if search.isRefreshing {
                let selected = search.selected?.id
                guard search.incoming.contains(where: { $0.id == selected }) else { return [] }
                search.isRefreshing = false
            }
            if isFirst { showHits(search.incoming) } else { updateHits() }
            if search.isAccepting { return openHit() }
        }
        return wantPreview()
    }

    mutating func endSearch(_ epoch: Int) -> [Effect] {
        guard search.epoch == epoch, case .running = search.state else { return [] }
        search.state = .done
        search.keepCounts()
        // A search that has found nothing, or has caught up only now, is shown now.
        if search.incoming.isEmpty { showHits([]) } else if search.isRefreshing || !search.more.isEmpty { updateHits() }
        search.isRefreshing = false
        search.isAccepting = false
        return retryLater() + wantPreview()
    }

    /// What a slow or failing store did not let be searched is searched again, like a page that failed.
    private mutating func retryLater() -> [Effect] {
        guard search.failures.contains(where: \.isTransient) else { return [] }
        search.attempts += 1
        let delay = Pager<Messages.Cursor>.retryDelay(attempts: search.attempts)
        return [.wait(.seconds(delay), .retrySearch(epoch: search.epoch))]
    }

    mutating func retrySearch(_ epoch: Int) -> [Effect] {
        guard panel == .search, search.epoch == epoch, search.state == .done else { return [] }
        search.forgetCounts()
        return runSearch(isRefreshing: search.list.count > 0)
    }

    /// Hits of another query: from the first one on.
    private mutating func showHits(_ hits: [Hit]) {
        let items = search.items(hits) { known($0).title }
        if items.isEmpty { search.preview = nil }
        do {
            try search.list.open(
                items, older: .end, newer: .end, start: 0, total: items.count, focus: items.first?.id,
                alignment: .top, following: false)
        } catch {
            search.failures.append(.unavailable(error.description))
        }
    }

    /// More hits of the same query: the selected one stays where it is.
    private mutating func updateHits() {
        let items = search.items(search.incoming) { known($0).title }
        do {
            try search.list.apply(items, start: 0, total: items.count)
        } catch {
            search.failures.append(.unavailable(error.description))
        }
    }

    /// The titles of conversations are known now.
    mutating func nameResults() {
        if !search.isRefreshing, !search.incoming.isEmpty { updateHits() }
    }

    private mutating func moveInResults(_ action: Action) -> [Effect] {
        let screen = max(1, search.list.viewport.height - 1)
        switch action {
        case .up: search.list.moveSelection(by: -1)
        case .down: search.list.moveSelection(by: 1)
        case .pageUp: search.list.scrollScreen(by: -screen)
        case .pageDown: search.list.scrollScreen(by: screen)
        default: break
        }
        return showMoreHits() + wantPreview()
    }

    /// Behind the last hit that is shown there may be more.
    mutating func showMoreHits() -> [Effect] {
        guard search.state != .interrupted, search.isFull, search.list.selectedIndex == search.list.count - 1 else {
            return []
        }
        search.limit *= 2
        return runSearch(isRefreshing: true)
    }

    /// Enter: goes to the selected hit, and makes what was looked for the search of its conversation.
    mutating func openHit() -> [Effect] {
        // What is on the screen may still be of the words before.
        if case .running = search.state, search.incoming.isEmpty, !search.isRefreshing {
            search.isAccepting = true
            return []
        }
        guard let hit = search.selected, !search.query.isEmpty else {
            return search.failures.isEmpty ? [] : retrySearch(search.epoch)
        }
        return closeSearch()
            + go(to: .found(hit.message, words: completeWords(for: hit)), in: known(hit.conversation))
    }

    /// The words of the search as they are complete. Where the hit has only a longer one than the last of them, that goes on
    /// to stand for all words that begin so.
    private func completeWords(for hit: Hit) -> String {
        let text = search.query.text
        let isWhole = complete(text).query.accepts(hit, in: known(hit.conversation))
        let open = text + "*"
        return isWhole || !complete(open).query.accepts(hit, in: known(hit.conversation)) ? text : open
    }
}

// MARK: - Preview

extension Model {
    /// Asks for the messages around the selected hit, one page at a time: who runs down the list sees those where they
    /// stop.
    mutating func wantPreview() -> [Effect] {
        guard panel == .search, let area = search.layout.preview, search.pendingPreview == nil,
            let hit = search.selected,
            hit.id != search.preview?.link
        else { return [] }
        let epoch = nextEpoch()
        search.pendingPreview = (epoch, hit.id)
        let limit = Prefetch.standard.limit(height: area.rows)
        return [
            .loadPreview(
                epoch: epoch,
                PageRequest(conversation: hit.conversation, position: .message(hit.message), limit: limit))
        ]
    }

    mutating func receivePreview(_ epoch: Int, _ result: Result<Page, StoreError>) -> [Effect] {
        guard let pending = search.pendingPreview, pending.epoch == epoch else { return [] }
        search.pendingPreview = nil
        guard let area = search.layout.preview else { return [] }
        let ruler = MessageRuler(grid: Grid(columns: area.columns))
        var preview = SearchPanel.Preview(
            link: pending.link, timeline: Timeline(ruler: ruler, height: area.rows, edgeRows: 0))
        switch result {
        case .success(let page):
            let entries = Entry.entries(page.messages, after: page.older.neighbour, zone: zone)
            do {
                try preview.timeline.open(
                    entries, older: page.older.edge, newer: page.newer.edge, start: page.place?.index,
                    total: page.place?.total, focus: page.focus, alignment: .middle, following: false)
                _ = preview.timeline.revealHit(of: search.query)
            } catch {
                preview.failure = error.description
            }
        case .failure(let error): preview.failure = error.description
        }
        search.preview = preview
        return wantPreview()
    }
}

extension Query {
    /// Whether a hit of another query is one of this: by its text, its sender and its conversation.
    fileprivate func accepts(_ hit: Hit, in conversation: Conversation) -> Bool {
        (!dependsOnText || matches(hit.text))
            && (filters.senders.isEmpty || filters.senders.contains { hit.sender.map($0.names) ?? false })
            && (filters.conversations.isEmpty || filters.conversations.contains { $0.names(conversation) })
    }
}
