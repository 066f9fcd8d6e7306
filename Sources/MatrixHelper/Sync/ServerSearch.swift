internal import Helper
internal import Matrix
internal import Messages
internal import Relay

/// Performs searches on the server.
struct ServerSearch {
    /// In Unicode scalars: all hits of a response fit into a line.
    private static let longestText = 2_000
    private static let mostHits = 50

    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    func begin(_ search: RelaySearch, for promise: Promise<RelayPage>) throws(RelayError) {
        let room = try search.conversation.map { id throws(RelayError) in try context.room(of: id) }
        let limit = min(max(search.limit, 1), ServerSearch.mostHits)
        let request = MatrixRequest.search(search.words, room: room, limit: limit, from: search.next)
        context.ask(request, for: promise.asker, { SearchPage($0) }) { [context] page in
            let hits = page.hits.prefix(ServerSearch.mostHits).compactMap { hit -> RelayHit? in
                guard let conversation = context.conversation(of: hit.room) else { return nil }
                return RelayHit(
                    conversation: conversation, message: MessageID(hit.event), at: Timestamp(milliseconds: hit.time),
                    sender: PersonID(hit.sender),
                    text: String(hit.text.unicodeScalars.prefix(ServerSearch.longestText)))
            }
            context.respond(RelayPage(hits, next: page.next), to: promise)
        }
    }
}
