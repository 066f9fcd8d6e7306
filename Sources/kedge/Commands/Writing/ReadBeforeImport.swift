import Archive
import Messages

/// How far a person had read in an archive before an import, so that nothing of the import counts as unread: it is history and
/// no news. A conversation that had something unread keeps all after that unread, since one position says how far it is read.
struct ReadBeforeImport {
    private let options: ArchiveOptions
    private let identity: Identity
    private let states: ReadStates
    /// The conversations with something unread.
    private let unread: Set<ConversationID>

    /// - Returns: nil for an archive that was never opened: its first opening takes everything as read.
    init?(of options: ArchiveOptions) throws {
        self.options = options
        identity = try PersonOptions.identifyByConfig(in: options).identity
        let store = try options.open(me: identity)
        let states = try options.readStates(of: store.me)
        if states.baseline == nil, states.positions.isEmpty { return nil }
        self.states = states
        unread = Set(try ReadBeforeImport.unread(in: store, since: states))
    }

    private static func unread(
        in store: any ConversationListing & UnreadCounting, since states: ReadStates
    ) throws -> [ConversationID] {
        try waiting { () async throws(StoreError) in
            let all = try await store.conversations()
            let summaries = await store.summaries(of: all, since: states, for: store.me, withNewest: false)
            // A conversation that cannot be read stays as it is.
            return zip(all, summaries).filter { (try? $1.get().unread.isEmpty) != true }.map(\.0.id)
        }
    }

    /// Marks as read what the import has brought.
    func keep() throws {
        let store = try options.open(me: identity)
        var positions: [ConversationID: ReadPosition] = [:]
        for id in try ReadBeforeImport.unread(in: store, since: states) where !unread.contains(id) {
            let request = PageRequest(
                conversation: id, position: .latest, limit: 1, since: states[id], threads: states.threads(of: id))
            let page = try waiting { () async throws(StoreError) in try await store.page(request) }
            guard let last = page.messages.last else { continue }
            var position = ReadPosition(
                message: last.id, index: page.place?.index, threads: page.threads.map { ThreadMarks(upTo: $0.upTo) })
            position.isChosen = true
            positions[id] = position
        }
        try options.keep(positions, of: store.me)
    }
}
