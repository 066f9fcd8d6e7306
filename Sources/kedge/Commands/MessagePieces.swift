import Messages

/// Messages in their order, page by page. As many pages are kept as fit into memory; the others are read again when it is their
/// turn.
struct MessagePieces: Sendable {
    private struct Piece: Sendable {
        /// Nil if they are to be read again.
        var messages: [Message]?
        let ids: [MessageID]
        let weight: Int
        /// The page; nil for messages that are kept in any case.
        let request: PageRequest?

        init(_ messages: some Collection<Message>, _ request: PageRequest?) {
            self.messages = Array(messages)
            ids = messages.map(\.id)
            weight = messages.reduce(0) { $0 + $1.weight }
            self.request = request
        }
    }

    /// The most bytes of messages that are kept: one page may exceed it.
    static let mostBytes = 2 << 20

    private var pieces: [Piece] = []
    /// The bytes of the messages that are kept.
    private(set) var weight = 0

    init() {}

    /// - Parameter messages: are all kept.
    init(_ messages: [Message]) { append(messages) }

    mutating func prepend(_ messages: some Collection<Message>, _ request: PageRequest) {
        add(Piece(messages, request), at: 0)
    }

    /// - Parameter request: the page that has them; nil to keep them.
    mutating func append(_ messages: some Collection<Message>, _ request: PageRequest? = nil) {
        add(Piece(messages, request), at: pieces.count)
    }

    private mutating func add(_ piece: Piece, at index: Int) {
        guard !piece.ids.isEmpty else { return }
        pieces.insert(piece, at: index)
        weight += piece.weight
        // What is printed last is left out first.
        for index in pieces.indices.reversed() where weight > MessagePieces.mostBytes {
            guard pieces[index].request != nil, pieces[index].messages != nil else { continue }
            pieces[index].messages = nil
            weight -= pieces[index].weight
        }
    }

    /// Calls `body` with the messages of each piece.
    /// - Throws: the errors of reading pages and of `body`.
    func forEach(of store: any MessageReading, _ body: ([Message]) throws -> Void) throws {
        for piece in pieces {
            if let messages = piece.messages {
                try body(messages)
                continue
            }
            guard let request = piece.request else { continue }
            let wanted = Set(piece.ids)
            try body(
                try waiting { () async throws(StoreError) in
                    let found = try await store.page(request).messages.filter { wanted.contains($0.id) }
                    // The page has other messages when some have arrived meanwhile.
                    return found.count == wanted.count
                        ? found : try await store.messages(wanted, in: request.conversation)
                })
        }
    }
}
