import Display
import Messages
import Timeline

@testable import Interface

/// A user in front of a screen: keys go in, screens come out, and pages come when they are let.
struct Stage {
    var model: Model
    let messages: [Message]
    /// What was asked for and not answered yet.
    private(set) var waiting: [Effect] = []
    /// Effects that no store answers, in order.
    private(set) var others: [Effect] = []

    init(_ messages: [Message], columns: Int = 72, rows: Int = 14, topic: String? = "Where we talk") {
        let conversation = Conversation(id: ConversationID("general"), title: "General", topic: topic)
        model = Model(conversation: conversation, size: Size(columns: columns, rows: rows), zone: .utc)
        self.messages = messages
    }

    /// Opens at a message, with the page there.
    static func open(
        _ messages: [Message], at id: String?, columns: Int = 72, rows: Int = 14
    ) -> Stage {
        var stage = Stage(messages, columns: columns, rows: rows)
        stage.start(at: id.map { .message(MessageID($0)) } ?? .latest)
        stage.answerAll()
        return stage
    }

    mutating func start(at position: PageRequest.Position) { take(model.start(at: position)) }

    mutating func send(_ event: Event) { take(update(&model, event)) }

    mutating func press(_ keys: Key..., times: Int = 1) {
        for _ in 0..<times { for key in keys { send(.key(key)) } }
    }

    /// Answers everything that is asked for, also what the answers bring about.
    mutating func answerAll() {
        while !waiting.isEmpty { answer(waiting.removeFirst()) }
    }

    mutating func failAll(_ reason: String = "the line is down") {
        let effects = waiting
        waiting = []
        for effect in effects {
            switch effect {
            case .loadList(let list, _): send(.list(list, .failure(.unavailable(reason))))
            case .loadPage(let ticket, _): send(.page(ticket, .failure(.unavailable(reason))))
            default: break
            }
        }
    }

    /// The time has come for what waits for time.
    mutating func passTime() {
        let timers = others
        others = []
        for case .wait(_, let event) in timers { send(event) }
    }

    var screen: String { render(model).text }

    var requests: [PageRequest] {
        waiting.compactMap { effect in
            switch effect {
            case .loadList(_, let request), .loadPage(_, let request): request
            default: nil
            }
        }
    }

    private mutating func take(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .loadList, .loadPage: waiting.append(effect)
            case .reportProblems: break
            default: others.append(effect)
            }
        }
    }

    private mutating func answer(_ effect: Effect) {
        switch effect {
        case .loadList(let list, let request): send(.list(list, answer(request)))
        case .loadPage(let ticket, let request): send(.page(ticket, answer(request)))
        default: break
        }
    }

    private func answer(_ request: PageRequest) -> Result<Page, StoreError> {
        let count = messages.count
        func index(_ cursor: Messages.Cursor) -> Int { Int(cursor.token) ?? 0 }
        switch request.position {
        case .earliest: return .success(page(0, min(count, request.limit)))
        case .latest: return .success(page(max(0, count - request.limit), count))
        case .before(let cursor): return .success(page(max(0, index(cursor) - request.limit), index(cursor)))
        case .after(let cursor): return .success(page(index(cursor) + 1, min(count, index(cursor) + 1 + request.limit)))
        case .date, .message:
            guard let target = messages.firstIndex(where: { position($0, is: request.position) }) else {
                return .failure(.noSuchMessage(MessageID("?"), in: request.conversation))
            }
            let start = max(0, min(target - request.limit / 2, count - request.limit))
            return .success(page(start, min(count, start + request.limit), focus: messages[target].id))
        }
    }

    private func position(_ message: Message, is position: PageRequest.Position) -> Bool {
        switch position {
        case .message(let id): message.id == id
        case .date(let moment): message.at >= moment
        default: false
        }
    }

    private func page(_ start: Int, _ end: Int, focus: MessageID? = nil) -> Page {
        let slice = Array(messages[start..<end])
        func edge(_ inner: Int, _ outer: Int) -> Page.Edge {
            guard messages.indices.contains(outer) else { return .end }
            return .more(Messages.Cursor(token: "\(inner)"), Neighbour(messages[outer]))
        }
        return Page(
            messages: slice, older: edge(start, start - 1), newer: edge(end - 1, end), focus: focus,
            place: Place(index: start, total: messages.count))
    }
}

/// Messages as tests write them.
struct Script {
    private(set) var messages: [Message] = []
    private var clock: Int64

    /// - Parameter start: an ISO 8601 time.
    init(_ start: String) { clock = (Timestamp(iso8601: start)?.milliseconds ?? 0) / 1_000 }

    /// Adds a message some seconds after the one before it.
    mutating func add(
        _ text: String, from name: String? = nil, after seconds: Int64 = 60, id: String? = nil,
        kind: Message.Kind = .text, change: (inout Message) -> Void = { _ in }
    ) {
        clock += seconds
        let index = messages.count
        var message = Message(
            id: MessageID(id ?? "m-\(index)"), at: Timestamp(milliseconds: clock * 1_000),
            sender: name.map { Person(id: PersonID($0.lowercased()), name: $0) }, kind: kind, text: text,
            cursor: Messages.Cursor(token: "\(index)"))
        change(&message)
        messages.append(message)
    }

    /// A long conversation of two people who say which message it is.
    static func long(_ count: Int, seconds: Int64 = 400) -> [Message] {
        var script = Script("2025-03-01T00:00:00Z")
        for index in 0..<count { script.add("message \(index)", from: index % 2 == 0 ? "Ana" : "Ben", after: seconds) }
        return script.messages
    }
}

func person(_ name: String) -> Person { Person(id: PersonID(name.lowercased()), name: name) }
