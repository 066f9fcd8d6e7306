internal import Formats
internal import Helper
internal import JSON
internal import Matrix
internal import Messages
internal import Relay

/// Joins rooms, lists their members, and declines invitations.
final class Rooms: Handler {
    /// The most bytes of members in a response: Kedge accepts no line that is much longer.
    private static let mostOfMembers = 900_000

    private let context: SyncContext
    /// The requests of Kedge that wait for a room that was joined, by its ID.
    private var joining: [String: [Promise<ConversationID?>]] = [:]
    /// The number of changes of the list of rooms at the last report.
    private var told = 0

    init(_ context: SyncContext) { self.context = context }

    /// Reports a change of the list of rooms to all Kedges, and the arrival of a room to the clients that wait for it.
    func resume(_ now: ContinuousClock.Instant) {
        guard context.archive.list.changes != told else { return }
        told = context.archive.list.changes
        respondToJoined()
        context.desk.note(.rooms)
    }

    // MARK: - Joining

    /// Joins a room. The response comes when its conversation is in the archive.
    func join(_ text: String, for promise: Promise<ConversationID?>) throws(RelayError) {
        guard let address = RoomAddress(text) else { throw RelayError("\(text): not the address of a room") }
        if let conversation = joined(address.room) { return context.respond(conversation, to: promise) }
        let read = { (body: UnsafeRawBufferPointer) -> String? in
            let tree = JSONTree()
            defer { withExtendedLifetime(tree) {} }
            return tree.parse(body)?["room_id"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        }
        context.ask(.join(address), for: promise.asker, read) { [self] room in
            joining[room, default: []].append(promise)
            respondToJoined()
        }
    }

    /// The conversation of a room of which this account is a member.
    private func joined(_ room: String) -> ConversationID? {
        context.archive.facts(room)?.hasLeft == false ? context.conversation(of: room) : nil
    }

    /// Responds to the requests whose rooms have come.
    private func respondToJoined() {
        for (room, promises) in joining {
            let conversation = joined(room)
            guard conversation != nil || context.archive.list.spaces[room] != nil else { continue }
            joining[room] = nil
            for promise in promises { context.respond(conversation, to: promise) }
        }
    }

    func decline(_ room: String, for promise: Promise<RelayDone>) throws(RelayError) {
        guard context.archive.list.invitations.holds(room) else {
            throw RelayError("this invitation is no longer there")
        }
        context.ask(.leave(room), for: promise)
    }

    // MARK: - Members

    func listMembers(of room: String, for promise: Promise<[Person]>) {
        context.ask(.members(room), for: promise.asker, { MatrixRequest.members($0) }) { [context] people in
            var (some, bytes): ([Person], Int) = ([], 0)
            for person in people {
                let person = Person(id: PersonID(person.id), name: person.name)
                bytes += person.relayed.text.utf8.count + 1
                if bytes > Rooms.mostOfMembers { break }
                some.append(person)
            }
            context.respond(some, to: promise)
        }
    }
}
