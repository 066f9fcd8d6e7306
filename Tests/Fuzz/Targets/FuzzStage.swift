import Display
@testable import Interface
import Messages
import TestSupport
@testable import Terminal
import Timeline

/// The model between a terminal and a store, as in the event loop: bytes go in, screens come out, and responses come
/// when the script says so.
struct FuzzStage {
    private var model: Model
    private var decoder = KeyDecoder(sequences: [Array("\u{1B}[24~".utf8): .function(12)])
    /// The time of the decoder.
    private var moment = ContinuousClock.now
    private var talk: FuzzTalk
    /// Requests without a response yet.
    private var waiting: [Effect] = []
    /// Events that wait for a timer.
    private var timers: [Event] = []
    /// Posts that have not arrived yet.
    private var sent: [(ConversationID, Post)] = []
    private var size: Size
    private var clock = Timestamp(milliseconds: 1_740_000_000_000)

    init(columns: Int, rows: Int) {
        size = Size(columns: columns, rows: rows)
        talk = FuzzTalk(at: clock)
        model = Model(size: size, zone: .utc, me: FuzzTalk.me.id, chance: SeededGenerator(seed: 1))
        send(.time(clock))
        take(model.start(in: FuzzTalk.conversation, at: .latest))
    }

    /// All bytes that came at once, as the screen passes them on.
    mutating func type(_ bytes: [UInt8]) { send(.input(decoder.decode(bytes, at: moment).compactMap(placed))) }

    /// No bytes come for a while.
    private mutating func wait(_ pause: Duration) {
        moment += pause
        send(.input(decoder.expire(at: moment).compactMap(placed)))
    }

    /// A press on a cell that does not exist is ignored; an action that began on the screen ends at its edge. (As in
    /// `Screen`.)
    private func placed(_ input: Input) -> Input? {
        guard case .mouse(let mouse) = input else { return input }
        let position = ScreenPosition(
            row: min(mouse.position.row, size.rows - 1), column: min(mouse.position.column, size.columns - 1))
        if case .press = mouse.action, position != mouse.position { return nil }
        return .mouse(Mouse(mouse.action, at: position))
    }

    mutating func happen(_ happening: KeyScript.Happening, _ argument: Int) {
        switch happening {
        case .answerFirst: if !waiting.isEmpty { answer(waiting.removeFirst()) }
        case .answerLast: if let last = waiting.popLast() { answer(last) }
        case .answerAll: answerAll()
        case .failAll: failAll()
        case .timePasses: passTime()
        case .sequenceEnds: wait(KeyDecoder.sequenceDelay)
        case .pasteEnds: wait(KeyDecoder.stall)
        case .clockMoves: moveClock(hours: argument)
        case .columns: resize(Size(columns: 1 + argument, rows: size.rows))
        case .rows: resize(Size(columns: size.columns, rows: 1 + argument % 80))
        case .says, .replies, .edits, .deletes, .loses: change(happening, argument)
        case .saysElsewhere:
            let message = talk.next(argument)
            send(.arrived([Arrival(conversation: FuzzTalk.other.id, message: message)]))
        case .arrives: arrive()
        case .isNotSent: refuse()
        case .doubleClick:
            let position = ScreenPosition(row: argument % size.rows, column: argument % size.columns)
            send(.input([.mouse(Mouse(.press(clicks: 2), at: position))]))
        case .problem:
            send(
                .reply(
                    .request(.problems),
                    .problems((0...argument % 4).map { "talk/messages-000001.jsonl:\($0): is bad\u{1B}[2J" })
                ))
        case .trouble: send(.trouble("the browser\u{7} does not start"))
        case .obstacle:
            send(
                .reply(
                    .request(.obstacle(FuzzTalk.conversation.id)),
                    .obstacle(argument % 2 == 0 ? "the archive is read-only" : nil)
                ))
        case .types: send(.changed(FuzzTalk.conversation.id, [.typing(Array(FuzzTalk.people.prefix(argument % 4)))]))
        case .prepares: send(.news(.preparing(StoreProgress(.indexing, share: Double(argument) / 255))))
        case .baseline: send(.news(.baseline(talk.baseline(argument))))
        }
    }

    private mutating func resize(_ size: Size) {
        self.size = size
        send(.resized(size))
    }

    private mutating func moveClock(hours: Int) {
        clock = Timestamp(milliseconds: clock.milliseconds + Int64(hours) * 3_600_000)
        send(.time(clock))
    }

    private mutating func change(_ happening: KeyScript.Happening, _ argument: Int) {
        let changes: [StoreChange] =
            switch happening {
            case .says: [.arrived(talk.say(argument, at: clock))]
            case .replies: talk.reply(argument, at: clock)
            case .edits: talk.edit(argument).map { [.updated($0)] } ?? []
            case .deletes: talk.delete(argument).map { [.updated($0)] } ?? []
            default: talk.lose(argument)
            }
        send(.changed(FuzzTalk.conversation.id, changes))
    }

    private mutating func arrive() {
        guard !sent.isEmpty else { return }
        let (id, post) = sent.removeFirst()
        let change = talk.take(post)
        send(.reply(.post(id, post.id), .done(.success(()))))
        if let change { send(.changed(id, [change])) }
    }

    private mutating func refuse() {
        guard !sent.isEmpty else { return }
        let (id, post) = sent.removeFirst()
        send(.reply(.post(id, post.id), .done(.failure(.notSent("the disk is full")))))
    }

    private mutating func answer(_ effect: Effect) { for event in talk.answer(effect) { send(event) } }

    /// Includes the requests that the responses cause, until there are none.
    private mutating func answerAll() {
        for _ in 0..<50 where !waiting.isEmpty { answer(waiting.removeFirst()) }
    }

    private mutating func failAll() {
        let effects = waiting
        waiting = []
        for effect in effects {
            for event in FuzzTalk.failures(of: effect) { send(event) }
        }
    }

    private mutating func passTime() {
        let due = timers
        timers = []
        for event in due { send(event) }
    }

    private mutating func send(_ event: Event) { take(update(&model, event)) }

    private mutating func take(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .wait(_, let event): timers.append(event)
            case .ask(.send(let post, let id, _), _): sent.append((id, post))
            case .stop(.places), .stop(.search): waiting.removeAll { $0.isStopped(by: effect) }
            case .ask(.places, _), .ask(.search, _):
                waiting.removeAll { $0.isStopped(by: effect) }
                waiting.append(effect)
            case .ask(.page, .list), .ask(.page, .page), .ask(.page, .preview), .ask(.conversations, _),
                .ask(.place, _):
                waiting.append(effect)
            default: break
            }
        }
    }

    /// - Throws: what is wrong with the screen.
    func check() throws(FuzzFinding) {
        let frame = render(model)
        try ScreenCheck(frame, size).run()
        guard model.layers.help == nil, model.opening == .shown, model.timeline.count > 0 else { return }
        guard model.panel == nil, model.timeline.selectedEdge == nil, let index = model.timeline.selectedIndex else {
            return
        }
        // A single row may show an edge; and following leaves the selected message.
        let isEdge = model.timeline.viewport.height <= 1 && model.timeline.visibleIndices.isEmpty
        try demand(
            isEdge || model.timeline.viewport.isFollowing || model.timeline.isVisible(index),
            "the selected message is not on the screen:\n\(frame.text)")
    }
}

extension Effect {
    /// Whether another effect replaces or ends this one.
    fileprivate func isStopped(by other: Effect) -> Bool {
        switch (self, other) {
        case (.ask(.places, _), .stop(.places)), (.ask(.places, _), .ask(.places, _)): true
        case (.ask(.search, _), .stop(.search)), (.ask(.search, _), .ask(.search, _)): true
        default: false
        }
    }
}
