internal import ArchiveFormat
internal import Files
internal import Formats
internal import Helper
internal import JSON
internal import Matrix
internal import Relay

/// Fetches messages that are not here, with those around them, and then the reactions to these.
///
///     a request → /context → its place: /messages, some times → an island inside a gap → its response
final class IslandFetcher {
    /// An event that a Kedge has asked for, with those around it, whose place is searched for.
    private struct Island {
        let promise: Promise<RelayDone>
        let event: String
        let room: String
        let page: ContextPage
        var search: IslandSearch
    }

    /// The number of events to fetch around the requested one.
    private static let contextSize = 60

    private let context: SyncContext
    private let gaps: Gaps
    private var reactions = ReactionQueue()

    init(_ context: SyncContext, _ gaps: Gaps) { (self.context, self.gaps) = (context, gaps) }

    func find(_ event: String, _ room: String, for promise: Promise<RelayDone>) throws(RelayError) {
        if let name = context.archive.log(ofKnown: room)?.segment(holding: event) {
            return context.respond(RelayDone(segment: name.file), to: promise)
        }
        guard event.hasPrefix("$") else { throw RelayError("\(event): not the ID of a message") }
        let request = MatrixRequest.context(room: room, event: event, limit: IslandFetcher.contextSize)
        let read = { [context] (body: UnsafeRawBufferPointer) -> ContextPage? in
            ContextPage(body, tree: JSONTree(), events: context.archive.events(in: room))
        }
        context.ask(request, for: promise.asker, read) { [self] page throws(SyncEnd) in
            try disk(for: promise.asker) { () throws(FileError) in
                let search = try context.archive.search(for: page, in: room)
                try place(Island(promise: promise, event: event, room: room, page: page, search: search))
            }
        }
    }

    /// Reports a disk error to the client that waits.
    private func disk(for asker: Asker, _ body: () throws(FileError) -> Void) throws(SyncEnd) {
        if let reason = context.pauseReason {
            return context.refuse(asker, RelayError(reason, retry: SyncPace.wait))
        }
        do throws(FileError) {
            try body()
        } catch {
            context.refuse(asker, RelayError(error.description))
            if error.stopsAll { throw .disk(error.description) }
        }
    }

    private func place(_ island: Island) throws(FileError) {
        let (event, room, promise, archive) = (island.event, island.room, island.promise, context.archive)
        // The same event may have come meanwhile.
        if let name = archive.log(ofKnown: room)?.segment(holding: event) {
            return context.respond(RelayDone(segment: name.file), to: promise)
        }
        if let question = island.search.question {
            let request = MatrixRequest.messages(
                room: room, .forward, from: question.from, to: question.to, limit: 1)
            context.start(request) { [self] response throws(SyncEnd) in
                var island = island
                if let page = page(in: response, of: room, .forward) {
                    island.search.take(isLater: page.count > 0)
                } else {
                    // Without an answer of the server, the times of the events decide.
                    island.search.giveUp()
                }
                try disk(for: promise.asker) { () throws(FileError) in try place(island) }
            }
            return
        }
        guard let name = try archive.add(island.page, around: event, in: room, island.search) else {
            return context.refuse(promise.asker, RelayError("there is no message with this ID"))
        }
        context.respond(RelayDone(segment: name.file), to: promise)
        if let gaps = try? archive.gaps(in: room), gaps.contains(where: { $0.edge > name }) {
            reactions.add(Lines.messages(in: island.page.lines), around: event, in: room)
            askForReactions()
        }
        try gaps.restart(room)
    }

    private func page(
        in response: SyncContext.Response, of room: String, _ direction: FillDirection
    ) -> EventsPage? {
        guard case .success(let response) = response, response.status == 200 else { return nil }
        let events = context.archive.events(in: room)
        return response.body.withUnsafeBytes { EventsPage($0, direction, tree: JSONTree(), events: events) }
    }

    /// Asks for the reactions to messages of islands, since the events that follow these islands are missing.
    private func askForReactions() {
        guard let target = reactions.next() else { return }
        let request = MatrixRequest.reactions(room: target.room, event: target.event)
        context.start(request) { [self] response throws(SyncEnd) in
            let page = context.pauseReason == nil ? page(in: response, of: target.room, .backward) : nil
            reactions.end(isFailure: page == nil)
            guard let page else { return }
            do throws(FileError) {
                try context.archive.log(ofKnown: target.room)?.add(reactions: page.lines, to: target.event)
            } catch {
                // The reactions in other rooms may be written.
                if error.stopsAll { throw .disk(error.description) }
            }
            askForReactions()
        }
    }
}

/// Messages of islands whose reactions have to be requested: reactions came later than the messages, where events are missing here.
///
/// One request is on its way at a time, and a failure drops all that is left: reactions are no reason to bother a server.
struct ReactionQueue {
    struct Target: Hashable {
        let room: String
        let event: String
    }

    /// The most messages of an island to ask about.
    static let mostOfIsland = 20
    private static let mostWaiting = 100

    private var waiting: [Target] = []
    private var isBusy = false

    /// - Parameters:
    ///   - events: the messages of the island, in their order.
    ///   - middle: the requested message. The nearest come first.
    mutating func add(_ events: [String], around middle: String, in room: String) {
        let place = events.firstIndex(of: middle) ?? 0
        let nearest = events.indices.sorted { abs($0 - place) < abs($1 - place) }.prefix(ReactionQueue.mostOfIsland)
        waiting = Array(
            (nearest.map { Target(room: room, event: events[$0]) } + waiting).prefix(ReactionQueue.mostWaiting))
    }

    /// The next message to ask about; nil if none is left, or if a request is on its way.
    mutating func next() -> Target? {
        guard !isBusy, !waiting.isEmpty else { return nil }
        isBusy = true
        return waiting.removeFirst()
    }

    /// Handles the end of the request that is on its way.
    mutating func end(isFailure: Bool) {
        isBusy = false
        if isFailure { waiting = [] }
    }
}
