package import Messages
internal import Relay
internal import Search

/// Searches in the archive, and on the server for what the archive lacks.
///
///     hits of the archive ─→ messages are missing in it, and the query is of words alone ─→ hits of the server, page by page
extension ServedStore {
    /// In one search of the server. More than these nobody looks through.
    private static let mostPages = 4
    private static let hitsInPage = 50

    package func search(_ request: SearchRequest) -> AsyncStream<Result<SearchBatch, StoreError>> {
        let inner = archive.search(request)
        guard let words = request.wordsForServer else { return inner }
        return AsyncStream { [self] continuation in
            let task = Task(executorPreference: thread) {
                var count = 0
                for await batch in inner {
                    if case .success(let batch) = batch { count += batch.hits.count }
                    continuation.yield(batch)
                }
                if count < request.limit ?? .max { await self.search(words, for: request, continuation) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func search(
        _ words: String, for request: SearchRequest,
        _ continuation: AsyncStream<Result<SearchBatch, StoreError>>.Continuation
    ) async {
        guard (try? await Task.sleep(for: searchPause)) != nil, await lacksMessages(request.conversation) else {
            return
        }
        var next: String?
        for _ in 0..<ServedStore.mostPages {
            guard !Task.isCancelled else { return }
            let page = RelaySearch(words, in: request.conversation, limit: ServedStore.hitsInPage, next: next)
            switch helper.isOnline ? await helper.ask(.search(page)) : nil {
            case .found(let hits, let token):
                let new = await hitsElsewhere(hits, request)
                continuation.yield(.success(SearchBatch(hits: new, progress: 1)))
                guard let token else { return }
                next = token
            case .failed(let reason, _):
                continuation.yield(.failure(.unreadable("the server was not searched: \(reason)")))
                return
            case .done, .fetched, .joined, .members, .version, nil:
                continuation.yield(.failure(.unreadable("the server was not searched: \(helper.silence)")))
                return
            }
        }
    }

    /// Whether messages are missing in a conversation; in any one if nil.
    private func lacksMessages(_ conversation: ConversationID?) async -> Bool {
        let all = (try? await archive.conversations()) ?? []
        for id in conversation.map({ [$0] }) ?? all.map(\.id) {
            if Task.isCancelled { return false }
            let page = try? await archive.page(PageRequest(conversation: id, position: .latest, limit: 1))
            if let place = page?.place {
                if place.isPartial { return true }
                continue
            }
            // Without an index the number of messages is not known, nor whether it is all. The oldest island tells mostly.
            let first = try? await archive.page(PageRequest(conversation: id, position: .earliest, limit: 1))
            if case .gap? = first?.older { return true }
        }
        return false
    }

    /// The hits that the archive does not hold, and that match here, too: servers compare words in ways of their own.
    private func hitsElsewhere(_ hits: [RelayHit], _ request: SearchRequest) async -> [Hit] {
        var new: [Hit] = []
        for (id, hits) in Dictionary(grouping: hits, by: \.conversation) {
            guard let known = try? await archive.messages(Set(hits.map(\.message)), in: id) else { continue }
            let here = Set(known.map(\.id))
            let members = (try? await archive.conversation(id))?.members ?? []
            for hit in hits where !here.contains(hit.message) && request.query.query.matches(hit.text) {
                let sender = members.first { $0.id == hit.sender } ?? Person(id: hit.sender, name: hit.sender.rawValue)
                new.append(
                    Hit(
                        conversation: id, message: hit.message, at: hit.at, sender: sender, text: hit.text,
                        isElsewhere: true))
            }
        }
        return new.sorted { $0.at.milliseconds > $1.at.milliseconds }
    }
}

extension SearchRequest {
    /// The words, as they were typed, if a server can search for them: it knows no filters, no times and no expressions.
    fileprivate var wordsForServer: String? {
        let query = query.query
        guard !query.required.isEmpty, query.excluded.isEmpty, !query.hasPatterns, query.filters.isEmpty, times.isEmpty,
            sender == nil
        else { return nil }
        let words = query.text.filter { !["\"", "“", "”", "*"].contains($0) }.trimmed
        return words.isEmpty ? nil : words
    }
}

extension String {
    fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}
