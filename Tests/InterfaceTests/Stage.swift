import Display
import Messages
import TestSupport
import Testing
import Timeline

@testable import Interface
@testable import InterfaceSupport

/// A user in front of a screen: keys go in, screens come out, and answers come when they are let.
struct Stage {
    var model: Model
    private(set) var store: FakeStore
    /// What was asked for and not answered yet.
    private(set) var waiting: [Effect] = []
    /// Effects that no store answers, in order.
    private(set) var others: [Effect] = []

    static let general = Conversation(id: ConversationID("general"), title: "General", topic: "Where we talk")

    init(
        _ messages: [Message], columns: Int = 72, rows: Int = 14, me: PersonID? = nil,
        drafts: [ConversationID: Draft] = [:], showsLink: Bool = true,
        hidesList: Bool = true, isPlain: Bool = false, keymap: Keymap = .standard, zone: Zone = .utc,
        prefer: (inout Preferences) -> Void = { _ in }
    ) {
        var preferences = Preferences()
        preferences.keymap = keymap
        (preferences.showsLink, preferences.hidesList, preferences.isPlain) = (showsLink, hidesList, isPlain)
        prefer(&preferences)
        model = Model(
            size: Size(columns: columns, rows: rows), zone: zone, me: me, drafts: drafts, preferences: preferences,
            chance: SeededGenerator(seed: 1))
        store = FakeStore(talks: [(Stage.general, messages)], me: me)
        send(.time(Timestamp(iso8601: "2025-03-10T12:00:00Z") ?? Timestamp(milliseconds: 0)))
    }

    /// Opens at a message, with the page there.
    static func open(
        _ messages: [Message], at id: String?, columns: Int = 72, rows: Int = 14,
        beside: [(Conversation, [Message])] = [], me: PersonID? = nil, drafts: [ConversationID: Draft] = [:],
        hidesList: Bool = true, keymap: Keymap = .standard, zone: Zone = .utc,
        prefer: (inout Preferences) -> Void = { _ in }
    ) -> Stage {
        var stage = Stage(
            messages, columns: columns, rows: rows, me: me, drafts: drafts, hidesList: hidesList, keymap: keymap,
            zone: zone, prefer: prefer)
        stage.store.talks += beside
        stage.start(at: id.map { .message(MessageID($0)) } ?? .latest)
        stage.answerAll()
        return stage
    }

    mutating func start(in conversation: Conversation = Stage.general, at position: PageRequest.Position) {
        take(model.start(in: conversation, at: position))
    }

    mutating func startAtUnread() { take(model.startAtUnread(in: Stage.general)) }

    mutating func startInSwitcher() { take(model.startInSwitcher()) }

    @discardableResult
    mutating func change<Value>(_ change: (inout FakeStore) -> Value) -> Value { change(&store) }

    mutating func send(_ event: Event) {
        take(update(&model, event))
        // An edge would request a page now only if a function has moved the viewport and not called `viewportMoved`.
        let wantsPages = model.reader.panes.contains { pane in
            var timeline = pane.timeline
            return pane.opening == .shown && !timeline.loads().isEmpty
        }
        #expect(!wantsPages, "every move of a viewport asks for the pages that it needs")
    }

    mutating func press(_ keys: Key..., times: Int = 1) {
        for _ in 0..<times { for key in keys { send(.input([.key(key)])) } }
    }

    mutating func type(_ text: String) { for character in text { press(.character(character)) } }

    /// As a paste comes: all at once.
    mutating func paste(_ text: String) { send(.input(text.map { .key(.character($0)) })) }

    /// Types, and lets everything come that comes of it.
    mutating func typeAndWait(_ text: String) {
        type(text)
        settle()
    }

    mutating func mouse(_ action: Mouse.Action, row: Int, column: Int = 20) {
        send(.input([.mouse(Mouse(action, at: ScreenPosition(row: row, column: column)))]))
    }

    /// Lets time pass and answers come until nothing is waited for.
    mutating func settle() {
        answerAll()
        for _ in 0..<10 where others.contains(where: { if case .wait = $0 { true } else { false } }) {
            passTime()
            answerAll()
        }
    }

    /// Answers everything that is asked for, also what the answers bring about.
    mutating func answerAll() {
        while !waiting.isEmpty {
            answer(waiting.removeFirst())
        }
    }

    /// Answers what was asked for first.
    mutating func answerFirst() { if !waiting.isEmpty { answer(waiting.removeFirst()) } }

    /// What was asked for is answered in another way.
    mutating func forgetWaiting() { waiting = [] }

    /// Answers some of what is asked for, and leaves the rest waiting.
    mutating func answer(where isWanted: (Effect) -> Bool) {
        while let index = waiting.firstIndex(where: isWanted) {
            answer(waiting.remove(at: index))
        }
    }

    private mutating func answer(_ effect: Effect) {
        store.keep(effect)
        for event in store.answer(effect) { send(event) }
    }

    mutating func failAll(_ reason: String = "the line is down") { failAll(with: .unavailable(reason)) }

    mutating func failAll(with error: StoreError) {
        let effects = waiting
        waiting = []
        for effect in effects {
            switch effect {
            case .ask(_, .list(let list)): send(.reply(.list(list), .page(.failure(error))))
            case .ask(_, .page(let ticket)): send(.reply(.page(ticket), .page(.failure(error))))
            case .ask(.messages(let wanted), let ticket):
                for id in wanted.keys { send(.reply(ticket, .messages(id, .failure(error)))) }
            default: break
            }
        }
    }

    /// Answers the lists that are asked for with the page of another request.
    mutating func answerLists(with request: PageRequest) {
        let lists = waiting.compactMap { effect in if case .ask(_, .list(let list)) = effect { list } else { nil } }
        waiting.removeAll { if case .ask(_, .list) = $0 { true } else { false } }
        for list in lists { send(.reply(.list(list), .page(store.answer(request)))) }
    }

    /// The time has come for what waits for time.
    mutating func passTime() {
        let timers = others
        others = others.filter { if case .wait = $0 { false } else { true } }
        for case .wait(_, let event) in timers { send(event) }
    }

    var frame: Frame { render(model) }
    var screen: String { frame.text }

    /// The rows of the screen.
    var rows: [String] { screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// The window.
    var entries: [Entry] { (0..<model.timeline.count).map { model.timeline.list[$0] } }

    /// The ID of the message under the cursor.
    var selection: String? { model.timeline.selection?.rawValue }

    var requests: [PageRequest] {
        waiting.compactMap { effect in
            switch effect {
            case .ask(.page(let request), .list), .ask(.page(let request), .page), .ask(.page(let request), .preview):
                request
            default: nil
            }
        }
    }

    /// What was put into the clipboard.
    var copies: [String] {
        others.compactMap { effect in
            if case .copy(let text) = effect { text } else { nil }
        }
    }

    /// What was to be sent.
    var sent: [Post] {
        others.compactMap { effect in
            if case .ask(.send(let post, _, _), _) = effect { post } else { nil }
        }
    }

    /// What was to be opened.
    var opened: [String] {
        others.compactMap { effect in
            if case .openLink(let address) = effect { address } else { nil }
        }
    }

    private mutating func take(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .ask(.places, _), .stop(.places):
                waiting.removeAll(where: \.isPlaces)
                if case .ask = effect { waiting.append(effect) }
            case .ask(.search, _), .stop(.search):
                waiting.removeAll(where: \.isSearch)
                if case .ask = effect { waiting.append(effect) }
            case .ask(.problems, _), .watch: break
            case .ask(.page, _), .ask(.conversations, _), .ask(.summary, _), .ask(.messages, _), .ask(_, .sheet),
                .stop(.sheet), .bookmarks, .setMuted:
                waiting.append(effect)
            default: others.append(effect)
            }
        }
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

    /// The same message as a reply in a thread.
    static func reply(to root: Int, _ text: String, like message: Message) -> Message {
        Message(
            id: message.id, at: message.at, sender: message.sender, text: text, thread: MessageID("m-\(root)"),
            cursor: message.cursor)
    }

    /// A long conversation of two people who say which message it is.
    static func long(_ count: Int, seconds: Int64 = 400) -> [Message] {
        var script = Script("2025-03-01T00:00:00Z")
        for index in 0..<count { script.add("message \(index)", from: index % 2 == 0 ? "Ana" : "Ben", after: seconds) }
        return script.messages
    }
}

/// All the text that is highlighted on a screen.
func highlights(_ frame: Frame) -> [String] {
    frame.lines.flatMap(\.spans).filter { $0.style.color == .accent && $0.style.attributes.contains(.reverse) }
        .map(\.text.string)
}

extension Effect {
    var isSearch: Bool { if case .ask(.search, _) = self { true } else { false } }
    var isPlaces: Bool { if case .ask(.places, _) = self { true } else { false } }
}

func person(_ name: String) -> Person { Person(id: PersonID(name.lowercased()), name: name) }

/// Properties of the pane that has the keys.
extension Model {
    var pending: ListRequest? { pane.pending }
    var history: JumpHistory { pane.history }
    var place: ScreenPlace? { pane.place }
    var selectedMessage: Message? { pane.selectedMessage }
}
