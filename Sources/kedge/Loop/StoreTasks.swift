import Files
import Interface
import Messages
import Search
import Settings
import Threads

/// Asks the store. Each result is an event in the mailbox; nothing here waits.
final class StoreTasks {
    private let store: any MessageStore
    private let mailbox: Mailbox
    private let drafts: DraftKeeper
    /// The requests whose replies may not all have come. Each stream but the sheet's has one request: a new one replaces it.
    private var running: [Interface.Stream: [Task<Void, Never>]] = [:]
    private var watching: Task<Void, Never>?
    private var arriving: Task<Void, Never>?
    private var listed: Task<Void, Never>?
    private var preparing: Task<Void, Never>?
    /// The last task that reads a range.
    private var last: (task: UserTask, reader: KnownPages)?
    /// The conversation that `changes` watches.
    private let watched = Monitor<ConversationID?>(nil)
    private let start = Timestamp.now

    init(store: any MessageStore, drafts: DraftKeeper, mailbox: Mailbox) {
        self.store = store
        self.drafts = drafts
        self.mailbox = mailbox
    }

    // MARK: - Requests

    /// - Parameter promptly: true if the first frame waits for it.
    func ask(_ request: Request, _ ticket: Ticket, promptly: Bool = false) {
        var answers = StoreAnswers(store: store, drafts: drafts, mailbox: mailbox, ticket: ticket)
        if case .task(let task) = ticket { answers.pages = reader(for: task) }
        let stream = Interface.Stream(ticket)
        if let stream, stream != .sheet { stop(stream) }
        let task =
            promptly
            ? Task.detached(executorPreference: PromptTasks.shared) { [answers] in await answers.answer(request) }
            : Task.detached(executorPreference: WorkThread.tasks) { [answers] in await answers.answer(request) }
        if let stream { running[stream, default: []].append(task) }
    }

    func stop(_ stream: Interface.Stream) {
        for task in running.removeValue(forKey: stream) ?? [] { task.cancel() }
    }

    /// The reader of a task. A task that is tried again keeps its reader, which has the pages of the last try.
    private func reader(for task: UserTask) -> KnownPages? {
        switch task {
        case .open, .mark: return nil
        case .copy, .write: break
        }
        if let last, last.task == task { return last.reader }
        let reader = KnownPages(store)
        last = (task, reader)
        return reader
    }

    func noteRead(_ message: MessageID, in id: ConversationID) {
        Task.detached(executorPreference: WorkThread.tasks) { [store] in await store.noteRead(message, in: id) }
    }

    func noteTyping(by person: PersonID?, in id: ConversationID) {
        Task.detached(executorPreference: WorkThread.tasks) { [store] in await store.noteTyping(by: person, in: id) }
    }

    // MARK: - Changes

    /// The store begins to build its index with this call. Before the first frame that would take processor time from the
    /// frame.
    func watchPreparation() {
        preparing = forward(store.preparation(), in: preparing, as: { .news(.preparing($0)) })
    }

    func watch(_ id: ConversationID, since: Messages.Cursor?) {
        watched.withLock { $0 = id }
        watching = forward(store.changes(in: id, since: since), in: watching, as: { .changed(id, $0) })
    }

    /// Applies what the user reads in other clients of the same account.
    func followServerReads(keeping marks: ReadMarks) {
        let reads = ServerReads(store: store, marks: marks, mailbox: mailbox)
        Task.detached(executorPreference: WorkThread.tasks) { await reads.follow() }
    }

    /// Forwards the messages that come into any conversation. When the archive is opened for the first time, everything
    /// in it counts as read: the ends of all conversations are recorded before, and the messages there are looked up at
    /// the same time.
    func watchArrivals(isFirstOpening: Bool, keeping marks: ReadMarks) {
        let arrivals = store.arrivals(besides: { [watched] in watched.withLock(\.self) == $0 })
        arriving = forward(arrivals, in: arriving, as: { .arrived($0) }) { [store, start, mailbox] in
            guard isFirstOpening else { return }
            do throws(StoreError) {
                let ends = try await store.ends(at: start)
                Task.detached(executorPreference: WorkThread.tasks) {
                    let last = await store.lastMessages(before: ends)
                    mailbox.post(.news(.baseline(await marks.keep(baseline: last))))
                }
            } catch {
                mailbox.post(.trouble("could not save your read position: \(error)"))
            }
        }
    }

    /// Reports each change of the list of conversations on the server.
    func watchList() {
        listed = forward(store.listChanges(), in: listed, as: { _ in .news(.listChanged) }) { [store, mailbox] in
            // Invitations that come later are new.
            mailbox.post(.news(.invitations(await store.invitations())))
        }
    }

    // MARK: - Tasks

    /// Turns the elements of a stream into events. An earlier stream of the same kind is stopped.
    /// - Parameter prepare: runs before the stream begins.
    private func forward<Element: Sendable>(
        _ stream: AsyncStream<Element>, in earlier: Task<Void, Never>?,
        as event: @escaping @Sendable (Element) -> Event, after prepare: @escaping @Sendable () async -> Void = {}
    ) -> Task<Void, Never> {
        earlier?.cancel()
        return Task.detached(executorPreference: WorkThread.tasks) { [mailbox] in
            await prepare()
            for await element in stream { mailbox.post(event(element)) }
        }
    }
}

extension Interface.Stream {
    fileprivate init?(_ ticket: Ticket) {
        switch ticket {
        case .places: self = .places
        case .search: self = .search
        case .conversations: self = .conversations
        case .sheet: self = .sheet
        default: return nil
        }
    }
}

/// Answers a request from the store.
private struct StoreAnswers: Sendable {
    let store: any MessageStore
    let drafts: DraftKeeper
    let mailbox: Mailbox
    let ticket: Ticket
    /// Reads a range.
    var pages: KnownPages?

    /// The number of messages in a page that is read for its senders alone.
    private static let writersPage = 500
    /// The number of messages in a page that is read for a hit alone.
    private static let threadPage = 200
    /// The number of summaries to read at once: few, so that pages need not wait for all of them.
    private static let summariesAtOnce = 64

    func answer(_ request: Request) async {
        switch request {
        case .page(let request):
            if case .list(let list) = ticket, let reply = list.reply {
                tell(.page(await page(at: reply, request)))
            } else {
                tell(.page(await store.answer(request)))
            }
        case .place(let cursor, let ids, let id):
            tell(
                .place(
                    await result(
                        (
                            try await store.place(of: cursor, in: id),
                            ids.isEmpty ? [] : try await store.messages(ids, in: id)
                        ))))
        case .places(let query, let id):
            for await batch in store.places(of: query, in: id) { tell(.places(batch)) }
            if !Task.isCancelled { tell(.end()) }
        case .search(let request):
            for await batch in store.search(request) { tell(.hits(batch)) }
            if !Task.isCancelled { tell(.end()) }
        case .conversations(let summaries, let read): await list(summaries: summaries, read)
        case .summary(let conversation, let read):
            let results = await store.summaries(of: [conversation], since: read, for: store.me, withNewest: true)
            tell(.summary(results.first ?? .failure(.noSuchConversation(conversation.id, nearest: []))))
        case .messages(let wanted):
            for (id, messages) in wanted {
                tell(.messages(id, await result(try await store.messages(messages, in: id))))
            }
        case .message(let id, let conversation):
            tell(.message(await result(try await store.message(id, in: conversation))))
        case .versions(let id, let conversation):
            tell(.versions(await result(try await store.versions(of: id, in: conversation))))
        case .members(let id):
            tell(.members(await result(try await store.members(of: id))))
        case .writers(let id, let position): await findWriters(in: id, from: position)
        case .own(let kind, let me, let read, let known):
            let (failure, seen) = await OwnPlaces(store: store, me: me, read: read).find(kind, besides: known) {
                tell(.own($0))
            }
            tell(.end(failure), rest: .own(kind, me, read, seen: seen))
        case .obstacle(let id): tell(.obstacle(await store.obstacle(in: id)))
        case .missing(let ids, let id):
            // When the store cannot tell, no message counts as missing.
            let messages = try? await store.messages(ids, in: id)
            let here = messages?.lazy.filter { !$0.isDeleted }.map(\.id)
            tell(.missing(here.map { ids.subtracting($0) } ?? []))
        case .problems: tell(.problems(await store.problems()))
        case .make(let title):
            tell(.conversation(await result(try await store.makeConversation(titled: title))))
        case .join(let address):
            tell(.conversation(await result(try await store.join(address))))
        case .decline(let invitation):
            tell(.done(await result(try await store.decline(invitation))))
        case .leave(let conversation):
            tell(.done(await result(try await store.leave(conversation.id))))
        case .file(let file): await find(file)
        case .copy(let range):
            if let pages { tell(.range(await RangeWriter(store: pages).copy(range))) }
        case .write(let range, let file, let replaces):
            if let pages { tell(.range(await RangeWriter(store: pages).write(range, to: file, replaces: replaces))) }
        case .send(let post, let id, let isRetry):
            // The draft is on the disk first: if the program is killed then, the post can be sent again.
            await drafts.settled()
            tell(.done(await result(try await store.send(post, to: id, isRetry: isRetry))))
        // The event loop loads pictures, since it must ask the terminal how it shows them.
        case .picture: break
        }
    }

    /// - Parameter rest: asks for what has not come yet, after a failure.
    private func tell(_ reply: Reply, rest: Request? = nil) {
        if let rest, case .sheet(let number, _) = ticket {
            mailbox.post(.reply(.sheet(number, rest: rest), reply))
        } else {
            mailbox.post(.reply(ticket, reply))
        }
    }

    private func result<Value>(
        _ body: @autoclosure () async throws(StoreError) -> Value
    ) async -> Result<Value, StoreError> {
        do throws(StoreError) { return .success(try await body()) } catch { return .failure(error) }
    }

    /// The page around a hit in a thread. The thread is read from its end until the hit is found; if it is gone, the newest replies are
    /// the result.
    private func page(at reply: ListRequest.Reply, _ request: PageRequest) async -> Result<Page, StoreError> {
        var walk = PageWalk()
        var position = PageRequest.Position.latest
        var newer = 0
        while true {
            let part = PageRequest(
                conversation: request.conversation, thread: request.thread, position: position,
                limit: StoreAnswers.threadPage)
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

    private func list(summaries: Bool, _ read: ReadStates) async {
        do throws(StoreError) {
            let conversations = try await store.conversations()
            mailbox.post(.news(.invitations(await store.invitations())))
            tell(.conversations(.success(conversations)))
            for start in stride(from: 0, to: summaries ? conversations.count : 0, by: StoreAnswers.summariesAtOnce) {
                if Task.isCancelled { return }
                let some = conversations[start..<min(conversations.count, start + StoreAnswers.summariesAtOnce)]
                let results = await store.summaries(of: Array(some), since: read, for: store.me, withNewest: true)
                for result in results { tell(.summary(result)) }
            }
            if summaries { tell(.end()) }
        } catch {
            tell(.conversations(.failure(error)))
        }
    }

    private func find(_ file: MessageFile) async {
        do throws(StoreError) {
            let path = try await store.location(of: file) { tell(.file(.coming(received: $0))) }
            // By its own name: a link may have that of another file.
            let real = ArchiveLocation.realPath(path)
            let isExecutable = (try? Disk.existing(real)).map { $0.permissions & 0o111 != 0 } ?? true
            tell(.file(.here(path: real, isExecutable: isExecutable)))
        } catch {
            tell(.file(.failed(error)))
        }
    }

    /// Reads the conversation backwards page by page, and reports each person when the first message is found. An error is reported
    /// with the place from which to continue.
    private func findWriters(in id: ConversationID, from start: PageRequest.Position) async {
        var known: Set<PersonID> = []
        var position = start
        var walk = PageWalk()
        while !Task.isCancelled {
            let request = PageRequest(conversation: id, position: position, limit: StoreAnswers.writersPage)
            switch await store.answer(request) {
            case .failure(let error):
                return tell(.writers(.failure(error)), rest: .writers(id, from: position))
            case .success(let page):
                let new = page.messages.reversed().compactMap { message in
                    message.sender.flatMap { known.insert($0.id).inserted ? ($0, message.at) : nil }
                }
                guard let next = walk.next(beyond: page.older, isNewer: false) else {
                    return tell(.writers(.success(Writers(people: new, isLast: true))))
                }
                if !new.isEmpty { tell(.writers(.success(Writers(people: new, isLast: false)))) }
                position = next.position
            }
        }
    }
}
