internal import Helper
internal import Matrix
internal import Messages
internal import Relay

/// The read positions of people, and those who are typing.
final class Receipts: Handler {
    private let context: SyncContext
    private let book: ReceiptBook
    /// The events up to which this account has read, by the receipts since the start of this process.
    private var ownReads: [String: String] = [:]

    init(_ context: SyncContext) {
        self.context = context
        book = ReceiptBook(path: context.archive.path + "/matrix/receipts.json")
    }

    var due: ContinuousClock.Instant? { book.due }

    /// Sends and saves the receipts that are due.
    func resume(_ now: ContinuousClock.Instant) {
        for room in book.takeChanged(now: now) {
            guard let conversation = context.conversation(of: room) else { continue }
            let news = RelayNews.receipts(conversation, book.receipts(in: room))
            for client in context.desk.followers(of: room) { context.desk.note(news, for: client) }
        }
        book.save(now: now)
    }

    /// Saves what was not saved yet.
    func end() { book.save(now: context.pace.now(), isEnd: true) }

    /// Handles new receipts: those of others for the Kedges that follow them, those of this account for all.
    func take(_ news: SyncNews) {
        let me = PersonID(context.me)
        for (room, people) in news.typing {
            guard let conversation = context.conversation(of: room) else { continue }
            context.desk.note(.typing(conversation, people: people.map { PersonID($0) }.filter { $0 != me }))
        }
        for facts in news.read {
            guard let event = facts.fullyRead, let conversation = context.conversation(of: facts.room) else { continue }
            context.desk.note(.read(conversation, MessageID(event)))
        }
        guard context.goal.serves else { return }
        let now = context.pace.now()
        // Receipts may name the events that have come with them.
        for room in news.rooms { book.note(room.lines, in: room.room) }
        for (room, receipts) in news.receipts {
            let (own, others) = (receipts.filter { $0.person == me }, receipts.filter { $0.person != me })
            if let read = own.last(where: { $0.scope == .all || $0.scope == .mainTimeline }) {
                noteRead(read.message.rawValue, in: room)
            }
            book.take(others, in: room, isFollowed: context.desk.isFollowed(room), now: now)
        }
    }

    /// Reports to all Kedges how far the user has read, if that has changed.
    private func noteRead(_ event: String, in room: String) {
        guard ownReads[room] != event, context.archive.facts(room)?.fullyRead != event,
            let conversation = context.conversation(of: room)
        else { return }
        ownReads[room] = event
        context.desk.note(.read(conversation, MessageID(event)))
    }

    /// Reports to a new Kedge how far the user has read since this process began.
    func tellOwnReads(to asker: Asker) {
        for (room, event) in ownReads.sorted(by: { $0.key < $1.key }) {
            guard let conversation = context.conversation(of: room) else { continue }
            context.desk.note(.read(conversation, MessageID(event)), for: asker.client)
        }
    }

    /// Begins or ends reports to a Kedge of the read positions in a room.
    func follow(_ conversation: ConversationID, isOn: Bool, _ promise: Promise<RelayDone>) throws(RelayError) {
        let room = try context.room(of: conversation)
        context.desk.follow(room, isOn: isOn, promise.asker.client)
        context.respond(RelayDone(), to: promise)
        if isOn { context.desk.note(.receipts(conversation, book.receipts(in: room)), for: promise.asker.client) }
    }
}
