import Display

/// A component that takes the keys while it is open. All of them are in this table: a new one is a folder, and a line here.
struct Panel: Sendable {
    /// The line at the bottom in which `/` and `?` take their words.
    static let find = Panel("find", { $0.finding.handle($1, in: $2) }) { $0.finding.view(in: $0.context) }
    static let search = Panel("search", { $0.search.handle($1, in: $2) }) { .screen(SearchView($0).frame) }
    static let switcher = Panel("switcher", { $0.switcher.handle($1, in: $2) }) { .screen(SwitcherView($0).frame) }
    static let prompt = Panel("prompt", { $0.prompt?.handle($1, in: $2) ?? [] }) { $0.prompt?.view(in: $0.context) }
    static let composer = Panel("composer", { $0.writing.handle($1, in: $2) }, keys: .composing) { _ in .composer }

    private let name: String
    private let component: @Sendable (inout Model, PanelEvent, Context) -> [Outcome]
    /// The keys that hold there.
    let keys: Keymap.Context
    let view: @Sendable (Model) -> PanelView?

    private init(
        _ name: String, _ component: @escaping @Sendable (inout Model, PanelEvent, Context) -> [Outcome],
        keys: Keymap.Context = .typing, view: @escaping @Sendable (Model) -> PanelView?
    ) {
        self.name = name
        self.component = component
        self.keys = keys
        self.view = view
    }

    func handle(_ event: PanelEvent, in model: inout Model) -> [Outcome] {
        let context = model.context
        return component(&model, event, context)
    }

    /// Whether the messages stay in use beside it: the mouse works on them, and the messages on the screen count as read.
    var isBesideMessages: Bool { self == .composer }
}

extension Panel: Equatable {
    static func == (left: Panel, right: Panel) -> Bool { left.name == right.name }
}

extension Model {
    /// Brings an event to the component that has the keys.
    mutating func handle(_ event: PanelEvent) -> [Outcome] {
        guard let panel else { return [] }
        return panel.handle(event, in: &self)
    }

    /// A question about a message, or a text for the conversation, is left with the conversation.
    mutating func closePanelOfConversation() {
        if panel == .composer || prompt?.isAboutMessage == true { panel = nil }
    }
}
