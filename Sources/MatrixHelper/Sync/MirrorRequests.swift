internal import Formats
internal import Matrix
internal import Messages
internal import Relay

/// Requests of Kedge.
extension SyncedArchive {
    func take(_ request: RelayRequest.Content, from asker: Asker) {
        do throws(RelayRefusal) {
            switch request {
            case .hello:
                desk.welcome(asker)
                tellOwnReads(to: asker)
            // The session goes on until the server ends it.
            case .renewed: desk.respond(.done(segment: nil), to: asker)
            case .follow(let conversation, let isOn): try follow(conversation, isOn: isOn, asker)
            case .fill(let conversation, let segment, let side, let limit):
                let demand = FillWork.Demand(
                    asker: asker, direction: side == .before ? .backward : .forward, limit: limit)
                try fill(try room(of: conversation), segment, demand)
            case .around(let conversation, let event):
                try find(event.rawValue, try room(of: conversation), for: asker)
            case .send(let conversation, let message):
                outbox.add(message, to: conversation, asker)
                post()
            case .read(let conversation, let event, let receipt):
                let room = try room(of: conversation)
                ask(.read(try self.event(event, in: room), room: room, receipt: receipt.type), for: asker)
            case .typing(let conversation, let isOn):
                ask(.typing(isOn, room: try room(of: conversation), user: me), for: asker)
            case .media(let conversation, let message):
                let room = try room(of: conversation)
                try fetch(fileOf: try event(message, in: room), in: room, for: asker)
            case .search(let words):
                try search(words, for: asker)
            case .join(let address): try join(address, for: asker)
            case .decline(let room):
                guard archive.invitations.holds(room) else { throw RelayRefusal("this invitation is no longer there") }
                ask(.leave(room), for: asker)
            case .leave(let conversation): ask(.leave(try room(of: conversation)), for: asker)
            case .members(let conversation):
                let request = MatrixRequest.members(try room(of: conversation))
                _ = server.start(request) { [queue] in queue.send(.listed(asker, $0)) }
            case .history: fetchHistory(for: asker)
            }
        } catch {
            desk.respond(.failed(reason: error.reason, retry: nil), to: asker)
        }
    }

    func room(of conversation: ConversationID) throws(RelayRefusal) -> String {
        guard let room = archive.room(of: conversation.rawValue) else {
            throw RelayRefusal("\(conversation): there is no such room")
        }
        return room
    }

    /// The event of a message, which Kedge may still know by the ID of its post.
    private func event(_ id: MessageID, in room: String) throws(RelayRefusal) -> String {
        if id.rawValue.hasPrefix("$") { return id.rawValue }
        guard let event = outbox.event(of: id) ?? archive.event(ofTransaction: id.rawValue, in: room) else {
            throw RelayRefusal("\(id): is not on the server")
        }
        return event
    }

    private func fill(_ room: String, _ segment: String, _ demand: FillWork.Demand) throws(RelayRefusal) {
        guard let name = SegmentName(file: segment) else { throw RelayRefusal("\(segment): is no segment") }
        do throws(DiskFailure) {
            guard try filler.take(demand, beside: name, in: room, server) else {
                return desk.respond(.done(segment: nil), to: demand.asker)
            }
        } catch {
            throw RelayRefusal(error.description)
        }
        fill()
    }

    /// Responds when all rooms are here from their beginnings, as far as the server has them.
    private func fetchHistory(for asker: Asker) {
        historians.append(asker)
        filler.fetchesHistory(true)
        do throws(DiskFailure) {
            try filler.collect()
        } catch {
            historians.removeAll { $0 == asker }
            return desk.respond(.failed(reason: error.description, retry: 30_000), to: asker)
        }
        fill()
        tellHistorians()
    }

    /// Tells those who wait for the history that it is here, or why not.
    func tellHistorians() {
        guard filler.isDone, !historians.isEmpty else { return }
        for asker in historians {
            desk.respond(lastTrouble.map { .failed(reason: $0, retry: nil) } ?? .done(segment: nil), to: asker)
        }
        (historians, lastTrouble) = ([], nil)
        filler.fetchesHistory(goal.hasHistory)
    }

    // MARK: - Members

    /// How many bytes of a response are members: Kedge takes no line that is much longer.
    private static var mostOfMembers: Int { 900_000 }

    func listed(_ asker: Asker, _ result: Result<HTTPResponse, HTTPFailure>) {
        guard case .success(let response) = result, response.status == 200 else { return reply(to: asker, result) }
        guard let people = response.body.withUnsafeBytes({ MatrixRequest.members($0) }) else {
            return desk.respond(.failed(reason: "a response that cannot be read", retry: 1_000), to: asker)
        }
        var (some, bytes): ([Person], Int) = ([], 0)
        for person in people {
            let person = Person(id: PersonID(person.id), name: person.name)
            bytes += person.relayed.utf8.count + 1
            if bytes > SyncedArchive.mostOfMembers { break }
            some.append(person)
        }
        desk.respond(.members(some), to: asker)
    }

    // MARK: - Posts and marks

    /// Sends posts, if the newest facts about their rooms are here: a room may be encrypted since yesterday.
    func post() {
        if desk.isOnline {
            outbox.next(now: pace.now(), archive, server) { [queue] in queue.send(.sent($0)) }
        }
        for (asker, response) in outbox.takeResponses() { desk.respond(response, to: asker) }
    }

    /// Tells all Kedges who is typing in a room.
    func note(_ people: [String], typingIn room: String) {
        guard let conversation = archive.conversation(of: room) else { return }
        desk.note(.typing(ConversationID(conversation), people: people.filter { $0 != me }.map { PersonID($0) }))
    }

    /// Tells all Kedges how far the user has read in rooms, if that is new: here or in another client.
    func noteReads(_ rooms: [RoomNews], before: [String: String]) {
        for news in rooms {
            guard let event = news.facts.fullyRead, event != before[news.room],
                let conversation = archive.conversation(of: news.room)
            else { continue }
            desk.note(.read(ConversationID(conversation), MessageID(event)))
        }
    }

    /// Sends a request for which only its asker waits.
    func ask(_ request: MatrixRequest, for asker: Asker) {
        _ = server.start(request) { [queue] in queue.send(.replied(asker, $0)) }
    }

    func reply(to asker: Asker, _ result: Result<HTTPResponse, HTTPFailure>) {
        switch result {
        case .success(let response) where response.status == 200: desk.respond(.done(segment: nil), to: asker)
        case .success(let response): desk.respond(.failed(response.error), to: asker)
        case .failure(let failure):
            desk.respond(.failed(reason: failure.description, retry: 1_000), to: asker)
        }
    }
}

extension ReadReceipt {
    /// The type of the receipt (Matrix client-server API, "Receipts"); nil when there is none.
    fileprivate var type: String? {
        switch self {
        case .public: "m.read"
        case .private: "m.read.private"
        case .none: nil
        }
    }
}

/// Files of messages.
extension SyncedArchive {
    func fetch(fileOf event: String, in room: String, for asker: Asker) throws(RelayRefusal) {
        guard let file = archive.file(of: event, in: room) else { throw RelayRefusal("this message has no file") }
        guard !file.isEncrypted || server.encrypts else {
            throw RelayRefusal("\(file.name): is encrypted; only pantalaimon can decrypt it")
        }
        guard let address = MediaAddress(file.address ?? "") else {
            throw RelayRefusal("\(file.name): its address is not that of a file on a server")
        }
        guard file.size ?? 0 <= MatrixRequest.longestFile else {
            throw RelayRefusal("\(file.name): is larger than \(MatrixRequest.longestFile >> 20) MiB")
        }
        let path = address.path(name: file.name)
        if downloads.isHere(path) { return desk.respond(.fetched(file: path), to: asker) }
        do throws(DiskFailure) {
            try downloads.fetch(address, to: path, for: asker, server, noteOfFile)
        } catch {
            desk.respond(.failed(reason: error.description, retry: 30_000), to: asker)
        }
    }

    func fetched(_ path: String, _ result: Result<HTTPResponse, HTTPFailure>) {
        let end = downloads.take(path, result, server, noteOfFile)
        guard let (askers, response) = end else { return }
        for asker in askers { desk.respond(response, to: asker) }
    }

    /// Tells those who wait for a file how much of it has come.
    func moved(_ path: String, _ received: Int64) {
        for asker in downloads.askers(path) { desk.note(received, for: asker) }
    }

    private var noteOfFile: Downloads.Note {
        { [queue] path, news in
            switch news {
            case .moved(let received): queue.send(.moved(path, received))
            case .ended(let result): queue.send(.fetched(path, result))
            }
        }
    }
}

/// Searches that the server makes.
extension SyncedArchive {
    /// In Unicode scalars: all hits of a response fit into a line.
    private static let longestText = 2_000
    private static let mostHits = 50

    func search(_ search: RelaySearch, for asker: Asker) throws(RelayRefusal) {
        var room: String?
        if let conversation = search.conversation { room = try self.room(of: conversation) }
        let request = MatrixRequest.search(
            search.words, room: room, limit: min(max(search.limit, 1), SyncedArchive.mostHits), from: search.next)
        _ = server.start(request) { [queue] in queue.send(.searched(asker, $0)) }
    }

    func searched(_ asker: Asker, _ result: Result<HTTPResponse, HTTPFailure>) {
        guard case .success(let response) = result, response.status == 200 else { return reply(to: asker, result) }
        guard let page = response.body.withUnsafeBytes({ SearchPage($0) }) else {
            return desk.respond(.failed(reason: "a response that cannot be read", retry: 1_000), to: asker)
        }
        let hits = page.hits.prefix(SyncedArchive.mostHits).compactMap { hit -> RelayHit? in
            guard let conversation = archive.conversation(of: hit.room) else { return nil }
            return RelayHit(
                conversation: ConversationID(conversation), message: MessageID(hit.event),
                at: Timestamp(milliseconds: hit.time),
                sender: PersonID(hit.sender), text: String(hit.text.unicodeScalars.prefix(SyncedArchive.longestText)))
        }
        desk.respond(.found(hits, next: page.next), to: asker)
    }
}

/// What a mirror that serves Kedges does when its session has ended.
extension SyncedArchive {
    /// Waits until the user has logged in again. What was read, and what is to be sent, stays as it is; Kedge says what to type.
    func awaitLogin(_ end: MirrorEnd) throws(MirrorEnd) {
        guard goal.serves else { throw end }
        giveUpRequests()
        let reason = end.reason(for: me) ?? ""
        var isTold = false
        while !takeLogin() {
            if !isTold { report(.trouble(reason)) }
            isTold = true
            desk.note(isOnline: false, reason: reason)
            for demand in filler.takeDemands() {
                desk.respond(.failed(reason: reason, retry: nil), to: demand.asker)
            }
            outbox.postpone(because: reason)
            for (asker, response) in outbox.takeResponses() { desk.respond(response, to: asker) }
            // Who stops it hears why it was of no use.
            do throws(MirrorEnd) { try wait(reason, within: nil) } catch { throw end }
        }
        outbox.hurry()
        // The next response is wanted at once: it shows that the server is there again.
        isTroubled = true
        try disk { () throws(DiskFailure) in try filler.collect() }
        ask()
        fill()
    }

    /// - Returns: whether there is another session than the one that has ended.
    private func takeLogin() -> Bool {
        guard let new = renewed(), !new.isSame(as: server) else { return false }
        server = new
        retry.succeeded()
        return true
    }
}

/// How far people have read.
extension SyncedArchive {
    /// A Kedge wants to know, or not any more, who has read how far in a room.
    func follow(_ conversation: ConversationID, isOn: Bool, _ asker: Asker) throws(RelayRefusal) {
        let room = try room(of: conversation)
        desk.follow(room, isOn: isOn, asker.client)
        desk.respond(.done(segment: nil), to: asker)
        if isOn { desk.note(receipts(in: room, conversation), for: asker.client) }
    }

    /// Takes receipts that have come: those of others for the Kedges that want to know, those of this account for all.
    func take(_ receipts: [String: [Receipt]]) {
        guard goal.serves else { return }
        let now = pace.now()
        for (room, receipts) in receipts {
            if let own = receipts.last(where: { $0.person == me && !$0.isOfThread }) { noteRead(own.event, in: room) }
            book.take(
                receipts.filter { $0.person != me }, in: room, isFollowed: desk.isFollowed(room), now: now)
        }
        tellOfReceipts()
    }

    /// Takes events that have come: receipts may name them.
    func note(_ rooms: [RoomNews]) {
        guard goal.serves else { return }
        for news in rooms { book.note(news.lines, in: news.room) }
    }

    /// Tells and saves what is due.
    func tellOfReceipts() {
        let now = pace.now()
        for room in book.takeChanged(now: now) {
            guard let conversation = archive.conversation(of: room) else { continue }
            let news = receipts(in: room, ConversationID(conversation))
            for client in desk.followers(of: room) { desk.note(news, for: client) }
        }
        book.save(now: now)
    }

    private func receipts(in room: String, _ conversation: ConversationID) -> RelayNews {
        .receipts(
            conversation,
            book.receipts(in: room).map { receipt, message in
                RelayReceipt(
                    person: PersonID(receipt.person), message: MessageID(message),
                    at: Timestamp(milliseconds: receipt.time), thread: receipt.scope.thread)
            })
    }

    /// Tells all Kedges how far the user has read, if that is new.
    private func noteRead(_ event: String, in room: String) {
        guard ownReads[room] != event, archive.facts(room)?.fullyRead != event,
            let conversation = archive.conversation(of: room)
        else { return }
        ownReads[room] = event
        desk.note(.read(ConversationID(conversation), MessageID(event)))
    }

    /// Tells a new Kedge how far the user has read since this process began.
    func tellOwnReads(to asker: Asker) {
        for (room, event) in ownReads.sorted(by: { $0.key < $1.key }) {
            guard let conversation = archive.conversation(of: room) else { continue }
            desk.note(.read(ConversationID(conversation), MessageID(event)), for: asker.client)
        }
    }
}

extension Receipt {
    fileprivate var isOfThread: Bool { if case .thread = scope { true } else { false } }
}

/// Reactions to messages of islands.
extension SyncedArchive {
    /// Asks for the reactions to messages around one, if events are missing after them.
    func askForReactions(on page: ContextPage, around event: String, in room: String, _ segment: SegmentName) {
        guard let gaps = try? archive.gaps(in: room), gaps.contains(where: { $0.edge > segment }) else { return }
        reactions.add(Lines.messages(in: page.lines), around: event, in: room)
        askForReactions()
    }

    private func askForReactions() {
        guard let target = reactions.next() else { return }
        let request = MatrixRequest.reactions(room: target.room, event: target.event)
        _ = server.start(request) { [queue] in queue.send(.reacted($0)) }
    }

    func reacted(_ result: Result<HTTPResponse, HTTPFailure>) throws(MirrorEnd) {
        var page: EventsPage?
        if case .success(let response) = result, response.status == 200, let room = reactions.current?.room {
            archive.events.room = room
            let tree = JSONTree()
            page = response.body.withUnsafeBytes { EventsPage($0, .backward, tree: tree, events: archive.events) }
        }
        guard let target = reactions.end(isFailure: page == nil), let page else { return }
        do throws(DiskFailure) {
            try archive.add(reactions: page.lines, to: target.event, in: target.room)
        } catch {
            // Those of other rooms may be written.
            if error.stopsAll { return try reopen(error) }
        }
        askForReactions()
    }
}
