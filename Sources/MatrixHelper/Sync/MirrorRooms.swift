internal import Formats
internal import Matrix
internal import Messages
internal import Relay

/// The first look at an account, at a server that has sliding sync: the newest rooms are here before all others.
///
///     /sync of no room → a token; sliding sync → 20 rooms; sliding sync → more rooms …; then /sync from the token
///
/// Sliding sync does not say where a gap ends, so it brings new rooms only. All that comes after the token comes by /sync, also
/// what sliding sync has brought already.
struct FirstLook {
    private static let fewRooms = 20
    private static let moreRooms = 250

    /// Everything that comes after it is new; nil before it is known.
    var token: String?
    private var pos: String?
    /// How many rooms are asked for.
    private var count = FirstLook.fewRooms

    init(token: String?) { self.token = token }

    /// - Parameter hasPeople: whether it is wanted how far people have read.
    func request(hasPeople: Bool) -> MatrixRequest {
        token == nil ? .syncToken : .slidingSync(rooms: count, pos: pos, hasPeople: hasPeople)
    }

    /// Takes a response to sliding sync.
    /// - Returns: whether all rooms are here.
    mutating func take(_ page: SlidingPage) -> Bool {
        guard page.count > count else { return true }
        (pos, count) = (page.pos, count + FirstLook.moreRooms)
        return false
    }

    /// The server has forgotten the tokens of its sliding sync: it is asked as if for the first time.
    mutating func forget() -> Bool {
        guard pos != nil else { return false }
        pos = nil
        return true
    }
}

extension SyncedArchive {
    /// Takes the response to a request of the first look.
    func take(_ result: Result<HTTPResponse, HTTPFailure>, of look: FirstLook) throws(MirrorEnd) {
        switch result {
        case .failure(let failure): try follow(failure)
        case .success(let response) where response.status == 200:
            guard try take(response.body, look) else {
                return try follow(retry.failed(jitter: pace.jitter()), "a response that cannot be read")
            }
            retry.succeeded()
            isTroubled = false
        case .success(let response):
            let error = response.error
            let step = retry.failed(error, hasToken: true, jitter: pace.jitter())
            switch step {
            case .pause where !error.isOfUnknownRequest:
                try follow(step, error.text.isEmpty ? "status \(error.status)" : error.text)
            case .loggedOut(let isSoft): try awaitLogin(.loggedOut(isSoft: isSoft))
            case .pause, .restart, .giveUp: try lookAgain(look)
            }
        }
    }

    /// Without sliding sync, the first response of /sync has all rooms.
    private func lookAgain(_ look: FirstLook) throws(MirrorEnd) {
        var look = look
        if look.forget() {
            firstLook = look
        } else {
            firstLook = nil
            try disk { () throws(DiskFailure) in try archive.state.forgetFirst() }
        }
        ask()
    }

    /// - Returns: false if the response cannot be read.
    private func take(_ body: ResponseBody, _ look: FirstLook) throws(MirrorEnd) -> Bool {
        var look = look
        do throws(DiskFailure) {
            guard look.token != nil else {
                guard let token = body.withUnsafeBytes({ reader.readToken($0) }) else { return false }
                try archive.state.begin(with: token)
                look.token = token
                firstLook = look
                ask()
                return true
            }
            let listed = archive.listChanges
            let last = try body.withUnsafeBytes { (bytes) throws(DiskFailure) in
                try reader.readSliding(bytes, passed: body.release) { (page) throws(DiskFailure) in
                    try archive.take(page)
                    note(page.rooms)
                    take(page.receipts)
                }
            }
            guard let page = last else { return false }
            noteList(since: listed)
            guard look.take(page), let token = look.token else {
                firstLook = look
                ask()
                return true
            }
            try archive.state.commit(token, isFirst: true)
            firstLook = nil
            since = token
            try filler.collect()
        } catch {
            try reopen(error)
            return true
        }
        proceed(isCurrent: false)
        fill()
        return true
    }
}

/// Rooms that are joined, spaces, and invitations.
extension SyncedArchive {
    // MARK: - Joining

    /// Joins a room. The response comes when its conversation is in the archive.
    func join(_ text: String, for asker: Asker) throws(RelayRefusal) {
        guard let address = RoomAddress(text) else { throw RelayRefusal("\(text): not the address of a room") }
        if let conversation = joined(address.room) { return desk.respond(.joined(conversation), to: asker) }
        _ = server.start(.join(address)) { [queue] in queue.send(.joined(asker, $0)) }
    }

    /// The conversation of a room of which this account is a member.
    private func joined(_ room: String) -> ConversationID? {
        guard let conversation = archive.conversation(of: room), archive.facts(room)?.hasLeft == false else {
            return nil
        }
        return ConversationID(conversation)
    }

    func joined(_ asker: Asker, _ result: Result<HTTPResponse, HTTPFailure>) {
        guard case .success(let response) = result, response.status == 200 else { return reply(to: asker, result) }
        let tree = JSONTree()
        let room = response.body.withUnsafeBytes { tree.parse($0)?["room_id"]?.string } ?? ""
        guard !room.isEmpty else {
            return desk.respond(.failed(reason: "a response that cannot be read", retry: 1_000), to: asker)
        }
        joining[room, default: []].append(asker)
        respondToJoined()
    }

    /// Responds to the requests whose rooms have come.
    private func respondToJoined() {
        for (room, askers) in joining {
            let isSpace = archive.spaces[room] != nil
            let conversation = joined(room)
            guard conversation != nil || isSpace else { continue }
            joining[room] = nil
            for asker in askers { desk.respond(conversation.map { .joined($0) } ?? .done(segment: nil), to: asker) }
        }
    }

    // MARK: - The list of rooms

    /// Tells all Kedges that the list of rooms has changed, if it has, and those who wait for a room that it is here.
    func noteList(since changes: Int) {
        guard archive.listChanges != changes else { return }
        respondToJoined()
        desk.note(.rooms)
    }

    /// Takes the response to the request for spaces and invitations.
    func take(relations result: Result<HTTPResponse, HTTPFailure>) throws(MirrorEnd) {
        switch result {
        case .failure(let failure): try follow(failure)
        case .success(let response) where response.status == 200:
            let listed = archive.listChanges
            var isRead = false
            do throws(DiskFailure) {
                isRead = try read(response.body) { (news) throws(DiskFailure) in try archive.take(relations: news) }
            } catch {
                return try reopen(error)
            }
            guard isRead else {
                return try follow(retry.failed(jitter: pace.jitter()), "a response that cannot be read")
            }
            retry.succeeded()
            noteList(since: listed)
            ask()
        case .success(let response):
            let error = response.error
            let step = retry.failed(error, hasToken: false, jitter: pace.jitter())
            // Without them all else is there.
            if case .giveUp = step {
                hasNoRelations = true
            } else {
                return try follow(step, error.text.isEmpty ? "status \(error.status)" : error.text)
            }
            ask()
        }
    }
}

/// Messages that are not here, with those around them.
extension SyncedArchive {
    /// How many events around the one that was asked for are fetched.
    private static var contextSize: Int { 60 }

    func find(_ event: String, _ room: String, for asker: Asker) throws(RelayRefusal) {
        if let name = archive.segment(holding: event, in: room) {
            return desk.respond(.done(segment: name.file), to: asker)
        }
        guard event.hasPrefix("$") else { throw RelayRefusal("\(event): is no ID of a message") }
        let request = MatrixRequest.context(room: room, event: event, limit: SyncedArchive.contextSize)
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
