internal import Formats
internal import Matrix
internal import Messages
internal import Relay

/// Requests of Kedge.
extension Mirror {
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
            if bytes > Mirror.mostOfMembers { break }
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
