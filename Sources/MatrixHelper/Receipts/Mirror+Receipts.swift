internal import Matrix
internal import Messages
internal import Relay

/// How far people have read.
extension Mirror {
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
