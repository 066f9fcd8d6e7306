import Messages
import Search

@testable import Interface

/// A store in memory that responds at once, completely and in order.
struct FakeStore {
    var talks: [(conversation: Conversation, messages: [Message])]
    /// The reader, whose own messages are never new.
    var me: PersonID?
    /// The most units of a page; nil for as many as are asked for.
    var mostUnits: Int?
    /// The number of hits in a batch.
    var batch = 7
    /// Whether it has read everything, and so knows the places of messages.
    var knowsPlaces = true

    /// The indices of messages before which others are missing; 0 if the conversation does not begin with the first one.
    var gaps: Set<Int> = []
    /// The indices of messages that are not here.
    var missing: Set<Int> = []
    /// Whether a request from a gap may bring what is missing.
    var fillsGaps = false

    /// The bookmarks on the disk.
    var bookmarks: [Bookmark] = []
    var muted: Set<ConversationID> = []
    var invitations: [Invitation] = []
    /// The messages that concern the user.
    var own: [OwnPlaces.Kind: [OwnPlace]] = [:]
    /// The earlier texts of messages.
    var versions: [MessageID: [MessageVersion]] = [:]

    /// Includes replies in threads.
    private func all(_ id: ConversationID) -> [Message] {
        talks.first { $0.conversation.id == id }?.messages ?? []
    }

    private func talk(_ id: ConversationID) -> Conversation? {
        talks.first { $0.conversation.id == id }?.conversation
    }

    /// The main timeline or a thread, with cursors that contain the place in it.
    private func messages(_ id: ConversationID, thread: MessageID? = nil) -> [Message] {
        let all = all(id)
        guard all.contains(where: { $0.thread != nil }) else { return thread == nil ? all : [] }
        let replies = Dictionary(grouping: all.filter { $0.thread != nil }) { $0.thread }
        return all.filter { thread == nil ? $0.isMain : $0.thread == thread }.enumerated().map { index, message in
            FakeStore.whole(message, at: index, replies[message.id] ?? [])
        }
    }

    /// A message with the facts about its thread.
    private static func whole(_ message: Message, at index: Int, _ replies: [Message]) -> Message {
        Message(
            id: message.id, at: message.at, sender: message.sender, kind: message.kind,
            presence: message.presence, text: message.text,
            quote: message.quote, thread: message.thread, isBroadcast: message.isBroadcast,
            isEdited: message.isEdited, isDeleted: message.isDeleted, reactions: message.reactions,
            replyCount: max(message.replyCount, replies.count), lastReply: replies.last?.at,
            cursor: Messages.Cursor(token: "\(index)"))
    }

    /// Keeps what an effect changes.
    mutating func keep(_ effect: Effect) {
        switch effect {
        case .bookmarks(.set(let mark)):
            bookmarks.removeAll(where: mark.replaces)
            bookmarks.append(mark)
        case .bookmarks(.remove(let mark)): bookmarks.removeAll { $0 == mark }
        case .setMuted(let id, let isMuted): if isMuted { muted.insert(id) } else { muted.remove(id) }
        default: break
        }
    }

    /// The events that follow from an effect.
    func answer(_ effect: Effect) -> [Event] {
        switch effect {
        case .ask(let request, let ticket):
            news(before: request) + replies(to: request, ticket).map { .reply(ticket, $0) }
        case .bookmarks: [.news(.bookmarks(bookmarks))]
        case .setMuted: [.news(.muted(muted))]
        default: []
        }
    }

    private func news(before request: Request) -> [Event] {
        if case .conversations = request { [.news(.invitations(invitations))] } else { [] }
    }

    private func replies(to request: Request, _ ticket: Ticket) -> [Reply] {
        switch request {
        case .page(let request):
            if case .list(let list) = ticket {
                [.page(answer(request, at: list.reply))]
            } else {
                [.page(answer(request))]
            }
        case .places(let query, let id): places(query, id)
        case .search(let request): hits(request)
        case .conversations(let summaries, let read):
            [.conversations(.success(talks.map(\.conversation).sorted { $0.title < $1.title }))]
                + (summaries ? talks.map { .summary(.success(summary($0.conversation, read))) } + [.end()] : [])
        case .summary(let conversation, let read): [.summary(.success(summary(conversation, read)))]
        case .message(let id, let conversation):
            [
                .message(
                    all(conversation).first { $0.id == id }.map { .success($0) }
                        ?? .failure(.noSuchMessage(id, in: conversation)))
            ]
        case .versions(let id, let conversation):
            [.versions(versions[id].map { .success($0) } ?? .failure(.noSuchMessage(id, in: conversation)))]
        case .own(let kind, _, _, _): (own[kind] ?? []).map { .own([$0]) } + [.end()]
        case .writers(let id, _): writers(id).map { .writers(.success($0)) }
        case .messages(let wanted):
            wanted.map { id, messages in .messages(id, .success(all(id).filter { messages.contains($0.id) })) }
        default: []
        }
    }

    /// One person a reply, the latest first.
    private func writers(_ id: ConversationID) -> [Writers] {
        var known: Set<PersonID> = []
        let people = all(id).reversed().compactMap { message in
            message.sender.flatMap { known.insert($0.id).inserted ? ($0, message.at) : nil }
        }
        return people.map { Writers(people: [$0], isLast: false) } + [Writers(people: [], isLast: true)]
    }

    /// Messages that others have written since.
    private func new(in messages: [Message], since state: ReadState) -> [Message] {
        let first: Int? =
            switch state {
            case .unknown: nil
            case .nothing: 0
            case .upTo(let id): messages.firstIndex { $0.id == id }.map { $0 + 1 }
            }
        return first.map { messages[$0...].filter { $0.presence == nil && (me == nil || $0.sender?.id != me) } } ?? []
    }

    /// The replies that wait in threads.
    private func threads(_ id: ConversationID, _ state: ReadState, _ known: ThreadMarks?) -> ThreadMarks? {
        let all = all(id)
        guard let me, let last = all.last else { return nil }
        let own = Addressee(Person(id: me, name: me.rawValue))
        let begin = known.map { ReadState.upTo($0.upTo) } ?? state
        let new = new(in: all, since: begin).filter { !$0.isMain && own.isMentioned(in: $0.text) }
        let replies = new.compactMap { message in
            message.thread.map { ThreadReply(thread: $0, message: message.id) }
        }
        return ThreadMarks(upTo: last.id, open: (known?.open ?? []) + replies)
    }

    private func summary(_ conversation: Conversation, _ read: ReadStates) -> ConversationSummary {
        let all = messages(conversation.id)
        let new = new(in: all, since: read[conversation.id])
        let own = me.map { Addressee(Person(id: $0, name: $0.rawValue)) }
        return ConversationSummary(
            conversation: conversation, count: all.count, first: all.first?.at, last: all.last?.at, newest: all.last,
            unread: Unread(
                count: new.count,
                mentions: new.count { own?.isMentioned(in: $0.text) ?? false }
                    + (threads(conversation.id, read[conversation.id], read.threads(of: conversation.id))?.open.count
                        ?? 0)))
    }

    private func places(_ query: ResolvedQuery, _ id: ConversationID) -> [Reply] {
        let mains = messages(id)
        var places: [HitPlace] = []
        var order = 0
        for message in all(id) {
            if talk(id).map(query.accepts) ?? false, query.accepts(message) {
                let root = mains.firstIndex { $0.id == message.thread }
                places.append(HitPlace(order: order, index: root ?? order, isReply: message.thread != nil))
            }
            if message.thread == nil { order += 1 }
        }
        places.reverse()
        return batches(places).map { .places(.success(PlaceBatch(places: $0, progress: 0.5))) } + [.end()]
    }

    private func hits(_ request: SearchRequest) -> [Reply] {
        let hits = talks.flatMap { conversation, messages in
            messages.filter { request.query.accepts(conversation) && request.query.accepts($0) }.map {
                Hit(
                    conversation: conversation.id, message: $0.id, at: $0.at, sender: $0.sender, text: $0.text,
                    files: $0.attachments.map(\.name))
            }
        }.sorted { $0.at > $1.at }
        let given = Array(hits.prefix(request.limit ?? .max))
        let rest = request.countsAll ? batches(Array(hits.dropFirst(given.count))) : []
        return batches(given).map { .hits(.success(SearchBatch(hits: $0, progress: 0.5))) }
            + rest.map { hits in
                let more = Dictionary(grouping: hits, by: \.conversation).mapValues(\.count)
                return .hits(.success(SearchBatch(hits: [], more: more, progress: 0.7)))
            } + [.end()]
    }

    private func batches<Element>(_ all: [Element]) -> [[Element]] {
        stride(from: 0, to: all.count, by: batch).map { Array(all[$0..<min(all.count, $0 + batch)]) }
    }

    /// The page around a hit in a thread.
    private func answer(_ request: PageRequest, at reply: ListRequest.Reply?) -> Result<Page, StoreError> {
        var newer = 0
        let thread = reply == nil ? [] : messages(request.conversation, thread: request.thread)
        guard let id = reply?.find(in: thread, after: &newer) else { return answer(request) }
        return answer(
            PageRequest(
                conversation: request.conversation, thread: request.thread, position: .message(id),
                limit: request.limit))
    }

    func answer(_ request: PageRequest) -> Result<Page, StoreError> {
        let messages = messages(request.conversation, thread: request.thread)
        let all = all(request.conversation)
        let root = request.thread.flatMap { id in all.first { $0.id == id } }
        var reply: MessageID?
        var position = request.position
        var first: MessageID?
        var threads: ThreadMarks?
        if let state = request.since, request.thread == nil {
            first = new(in: messages, since: state).first?.id
            threads = self.threads(request.conversation, state, request.threads)
        }
        if position == .unread {
            position = (first ?? threads?.open.first?.message).map { .message($0) } ?? .latest
        }
        if case .survivor(let ids, let moment) = position {
            let survivor = ids.first { id in messages.contains { $0.id == id } }
            position = survivor.map { .message($0) } ?? .date(NamedTime(moment))
            if survivor == nil, !messages.contains(where: { $0.at >= moment }) { position = .latest }
        }
        if request.thread == nil, case .message(let id) = position, let message = all.first(where: { $0.id == id }),
            !message.isMain, let thread = message.thread
        {
            (reply, position) = (thread, .message(thread))
        }
        let count = messages.count
        func index(_ cursor: Messages.Cursor) -> Int { Int(cursor.token) ?? 0 }
        /// - Parameter home: the index of a message whose island the page is in.
        func page(_ start: Int, _ end: Int, home: Int, focus: MessageID? = nil) -> Result<Page, StoreError> {
            // A cursor may belong to a list that was longer.
            let start = min(max(0, start), count)
            let range = (start..<max(start, min(count, end))).clamped(to: island(of: home, count))
            return .success(
                FakeStore.page(
                    messages, range, root, focus: focus, reply, (first, threads), hasPlace: knowsPlaces, gaps: gaps,
                    missing: missing, fills: fillsGaps))
        }
        let limit = min(request.limit, mostUnits ?? .max)
        func units(_ some: some Collection<Message>) -> PageUnits { PageUnits(Array(some), presence: \.presence) }
        func start(before end: Int) -> Int {
            let units = units(messages.prefix(max(0, end)))
            return units.messages(of: max(0, units.count - limit)..<units.count).lowerBound
        }
        func end(from start: Int) -> Int { start + units(messages.dropFirst(start)).messages(of: 0..<limit).upperBound }
        switch position {
        case .earliest: return page(0, end(from: 0), home: 0)
        case .latest, .survivor, .unread:
            let end = (messages.indices.last { !missing.contains($0) } ?? -1) + 1
            return page(start(before: end), end, home: end - 1)
        case .before(let cursor): return page(start(before: index(cursor)), index(cursor), home: index(cursor))
        case .after(let cursor): return page(index(cursor) + 1, end(from: index(cursor) + 1), home: index(cursor))
        case .date, .message, .index, .share:
            let wanted = messages.firstIndex { FakeStore.position($0, is: position, of: count) }
            guard
                let target = wanted.flatMap({ wanted in messages.indices.first { $0 >= wanted && !missing.contains($0) }
                })
            else {
                return .failure(.noSuchMessage(MessageID("?"), in: request.conversation))
            }
            let units = units(messages)
            let start = max(0, min(units.unit(of: target) - limit / 2, units.count - limit))
            let range = units.messages(of: start..<start + limit)
            return page(range.lowerBound, range.upperBound, home: target, focus: messages[target].id)
        }
    }

    /// The messages without a gap around one of them.
    private func island(of index: Int, _ count: Int) -> Range<Int> {
        let before = gaps.filter { $0 <= index } + missing.filter { $0 < index }.map { $0 + 1 }
        let start = before.max() ?? 0
        let after = gaps.filter { $0 > index } + missing.filter { $0 > index }
        return start..<max(start, after.min() ?? count)
    }

    private static func position(_ message: Message, is position: PageRequest.Position, of count: Int) -> Bool {
        switch position {
        case .share(let share): message.cursor.token == "\(Int(Double(count) * share))"
        case .message(let id): message.id == id
        case .date(let time): message.at >= time.start
        case .index(let index): message.cursor.token == "\(index)"
        default: false
        }
    }

    private static func page(
        _ messages: [Message], _ range: Range<Int>, _ root: Message?, focus: MessageID?, _ thread: MessageID?,
        _ new: (first: MessageID?, threads: ThreadMarks?), hasPlace: Bool, gaps: Set<Int>,
        missing: Set<Int>, fills: Bool
    ) -> Page {
        func edge(_ inner: Int, _ outer: Int) -> Page.Edge {
            if gaps.contains(max(inner, outer)) || missing.contains(outer) {
                let cursor = Messages.Cursor(token: "\(inner)")
                var far = outer
                while missing.contains(far) { far += outer - inner }
                let neighbour = messages.indices.contains(far) ? Neighbour(messages[far]) : nil
                var gap = Gap(id: GapID("\(max(inner, outer))"), neighbour: neighbour)
                gap.isFillable = fills
                return .gap(cursor, gap)
            }
            guard messages.indices.contains(outer) else { return .end }
            return .more(Messages.Cursor(token: "\(inner)"), Neighbour(messages[outer]))
        }
        return Page(
            messages: Array(messages[range]), root: root, older: edge(range.lowerBound, range.lowerBound - 1),
            newer: edge(range.upperBound - 1, range.upperBound), focus: focus,
            thread: thread,
            place: hasPlace
                ? Place(index: range.lowerBound, total: messages.count, isPartial: !gaps.isEmpty || !missing.isEmpty)
                : nil,
            firstUnread: new.first, threads: new.threads)
    }
}
