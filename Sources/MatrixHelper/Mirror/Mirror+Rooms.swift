internal import Formats
internal import Matrix
internal import Messages
internal import Relay

/// Rooms that are joined, spaces, and invitations.
extension Mirror {
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
