import Interface
import Messages
import Synchronization
import Threads

/// Asks the store for what an open sheet wants to know.
final class SheetQuestions: Sendable {
    private let store: any MessageStore
    private let mailbox: Mailbox
    /// The questions that may not have all their replies yet.
    private let running = Mutex<[Task<Void, Never>]>([])

    /// The messages of a page that is read for their senders alone.
    private static let pageSize = 500

    init(store: any MessageStore, mailbox: Mailbox) {
        self.store = store
        self.mailbox = mailbox
    }

    /// - Parameter sheet: the number of the sheet that gets the reply.
    func ask(_ question: SheetQuestion, for sheet: Int) {
        let task = Task.detached(executorPreference: WorkThread.tasks) { [self] in await reply(to: question, sheet) }
        running.withLock { $0.append(task) }
    }

    /// The sheet is closed.
    func stop() {
        running.withLock { running in
            for task in running { task.cancel() }
            running = []
        }
    }

    private func reply(to question: SheetQuestion, _ sheet: Int) async {
        /// - Parameter rest: asks for what has not come yet, after a failure.
        func tell(_ answer: SheetAnswer, rest: SheetQuestion? = nil) {
            mailbox.post(.sheet(sheet, answer))
            if let error = answer.error { mailbox.post(.sheetFailed(sheet, rest ?? question, error)) }
        }
        switch question {
        case .page(let request): tell(.page(await store.answer(request)))
        case .messages(let wanted):
            for (id, messages) in wanted {
                tell(
                    .messages(id, await result { () throws(StoreError) in try await store.messages(messages, in: id) }))
            }
        case .message(let id, let conversation):
            tell(.message(await result { () throws(StoreError) in try await store.message(id, in: conversation) }))
        case .versions(let id, let conversation):
            tell(
                .versions(await result { () throws(StoreError) in try await store.versions(of: id, in: conversation) }))
        case .own(let kind, let me, let read, let known):
            let (failure, seen) = await OwnPlaces(store: store, me: me, read: read).find(kind, besides: known) {
                tell(.own($0))
            }
            tell(.ownEnd(failure), rest: .own(kind, me, read, seen: seen))
        case .members(let id):
            tell(.members(await result { () throws(StoreError) in try await store.members(of: id) }))
        case .writers(let id, let position):
            await findWriters(in: id, from: position) { tell(.writers($0), rest: .writers(id, from: $1)) }
        }
    }

    private func result<Value>(
        _ body: () async throws(StoreError) -> Value
    ) async -> Result<Value, StoreError> {
        do throws(StoreError) { return .success(try await body()) } catch { return .failure(error) }
    }

    /// Reads the conversation backwards page by page, and tells of each person when the first message is found, and of the place
    /// that it has come to.
    private func findWriters(
        in id: ConversationID, from start: PageRequest.Position,
        _ tell: (Result<Writers, StoreError>, PageRequest.Position) -> Void
    ) async {
        var known: Set<PersonID> = []
        var position = start
        var walk = PageWalk()
        while !Task.isCancelled {
            switch await store.answer(PageRequest(conversation: id, position: position, limit: SheetQuestions.pageSize))
            {
            case .failure(let error): return tell(.failure(error), position)
            case .success(let page):
                let new = page.messages.reversed().compactMap { message in
                    message.sender.flatMap { known.insert($0.id).inserted ? ($0, message.at) : nil }
                }
                guard let next = walk.next(beyond: page.older, isNewer: false) else {
                    return tell(.success(Writers(people: new, isLast: true)), position)
                }
                if !new.isEmpty { tell(.success(Writers(people: new, isLast: false)), position) }
                position = next.position
            }
        }
    }
}
