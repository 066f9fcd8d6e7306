import Display
import Interface
import Messages
import Timeline

/// The program's model with a part of a conversation loaded, and its requests since then.
struct Window {
    var model: Model
    let part: Part
    private var effects: [Effect] = []

    init(_ part: Part, size: Size = .large) {
        self.part = part
        model = Model(size: size, zone: .utc)
        let asked = model.start(in: Talk.conversation, at: part.isLast ? .latest : .index(part.focus))
        for case .ask(_, .list(let request)) in asked { send(.reply(.list(request), .page(.success(part.page)))) }
        // Lets the first moments pass, in which changes are collected.
        let pauses = effects
        for case .wait(_, let event) in pauses { effects += update(&model, event) }
    }

    mutating func send(_ event: Event) { effects = update(&model, event) }

    /// The response to the request of one side.
    func answer(_ side: Pager<Cursor>.Side, count: Int) -> Event? {
        let (first, end) = (part.range.lowerBound, part.range.upperBound)
        let range = side == .older ? first - count..<first : end..<end + count
        for case .ask(_, .page(let ticket)) in effects where ticket.load.side == side {
            return .reply(.page(ticket), .page(.success(Talk.page(range, of: part.total))))
        }
        return nil
    }
}

/// A part of a conversation, and the message at which the user looks. Made once, for as many windows as are measured.
struct Part {
    let range: Range<Int>
    let total: Int
    let focus: Int
    let page: Page

    /// From the middle of the conversation.
    /// - Parameter looked: how far down in the part, from 0 to 1, the message is at which the user looks.
    init(_ count: Int, of total: Int, at looked: Double) {
        let start = total / 2 - count / 2
        self.init(start..<start + count, of: total, focus: start + Int(Double(count - 1) * looked))
    }

    /// The end of the conversation.
    init(last count: Int, of total: Int) { self.init(total - count..<total, of: total, focus: total - 1) }

    private init(_ range: Range<Int>, of total: Int, focus: Int) {
        self.range = range
        self.total = total
        self.focus = focus
        page = Talk.page(range, of: total, focus: focus)
    }

    var isLast: Bool { range.upperBound == total }
}
