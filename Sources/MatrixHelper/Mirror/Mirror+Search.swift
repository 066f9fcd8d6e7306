internal import Formats
internal import Matrix
internal import Messages
internal import Relay

/// Searches that the server makes.
extension Mirror {
    /// In Unicode scalars: all hits of a response fit into a line.
    private static let longestText = 2_000
    private static let mostHits = 50

    func search(_ search: RelaySearch, for asker: Asker) throws(RelayRefusal) {
        var room: String?
        if let conversation = search.conversation { room = try self.room(of: conversation) }
        let request = MatrixRequest.search(
            search.words, room: room, limit: min(max(search.limit, 1), Mirror.mostHits), from: search.next)
        _ = server.start(request) { [queue] in queue.send(.searched(asker, $0)) }
    }

    func searched(_ asker: Asker, _ result: Result<HTTPResponse, HTTPFailure>) {
        guard case .success(let response) = result, response.status == 200 else { return reply(to: asker, result) }
        guard let page = response.body.withUnsafeBytes({ SearchPage($0) }) else {
            return desk.respond(.failed(reason: "a response that cannot be read", retry: 1_000), to: asker)
        }
        let hits = page.hits.prefix(Mirror.mostHits).compactMap { hit -> RelayHit? in
            guard let conversation = archive.conversation(of: hit.room) else { return nil }
            return RelayHit(
                conversation: ConversationID(conversation), message: MessageID(hit.event),
                at: Timestamp(milliseconds: hit.time),
                sender: PersonID(hit.sender), text: String(hit.text.unicodeScalars.prefix(Mirror.longestText)))
        }
        desk.respond(.found(hits, next: page.next), to: asker)
    }
}
