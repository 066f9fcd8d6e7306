internal import Messages
internal import Relay
internal import Threads

/// Turns receipts into readers, with the names of people and the places of messages. Only the newest receipts are
/// looked up, one set after another, and only changes are reported.
final class ReaderNews: Sendable {
    private let newest = Monitor<[Receipt]>([])
    /// Wakes the loop that looks receipts up.
    private let signal: AsyncStream<Void>.Continuation
    private let task: Task<Void, Never>

    /// - Parameter tell: receives all readers.
    init(
        _ archive: any MessageStore, _ conversation: ConversationID, _ thread: SerialThread,
        _ tell: @escaping @Sendable ([Reader]) -> Void
    ) {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.signal = signal
        task = Task(executorPreference: thread) { [newest] in
            var told: [Reader] = []
            for await _ in signals {
                let receipts = newest.withLock { $0 }
                let readers = await ReaderNews.readers(of: receipts, in: conversation, archive)
                if readers != told { tell(readers) }
                told = readers
            }
        }
    }

    func take(_ receipts: [Receipt]) {
        newest.withLock { $0 = receipts }
        signal.yield()
    }

    /// Looks the receipts up again, because the archive knows more than before.
    func lookAgain() { signal.yield() }

    func stop() {
        signal.finish()
        task.cancel()
    }

    private static func readers(
        of receipts: [Receipt], in conversation: ConversationID, _ archive: any MessageStore
    ) async -> [Reader] {
        guard !receipts.isEmpty else { return [] }
        let members = (try? await archive.conversation(conversation))?.members ?? []
        let known = (try? await archive.messages(Set(receipts.map(\.message)), in: conversation)) ?? []
        var places: [MessageID: Int] = [:]
        for message in known where message.isMain {
            places[message.id] = (try? await archive.place(of: message.cursor, in: conversation))?.index
        }
        return receipts.map { receipt in
            Reader(
                members.person(receipt.person), upTo: receipt.message, receipt.scope, index: places[receipt.message])
        }
    }
}

extension [Person] {
    /// The member with this ID; for anybody else, a person whose name is the ID.
    func person(_ id: PersonID) -> Person { first { $0.id == id } ?? Person(id: id, name: id.rawValue) }
}
