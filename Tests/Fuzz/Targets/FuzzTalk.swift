@testable import Interface
@testable import InterfaceSupport
import Messages

/// A conversation that changes while it is open, and the store that has it.
struct FuzzTalk {
    static let conversation = Conversation(
        id: ConversationID("talk"), title: "Talk\u{1B}[31m", topic: "Where we\u{202E} talk")
    static let other = Conversation(id: ConversationID("other"), title: "Other", topic: nil)
    static let me = Person(id: PersonID("ana"), name: "Ana")
    static let people = [
        me, Person(id: PersonID("ben"), name: "Ben\u{9B}1m"), Person(id: PersonID("cy"), name: "漢字👩‍💻e\u{301}"),
    ]

    /// Chosen by the argument of a happening. The order matters: the corpus refers to the numbers.
    private static let texts = [
        "one line", "", "two\nlines", "ana, look: https://example.org/a?b=c and **bold** `code`",
        "hostile \u{1B}]0;title\u{7} \u{9B}2J \u{202E}bidi \u{0}", String(repeating: "long words wrap ", count: 30),
        String(repeating: "x", count: 300), "漢字カナ한글👩‍👩‍👧🇩🇪 क्ष น้ำ e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}",
        "```\ncode\n\tblock\n```", "- a\n- b\n  - c\n> quoted", "@ana", String(repeating: "row\n", count: 60),
        "\u{301}mark first", "\t\ttabs", "a\r\nb\rc\u{2028}d\u{85}e", "*unclosed _marks `here",
    ]

    private var messages: [Message] = []
    private var store = FakeStore(talks: [])
    private var count = 0

    /// With enough messages for several pages, of all kinds.
    init(at now: Timestamp) {
        for number in 0..<90 {
            let at = Timestamp(milliseconds: now.milliseconds - Int64(90 - number) * 1_000_000)
            let root = number % 7 == 6 ? messages[number / 2].thread ?? messages[number / 2].id : nil
            messages.append(make(number, at: at, thread: root, quote: number % 5 == 4 ? messages[number - 3] : nil))
        }
        fillStore()
    }

    private mutating func make(
        _ choice: Int, at: Timestamp, thread: MessageID? = nil, quote: Message? = nil
    ) -> Message {
        defer { count += 1 }
        let kinds: [Message.Kind] = [.text, .text, .text, .action, .text, .system]
        return Message(
            id: MessageID("m\(count)"), at: at, sender: Self.people[choice % 3], kind: kinds[choice % kinds.count],
            text: Self.texts[choice % Self.texts.count], quote: quote.map { Quote(of: $0) }, thread: thread,
            isBroadcast: thread != nil && choice % 2 == 0,
            attachments: choice % 8 == 3 ? [Attachment(name: "a\u{7}.png", path: "files/a.png", size: 1_234)] : [],
            reactions: choice % 6 == 1 ? [Reaction(emoji: "👍\u{1B}", people: [Self.me])] : [],
            cursor: Cursor(token: "0"))
    }

    private mutating func fillStore() { store.talks = [(Self.conversation, messages), (Self.other, [])] }

    // MARK: - Actions of people

    /// A message that is in no list yet.
    mutating func next(_ choice: Int) -> Message { make(choice, at: messages.last?.at ?? Timestamp(milliseconds: 0)) }

    mutating func say(_ choice: Int, at: Timestamp) -> Message { add(make(choice, at: at)) }

    mutating func reply(_ choice: Int, at: Timestamp) -> [StoreChange] {
        guard let root = messages.filter({ $0.thread == nil }).chosen(choice) else { return [] }
        let reply = add(make(choice, at: at, thread: root.id))
        return [.arrived(reply)] + (stored(root.id).map { [.updated($0)] } ?? [])
    }

    mutating func edit(_ choice: Int) -> Message? {
        change(choice) { message in
            message.text = Self.texts[(choice + 5) % Self.texts.count]
            message.isEdited = true
        }
    }

    mutating func delete(_ choice: Int) -> Message? {
        change(choice) { message in
            message.text = ""
            message.isDeleted = true
        }
    }

    /// Rewrites the files without one message or, now and then, without half of them.
    mutating func lose(_ choice: Int) -> [StoreChange] {
        guard !messages.isEmpty else { return [] }
        if choice % 16 == 15 {
            messages.removeFirst((messages.count + 1) / 2)
        } else {
            messages.remove(at: choice * messages.count / 256)
        }
        fillStore()
        return [.replaced]
    }

    /// Stores a post.
    /// - Returns: the change that the store reports; nil when other changes report it.
    mutating func take(_ post: Post) -> StoreChange? {
        guard case .message(let text, _, let thread) = post.content else { return nil }
        let message = Message(
            id: post.id, at: post.at, sender: Self.me, text: text, thread: thread, cursor: Cursor(token: "0"))
        return messages.contains { $0.id == post.id } ? nil : .arrived(add(message))
    }

    private mutating func add(_ message: Message) -> Message {
        messages.append(message)
        fillStore()
        return stored(message.id) ?? message
    }

    private mutating func change(_ choice: Int, _ body: (inout Message) -> Void) -> Message? {
        guard !messages.isEmpty else { return nil }
        let index = messages.count - 1 - choice % messages.count
        body(&messages[index])
        fillStore()
        return stored(messages[index].id)
    }

    /// The message as the store returns it, with its place and the facts about its thread.
    private func stored(_ id: MessageID) -> Message? { page(.message(id), thread: nil).flatMap { found(id, in: $0) } }

    private func found(_ id: MessageID, in page: Page) -> Message? {
        if let message = page.messages.first(where: { $0.id == id }) { return message }
        return page.thread.flatMap { self.page(.message(id), thread: $0) }?.messages.first { $0.id == id }
    }

    private func page(_ position: PageRequest.Position, thread: MessageID?) -> Page? {
        let request = PageRequest(conversation: Self.conversation.id, thread: thread, position: position, limit: 1)
        return try? store.answer(request).get()
    }

    /// The last message when an archive is first opened.
    func baseline(_ choice: Int) -> [ConversationID: MessageID] {
        messages.chosen(choice).map { [Self.conversation.id: $0.id] } ?? [:]
    }

    // MARK: - Responses of the store

    func answer(_ effect: Effect) -> [Event] {
        switch effect {
        case .ask(.place(_, let ids, _), let ticket):
            [.reply(ticket, .place(.success((nil, ids.sorted { $0.rawValue < $1.rawValue }.compactMap(stored)))))]
        default: store.answer(effect)
        }
    }

    static func failures(of effect: Effect) -> [Event] {
        let failure = StoreError.unavailable("the line is down\u{1B}[2J")
        guard case .ask(let request, let ticket) = effect else { return [] }
        let replies: [Reply] =
            switch request {
            case .page: [.page(.failure(failure))]
            case .places: [.places(.failure(failure)), .end()]
            case .search: [.hits(.failure(failure)), .end()]
            case .conversations: [.conversations(.failure(failure))]
            default: []
            }
        return replies.map { .reply(ticket, $0) }
    }
}

extension [Message] {
    fileprivate func chosen(_ choice: Int) -> Message? { isEmpty ? nil : self[choice % count] }
}
