internal import Formats
internal import Matrix
internal import Relay

/// Messages that are not here, with those around them.
extension Mirror {
    /// How many events around the one that was asked for are fetched.
    private static var contextSize: Int { 60 }

    func find(_ event: String, _ room: String, for asker: Asker) throws(RelayRefusal) {
        if let name = archive.segment(holding: event, in: room) {
            return desk.respond(.done(segment: name.file), to: asker)
        }
        guard event.hasPrefix("$") else { throw RelayRefusal("\(event): is no ID of a message") }
        let request = MatrixRequest.context(room: room, event: event, limit: Mirror.contextSize)
        _ = server.start(request) { [queue] in queue.send(.found(asker, event: event, room: room, $0)) }
    }

    func found(
        _ event: String, _ room: String, _ result: Result<HTTPResponse, HTTPFailure>, for asker: Asker
    ) throws(MirrorEnd) {
        guard case .success(let response) = result, response.status == 200 else { return reply(to: asker, result) }
        let tree = JSONTree()
        archive.events.room = room
        guard let page = response.body.withUnsafeBytes({ ContextPage($0, tree: tree, events: archive.events) }) else {
            return desk.respond(.failed(reason: "a response that cannot be read", retry: 1_000), to: asker)
        }
        try disk(for: asker) { () throws(DiskFailure) in
            let search = try archive.search(for: page, in: room)
            try place(FoundIsland(asker: asker, event: event, room: room, page: page, search: search))
        }
    }

    /// Takes the server's word on where the events stand. Without it their times decide.
    func placed(_ island: FoundIsland, _ result: Result<HTTPResponse, HTTPFailure>) throws(MirrorEnd) {
        var island = island
        let tree = JSONTree()
        archive.events.room = island.room
        if case .success(let response) = result, response.status == 200,
            let page = response.body.withUnsafeBytes({
                EventsPage($0, .forward, tree: tree, events: archive.events)
            })
        {
            island.search.take(isLater: page.count > 0)
        } else {
            island.search.giveUp()
        }
        try disk(for: island.asker) { () throws(DiskFailure) in try place(island) }
    }

    /// Tells a failure of the disk to the client that waits.
    private func disk(for asker: Asker, _ body: () throws(DiskFailure) -> Void) throws(MirrorEnd) {
        do throws(DiskFailure) {
            try body()
        } catch {
            desk.respond(.failed(reason: error.description, retry: nil), to: asker)
            if error.stopsAll { try reopen(error) }
        }
    }

    private func place(_ island: FoundIsland) throws(DiskFailure) {
        let (event, room, asker) = (island.event, island.room, island.asker)
        // The same event may have come meanwhile.
        if let name = archive.segment(holding: event, in: room) {
            return desk.respond(.done(segment: name.file), to: asker)
        }
        if let question = island.search.question {
            let request = MatrixRequest.messages(
                room: room, .forward, from: question.from, to: question.to, limit: 1)
            _ = server.start(request) { [queue] in queue.send(.placed(island, $0)) }
            return
        }
        guard let name = try archive.add(island.page, around: event, in: room, island.search) else {
            return desk.respond(.failed(reason: "there is no message with this ID", retry: nil), to: asker)
        }
        desk.respond(.done(segment: name.file), to: asker)
        askForReactions(on: island.page, around: event, in: room, name)
        for demand in filler.forget(room, server) { desk.respond(.done(segment: nil), to: demand.asker) }
        try filler.collect(room)
        fill()
    }
}
