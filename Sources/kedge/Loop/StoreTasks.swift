import Glibc
import Interface
import Messages
import Search
import Settings
import Synchronization
import Threads

/// Asks the store. Each result is an event in the mailbox; nothing here waits.
final class StoreTasks {
    private let store: any MessageStore
    private let mailbox: Mailbox
    // At most one task of each kind: a new one takes the place of the one before.
    private var search: Task<Void, Never>?
    private var collecting: Task<Void, Never>?
    private var watching: Task<Void, Never>?
    private var arriving: Task<Void, Never>?
    private var listing: Task<Void, Never>?
    private var listed: Task<Void, Never>?
    private var preparing: Task<Void, Never>?
    /// The last task that reads a range.
    private var last: (task: UserTask, reader: KnownPages)?
    private let watched = Watched()
    private let start = Timestamp.now

    init(store: any MessageStore, mailbox: Mailbox) {
        self.store = store
        self.mailbox = mailbox
    }

    /// The store begins to build its index with this call. Before the first frame that would take processor time from the
    /// frame.
    func watchPreparation() {
        preparing = forward(store.preparation(), in: preparing, as: { .preparing($0) })
    }

    // MARK: - Pages

    /// - Parameter promptly: whether the first frame waits for it.
    func load(_ list: ListRequest, _ request: PageRequest, promptly: Bool = false) {
        ask(promptly: promptly) { [store] in
            guard let reply = list.reply else { return .list(list, await store.answer(request)) }
            return .list(list, await StoreTasks.page(at: reply, request, in: store))
        }
    }

    /// The page around a hit in a thread. The thread is read from its end until the hit is found; if it is gone, the newest replies are
    /// the result.
    private static func page(
        at reply: ListRequest.Reply, _ request: PageRequest, in store: any MessageStore
    ) async -> Result<Page, StoreError> {
        var walk = PageWalk()
        var position = PageRequest.Position.latest
        var newer = 0
        while true {
            let part = PageRequest(
                conversation: request.conversation, thread: request.thread, position: position,
                limit: StoreTasks.threadPage)
            switch await store.answer(part) {
            case .failure(let error): return .failure(error)
            case .success(let page):
                let found = reply.find(in: page.messages, after: &newer).map { PageRequest.Position.message($0) }
                guard found == nil, let next = walk.next(beyond: page.older, isNewer: false) else {
                    return await store.answer(
                        PageRequest(
                            conversation: request.conversation, thread: request.thread, position: found ?? .latest,
                            limit: request.limit, since: request.since, threads: request.threads))
                }
                position = next.position
            }
        }
    }

    /// The messages of a page that is read for a hit alone.
    private static let threadPage = 200

    func load(_ ticket: PageTicket, _ request: PageRequest) {
        ask { [store] in .page(ticket, await store.answer(request)) }
    }

    func loadPreview(_ request: PageRequest, epoch: Int) {
        ask { [store] in .preview(epoch: epoch, await store.answer(request)) }
    }

    func loadEnd(_ request: PageRequest, for mark: ReadMark) {
        ask { [store] in .end(mark, request, await store.answer(request)) }
    }

    // MARK: - Searches

    func collectPlaces(of query: ResolvedQuery, in conversation: ConversationID, epoch: Int) {
        collecting = forward(
            store.places(of: query, in: conversation), in: collecting, as: { .places(epoch: epoch, $0) },
            end: .placesEnd(epoch: epoch))
    }

    func stopCollecting() { collecting?.cancel() }

    func search(_ request: SearchRequest, epoch: Int) {
        search = forward(
            store.search(request), in: search, as: { .found(epoch: epoch, $0) }, end: .foundEnd(epoch: epoch))
    }

    func stopSearching() { search?.cancel() }

    // MARK: - Ranges and single messages

    func copy(_ range: MarkedRange) {
        let store = reader(for: .copy(range))
        ask { .range(.copy(range), await RangeWriter(store: store).copy(range)) }
    }

    func write(_ range: MarkedRange, to file: String, replaces: Bool) {
        let task = UserTask.write(range, file: file, replaces: replaces)
        let store = reader(for: task)
        ask { .range(task, await RangeWriter(store: store).write(range, to: file, replaces: replaces)) }
    }

    /// The reader of a task. One that is tried again has the pages of the last try.
    private func reader(for task: UserTask) -> KnownPages {
        if let last, last.task == task { return last.reader }
        let reader = KnownPages(store)
        last = (task, reader)
        return reader
    }

    /// When the store cannot tell, no message counts as missing.
    func findMissing(_ ids: Set<MessageID>, in id: ConversationID) {
        ask { [store] in
            guard let messages = try? await store.messages(ids, in: id) else { return .missing(id, []) }
            return .missing(id, ids.subtracting(messages.lazy.filter { !$0.isDeleted }.map(\.id)))
        }
    }

    func locate(
        _ first: MessageID, _ cursor: Messages.Cursor, _ ids: Set<MessageID>, in id: ConversationID
    ) {
        ask { [store] in
            do throws(StoreError) {
                let place = try await store.place(of: cursor, in: id)
                let messages = ids.isEmpty ? [] : try await store.messages(ids, in: id)
                return .located(id, first, place, messages)
            } catch {
                return .notLocated(id, error)
            }
        }
    }

    func reportProblems() { ask { [store] in .problems(await store.problems()) } }

    func askForMembers(of id: ConversationID) {
        ask { [store] in
            do throws(StoreError) {
                return .members(id, .success(try await store.members(of: id)))
            } catch {
                return .members(id, .failure(error))
            }
        }
    }

    func askForObstacle(in id: ConversationID) { ask { [store] in .obstacle(id, await store.obstacle(in: id)) } }

    /// Sends a post after its draft is on the disk: if the program is killed then, it can be sent again.
    func send(_ post: Post, to id: ConversationID, isRetry: Bool, after drafts: DraftKeeper) {
        ask { [store] in
            await drafts.settled()
            do throws(StoreError) {
                try await store.send(post, to: id, isRetry: isRetry)
                return .sent(id, post.id, .success(()))
            } catch {
                return .sent(id, post.id, .failure(error))
            }
        }
    }

    func find(_ file: MessageFile) {
        ask { [store, mailbox] in
            do throws(StoreError) {
                let path = try await store.location(of: file) { mailbox.post(.file(file, .coming(received: $0))) }
                // By its own name: a link may have that of another file.
                let real = ArchiveLocation.realPath(path)
                var status = stat()
                let isExecutable = stat(real, &status) != 0 || status.st_mode & 0o111 != 0
                return .file(file, .here(path: real, isExecutable: isExecutable))
            } catch {
                return .file(file, .failed(error))
            }
        }
    }

    func noteRead(_ message: MessageID, in id: ConversationID) {
        Task.detached(executorPreference: WorkThread.tasks) { [store] in await store.noteRead(message, in: id) }
    }

    func noteTyping(by person: PersonID?, in id: ConversationID) {
        Task.detached(executorPreference: WorkThread.tasks) { [store] in await store.noteTyping(by: person, in: id) }
    }

    // MARK: - Changes

    func watch(_ id: ConversationID, since: Messages.Cursor?) {
        watched.id.withLock { $0 = id }
        watching = forward(store.changes(in: id, since: since), in: watching, as: { .changed(id, $0) })
    }

    /// Takes over what the user reads in other clients of the same account.
    func followServerReads(keeping marks: ReadMarks) {
        let reads = ServerReads(store: store, marks: marks, mailbox: mailbox)
        Task.detached(executorPreference: WorkThread.tasks) { await reads.follow() }
    }

    /// Forwards the messages that come into any conversation. When the archive is opened for the first time, everything that
    /// it holds counts as read: the ends of all conversations are noted before, and the messages at those ends are looked up
    /// at the same time.
    func watchArrivals(isFirstOpening: Bool, keeping marks: ReadMarks) {
        let arrivals = store.arrivals(besides: { [watched] in watched.id.withLock(\.self) == $0 })
        arriving = forward(arrivals, in: arriving, as: { .arrived($0) }) { [store, start, mailbox] in
            guard isFirstOpening else { return }
            do throws(StoreError) {
                let ends = try await store.ends(at: start)
                Task.detached(executorPreference: WorkThread.tasks) {
                    let last = await store.lastMessages(before: ends)
                    mailbox.post(.baseline(await marks.keep(baseline: last)))
                }
            } catch {
                mailbox.post(.trouble("cannot note what you have read: \(error)"))
            }
        }
    }

    // MARK: - Conversations

    func makeConversation(titled title: String) {
        ask { [store] in
            do throws(StoreError) {
                return .made(.success(try await store.makeConversation(titled: title)))
            } catch {
                return .made(.failure(error))
            }
        }
    }

    /// Tells of each change of the list of conversations on the server.
    func watchList() {
        listed = forward(store.listChanges(), in: listed, as: { _ in .listChanged }) { [store, mailbox] in
            // Those that come later are new.
            mailbox.post(.invitations(await store.invitations()))
        }
    }

    func join(_ address: String) {
        ask { [store] in
            .joined(address, await StoreTasks.result { () async throws(StoreError) in try await store.join(address) })
        }
    }

    func decline(_ invitation: Invitation) {
        ask { [store] in
            .declined(
                invitation,
                await StoreTasks.result { () async throws(StoreError) in try await store.decline(invitation) })
        }
    }

    func leave(_ conversation: Conversation) {
        ask { [store] in
            .left(
                conversation,
                await StoreTasks.result { () async throws(StoreError) in try await store.leave(conversation.id) })
        }
    }

    private static func result<Value: Sendable>(
        _ body: @Sendable () async throws(StoreError) -> Value
    ) async -> Result<Value, StoreError> {
        do throws(StoreError) { return .success(try await body()) } catch { return .failure(error) }
    }

    func countUnread(in conversation: Conversation, since read: ReadStates) {
        ask { [store] in
            let results = await store.summaries(of: [conversation], since: read, for: store.me, withNewest: true)
            return .counted(results.first ?? .failure(.noSuchConversation(conversation.id, nearest: [])))
        }
    }

    private static let summariesAtOnce = 64

    func loadConversations(summaries: Bool, _ read: ReadStates) {
        listing?.cancel()
        listing = Task.detached(executorPreference: WorkThread.tasks) { [mailbox, store] in
            do throws(StoreError) {
                let conversations = try await store.conversations()
                mailbox.post(.invitations(await store.invitations()))
                mailbox.post(.conversations(.success(conversations)))
                // A few at a time, so that pages do not have to wait for all of them.
                for start in stride(from: 0, to: summaries ? conversations.count : 0, by: StoreTasks.summariesAtOnce) {
                    if Task.isCancelled { return }
                    let some = conversations[start..<min(conversations.count, start + StoreTasks.summariesAtOnce)]
                    let results = await store.summaries(of: Array(some), since: read, for: store.me, withNewest: true)
                    for result in results { mailbox.post(.summary(result)) }
                }
                if summaries { mailbox.post(.summariesEnd) }
            } catch {
                mailbox.post(.conversations(.failure(error)))
            }
        }
    }

    func stopLoadingConversations() { listing?.cancel() }

    // MARK: - Tasks

    private func ask(promptly: Bool = false, _ question: @escaping @Sendable () async -> Event) {
        let mailbox = mailbox
        if promptly {
            Task.detached(executorPreference: PromptTasks.shared) { mailbox.post(await question()) }
        } else {
            Task.detached(executorPreference: WorkThread.tasks) { mailbox.post(await question()) }
        }
    }

    /// Turns the elements of a stream into events. An earlier stream of the same kind is stopped.
    /// - Parameter prepare: runs before the stream begins.
    private func forward<Element: Sendable>(
        _ stream: AsyncStream<Element>, in earlier: Task<Void, Never>?,
        as event: @escaping @Sendable (Element) -> Event, end: Event? = nil,
        after prepare: @escaping @Sendable () async -> Void = {}
    ) -> Task<Void, Never> {
        earlier?.cancel()
        return Task.detached(executorPreference: WorkThread.tasks) { [mailbox] in
            await prepare()
            for await element in stream { mailbox.post(event(element)) }
            if let end, !Task.isCancelled { mailbox.post(end) }
        }
    }
}

/// The conversation that `changes` watches.
private final class Watched: Sendable {
    let id = Mutex<ConversationID?>(nil)
}

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
