package import ArchiveFormat
package import Formats
internal import JSON
package import Relay

/// Reads responses to /sync. Use it on one thread only.
package final class SyncReader {
    private let tree = JSONTree()
    let events: MatrixEvents

    /// - Parameter events: remembers the names of people.
    package init(events: MatrixEvents) { self.events = events }

    /// The approximate size of a part in bytes: a long response is read in parts.
    static let mostBytes = 4 << 20
    /// The most members to read for a room. The server sends only recent writers: the largest rooms have some 100,000.
    private static let mostState = 100_000
    /// The most typing people to report for a room.
    private static let mostTyping = 32
    /// The latest names of people, for the next part.
    private var people: [ForeignPerson] = []

    /// Reads a response of any length. An error in a part of it hides that part only.
    /// - Parameters:
    ///   - me: the ID of this account.
    ///   - passed: called with bytes that were read, and may be read again.
    ///   - isInvited: true if this account was invited to a room.
    ///   - facts: what is known of a room; nil for a new one.
    ///   - take: receives the parts of the response: one, unless it is long. Rooms are in the order of the response.
    /// - Returns: false for any other response: there is no part then.
    /// - Throws: the error of `take`.
    package func read<Failure: Error>(
        _ body: UnsafeRawBufferPointer, me: String = "", passed: @escaping (UnsafeRawBufferPointer) -> Void = { _ in },
        isInvited: (String) -> Bool = { _ in false }, facts: (String) -> RoomFacts?,
        take: (SyncResponse) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard let whole = text(body, passed: passed)?.fields(named: ["next_batch", "rooms"]),
            let next = whole["next_batch"]?.string, !next.isEmpty
        else { return false }
        let lists = whole["rooms"]?.fields(named: ["join", "leave", "invite"]) ?? [:]
        var part = SyncResponse(next: next)
        var seen: Set<String> = []
        var answered: Set<String> = []
        for (kind, hasLeft) in [("join", false), ("leave", true)] {
            guard let list = lists[kind] else { continue }
            for (room, value) in list.fields {
                guard !room.isEmpty, value.isObject, seen.insert(room).inserted else { continue }
                if isInvited(room) { answered.insert(room) }
                let known = facts(room)
                // A room that was left before this account was logged in here is of no interest.
                guard known != nil || !hasLeft else { continue }
                let fields = value.fields(named: ["summary", "account_data", "state", "timeline", "ephemeral"])
                if let events = fields["ephemeral"]?["events"] {
                    if let list = SyncReader.typing(events) { part.typing[room] = list }
                    let list = Receipt.all(in: events)
                    if !list.isEmpty { part.receipts[room] = list }
                    part.weight += list.count * 200
                }
                var new = known ?? RoomFacts(room: room)
                new.hasLeft = hasLeft
                if let summary = fields["summary"]?.value { new.take(summary: summary) }
                if let id = fields["account_data"]?["events"].flatMap(SyncReader.fullyRead) { new.fullyRead = id }
                let timeline = fields["timeline"]?.fields(named: ["events", "limited", "prev_batch"]) ?? [:]
                let parts = RoomParts(
                    state: fields["state"]?["events"], timeline: timeline["events"],
                    isLimited: timeline["limited"]?.isTrue == true, from: timeline["prev_batch"]?.string)
                try read(parts, of: new) { (news) throws(Failure) in
                    if news.changes(known) { try add(news, to: &part, take) }
                }
            }
        }
        part.invitations = InvitationEntry.all(in: lists["invite"], me: me).filter { !seen.contains($0.id) }
        part.answered = answered
        part.people = takePeople()
        part.isLast = true
        try take(part)
        return true
    }

    /// Adds the changes of a room to a part, and emits the part when it is full.
    private func add<Failure: Error>(
        _ news: RoomNews, to part: inout SyncResponse, _ take: (SyncResponse) throws(Failure) -> Void
    ) throws(Failure) {
        part.rooms.append(news)
        part.weight += news.lines.count + 1_000
        guard part.weight > SyncReader.mostBytes else { return }
        part.people = takePeople()
        try take(part)
        part = SyncResponse(next: part.next)
    }

    func takePeople() -> [ForeignPerson] {
        defer { people = [] }
        return people
    }

    /// The people who are typing, by a list of events; nil if the list does not say it.
    private static func typing(_ list: LongJSON) -> [String]? {
        var people: [String]?
        for event in list.objects where event["type"]?.string == "m.typing" {
            let all = event["content"]?["user_ids"]?.elements.compactMap(\.string).filter(UserID.isValid)
            // More could not be shown.
            people = all.map { Array($0.prefix(mostTyping)) }
        }
        return people
    }

    /// Reads the events of a room. Very many come in several pieces, as if in several responses.
    /// - Parameter known: the facts about the room before.
    func read<Failure: Error>(
        _ parts: RoomParts, of known: RoomFacts, _ take: (RoomNews) throws(Failure) -> Void
    ) throws(Failure) {
        var facts = known
        events.room = known.room
        if let state = parts.state {
            for value in state.objects.prefix(SyncReader.mostState) { self.take(MatrixEvent(value), &facts) }
        }
        var writer = RecordWriter()
        var ids: Set<String> = []
        var isStart = false
        var isFirst = true
        func news() -> RoomNews {
            people += writer.people
            facts.names = events.names.own(in: known.room)
            return RoomNews(
                room: known.room, lines: writer.lines, isLimited: isFirst && parts.isLimited,
                from: isFirst ? parts.from : nil, isStart: isStart, facts: facts)
        }
        if let list = parts.timeline {
            for value in list.objects {
                let event = MatrixEvent(value)
                if event.stateKey != nil {
                    facts.take(event)
                    if event.type == "m.room.create" { isStart = true }
                }
                guard let id = event.id?.string, ids.insert(id).inserted else { continue }
                _ = events.convert(event, into: &writer)
                guard writer.lines.count > SyncReader.mostBytes else { continue }
                try take(news())
                writer = RecordWriter()
                (ids, isFirst) = ([], false)
                events.room = known.room
            }
        }
        try take(news())
    }

    /// The event up to which this account has read, from a list of account data; nil if it is not there.
    static func fullyRead(_ list: LongJSON) -> String? {
        var mark: String?
        for event in list.objects where event["type"]?.string == "m.fully_read" {
            if let id = event["content"]?["event_id"]?.string, !id.isEmpty { mark = id }
        }
        return mark
    }

    /// The token of a response to /sync; nil for any other response.
    package func readToken(_ body: UnsafeRawBufferPointer) -> String? {
        text(body)?["next_batch"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A response; nil if it is not JSON, or cut off.
    func text(
        _ body: UnsafeRawBufferPointer, passed: @escaping (UnsafeRawBufferPointer) -> Void = { _ in }
    ) -> LongJSON? { LongJSON(document: body, by: tree, passed: passed) }

    /// Applies an event of the state before the timeline: it is not a record.
    private func take(_ event: MatrixEvent, _ facts: inout RoomFacts) {
        facts.take(event)
        guard event.type == "m.room.member" else { return }
        take(person: event.stateKey?.string, events.names.given(by: event))
    }

    func take(person id: String?, _ name: String?) {
        guard let id, UserID.isValid(id), let name = name?.visibleName, events.names.known(id) != name else { return }
        if events.names.set(id, name) { people.append(ForeignPerson(id: id, name: name)) }
    }
}

extension SyncReader {
    /// Reads a response to sliding sync of any length. An error in a part of it hides that part only.
    /// - Parameters:
    ///   - passed: called with bytes that were read, and may be read again.
    ///   - take: receives the parts of the response: one, unless it is long.
    /// - Returns: the last part; nil for any other response: there is no part then.
    /// - Throws: the error of `take`.
    package func readSliding<Failure: Error>(
        _ body: UnsafeRawBufferPointer, passed: @escaping (UnsafeRawBufferPointer) -> Void = { _ in },
        take: (SlidingPage) throws(Failure) -> Void
    ) throws(Failure) -> SlidingPage? {
        guard let whole = text(body, passed: passed)?.fields(named: ["pos", "lists", "rooms", "extensions"]),
            let pos = whole["pos"]?.string, !pos.isEmpty, let count = whole["lists"]?["all"]?["count"]?.integer,
            count >= 0
        else { return nil }
        var page = SlidingPage(pos: pos, count: Int(clamping: count))
        let extensions = whole["extensions"]?.fields(named: ["account_data", "receipts"]) ?? [:]
        var marks: [String: String] = [:]
        if let account = extensions["account_data"]?["rooms"] {
            for (room, list) in account.fields { marks[room] = SyncReader.fullyRead(list) }
        }
        var seen: Set<String> = []
        if let rooms = whole["rooms"] {
            for (room, value) in rooms.fields {
                let fields = value.fields(named: SyncReader.slidingFields)
                // An invitation has no timeline.
                guard !room.isEmpty, fields["initial"]?.isTrue == true, fields["timeline"]?.isArray == true,
                    seen.insert(room).inserted
                else { continue }
                try read(sliding: fields, room) { (news) throws(Failure) in
                    var news = news
                    news.mark(fullyRead: marks[room])
                    page.rooms.append(news)
                    page.weight += news.lines.count + 1_000
                    if page.weight > SyncReader.mostBytes { try give(&page, to: take) }
                }
            }
        }
        if let rooms = extensions["receipts"]?["rooms"] {
            for (room, event) in rooms.fields {
                Receipt.take(event, into: &page.receipts[room, default: []])
                page.weight += (page.receipts[room]?.count ?? 0) * 200
                if page.weight > SyncReader.mostBytes { try give(&page, to: take) }
            }
        }
        page.people = takePeople()
        try take(page)
        return page
    }

    private static let slidingFields: Set = [
        "initial", "heroes", "joined_count", "required_state", "timeline", "limited", "prev_batch",
    ]

    private func give<Failure: Error>(
        _ page: inout SlidingPage, to take: (SlidingPage) throws(Failure) -> Void
    ) throws(Failure) {
        page.people = takePeople()
        try take(page)
        page = SlidingPage(pos: page.pos, count: page.count)
    }

    private func read<Failure: Error>(
        sliding fields: [String: LongJSON], _ room: String, _ take: (RoomNews) throws(Failure) -> Void
    ) throws(Failure) {
        var facts = RoomFacts(room: room)
        events.room = room
        if let heroes = fields["heroes"]?.value {
            facts.take(heroes: heroes.elements.compactMap { $0["user_id"]?.string })
            for hero in heroes.elements { self.take(person: hero["user_id"]?.string, hero["displayname"]?.string) }
        }
        if let count = fields["joined_count"]?.integer { facts.take(memberCount: count) }
        let parts = RoomParts(
            state: fields["required_state"], timeline: fields["timeline"], isLimited: fields["limited"]?.isTrue == true,
            from: fields["prev_batch"]?.string)
        try read(parts, of: facts, take)
    }
}

/// A response to /sync, or a part of a long one, as records and facts.
package struct SyncResponse: Sendable {
    /// The token for the next request.
    package let next: String
    package internal(set) var rooms: [RoomNews] = []
    /// The new and changed invitations: in the last part.
    package internal(set) var invitations: [InvitationEntry] = []
    /// The rooms whose invitations were accepted, declined or taken back. In the last part.
    package internal(set) var answered: Set<String> = []
    /// The people who are typing, in rooms where that has changed.
    package internal(set) var typing: [String: [String]] = [:]
    /// The new receipts, by room.
    package internal(set) var receipts: [String: [Receipt]] = [:]
    /// The latest names of people.
    package internal(set) var people: [ForeignPerson] = []
    /// True if no other part follows.
    package internal(set) var isLast = false
    /// The approximate size in bytes.
    var weight = 0

    init(next: String) { self.next = next }

    /// True if only its token has to be kept.
    package var isEmpty: Bool { rooms.isEmpty && invitations.isEmpty && answered.isEmpty && people.isEmpty }
}

/// A response to sliding sync, or a part of a long one, as records and facts.
package struct SlidingPage: Sendable {
    /// The token for the next request.
    package let pos: String
    /// The number of rooms of the account.
    package let count: Int
    /// The rooms that this response describes in full; others have only changed.
    package internal(set) var rooms: [RoomNews] = []
    /// The new receipts, by room.
    package internal(set) var receipts: [String: [Receipt]] = [:]
    /// The latest names of people.
    package internal(set) var people: [ForeignPerson] = []
    /// The approximate size in bytes.
    var weight = 0

    init(pos: String, count: Int) { (self.pos, self.count) = (pos, count) }
}

/// The part of a response to /sync that is about a room.
package struct RoomNews: Sendable {
    package let room: String
    /// Records of the new events, in their order.
    package var lines: [UInt8]
    /// True if events before them were left out.
    package let isLimited: Bool
    /// The token before the first of the events.
    package let from: String?
    /// True if the room was created in them: nothing is older.
    package let isStart: Bool
    /// The facts about the room after them.
    package private(set) var facts: RoomFacts

    package init(
        room: String, lines: [UInt8], isLimited: Bool, from: String?, isStart: Bool, facts: RoomFacts
    ) {
        (self.room, self.lines, self.isLimited) = (room, lines, isLimited)
        (self.from, self.isStart, self.facts) = (from, isStart, facts)
    }

    /// For a room whose events up to a token are all missing.
    package init(missingUpTo token: String, _ facts: RoomFacts) {
        self.init(room: facts.room, lines: [], isLimited: true, from: token, isStart: false, facts: facts)
    }

    /// Sets the event up to which this account has read, if it is known.
    mutating func mark(fullyRead event: String?) { if let event { facts.fullyRead = event } }

    /// True if the update holds anything new.
    /// - Parameter known: the facts known before; nil for a new room.
    func changes(_ known: RoomFacts?) -> Bool { facts != known || !lines.isEmpty || isLimited }
}

/// The part of a response that is about a room: lists of events, and what was left out of them.
struct RoomParts {
    /// The state before the timeline, or some of it.
    let state: LongJSON?
    let timeline: LongJSON?
    let isLimited: Bool
    /// The token before the first event of the timeline.
    let from: String?
}

/// Decides what follows a request that failed: growing pauses, the pause that the server asks for, or the end.
package struct Retry: Hashable, Sendable {
    /// The step after a failed request.
    package enum Step: Hashable, Sendable {
        /// In milliseconds.
        case pause(Int)
        /// The server does not know the token any more: start again as for the first time.
        case restart
        /// The session has ended, and only a new login helps.
        case loggedOut(isSoft: Bool)
        /// Another try would fail as well: one line for people.
        case giveUp(String)
    }

    private var failures = 0
    private static let longest = 60_000
    /// The longest pause that a server may ask for, in milliseconds.
    private static let longestAsked = 600_000

    package init() {}

    /// Begins again with the shortest pause.
    package mutating func succeeded() { failures = 0 }

    /// - Parameters:
    ///   - hasToken: true if the request carried a token of the server (`since`).
    ///   - jitter: 0 to 1, so that the clients of one server do not all return at the same moment.
    package mutating func failed(_ error: ServerError, hasToken: Bool, jitter: Double) -> Step {
        if error.isOfToken { return .loggedOut(isSoft: error.isSoftLogout) }
        if let pause = error.retryAfter, error.status == 429 || error.status >= 500 {
            failures += 1
            return .pause(min(max(pause, 100), Retry.longestAsked))
        }
        switch error.status {
        case 429, 408, 500...: return .pause(pause(jitter))
        case 400 where hasToken && (error.code == "M_UNKNOWN" || error.code == "M_INVALID_PARAM"): return .restart
        case 401, 403: return .giveUp("the server refuses: \(error.status) \(error.code) \(error.text)")
        default:
            // A proxy may say anything while the server restarts.
            return error.code.isEmpty
                ? .pause(pause(jitter)) : .giveUp("the server refuses: \(error.status) \(error.code) \(error.text)")
        }
    }

    /// The step after a request without a response.
    package mutating func failed(jitter: Double) -> Step { .pause(pause(jitter)) }

    /// 1 s, 2 s, 4 s … 60 s, and up to half of it more.
    private mutating func pause(_ jitter: Double) -> Int {
        failures += 1
        let pause = min(1_000 << min(failures - 1, 16), Retry.longest)
        return pause + Int(Double(pause) / 2 * min(max(jitter, 0), 1))
    }
}
