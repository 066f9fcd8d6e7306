import Display
import Messages

/// The layers over the messages: the panel that has the keys, its content, and the help in front of all.
struct Layers: Sendable {
    /// The open panel; nil when the panes have the keys.
    var panel: Panel? {
        didSet {
            if panel != .prompt { prompt = nil }
            if panel != .sheet { sheet = nil }
        }
    }
    /// The question of the panel `prompt`.
    var prompt: (any Prompt)?
    /// The list of the panel `sheet`.
    var sheet: (any Sheet)?
    /// Nil when the help is closed.
    var help: Help?
    var pictures = PictureViewer()
    /// The number of sheets opened so far.
    private(set) var sheets = 0
    /// The failed requests of the open sheet.
    private(set) var retries = Retries()
    /// True if the store may still be working for a sheet.
    private var hasAsked = false

    mutating func ask(_ prompt: any Prompt) {
        self.prompt = prompt
        panel = .prompt
    }

    mutating func close() -> [Effect] {
        panel = nil
        defer { hasAsked = false }
        return hasAsked ? [.stop(.sheet)] : []
    }

    // MARK: - Sheets

    mutating func open(_ sheet: any Sheet) {
        panel = .sheet
        sheets += 1
        retries = Retries()
        self.sheet = sheet
    }

    mutating func inSheet(_ body: (inout any Sheet) -> [Outcome]) -> [Outcome] {
        guard var open = sheet else { return [] }
        // The sheet would be copied if it were held twice.
        sheet = nil
        defer { sheet = open }
        return body(&open)
    }

    /// Sends a request of the open sheet.
    mutating func ask(_ question: Request) -> Effect {
        hasAsked = true
        return .ask(question, .sheet(sheets, rest: question))
    }

    /// True if a reply is for the sheet that was opened last.
    mutating func hears(_ reply: Reply, forSheet number: Int) -> Bool {
        guard number == sheets else { return false }
        // A request may have many replies. Each one shows that the store responds.
        if reply.error == nil { retries = Retries() }
        return true
    }

    /// Retries a failed request of the open sheet after a pause.
    /// - Parameter rest: the request for the remaining replies.
    mutating func retryLater(_ reply: Reply, rest: Request) -> [Effect] {
        guard let error = reply.error, sheet != nil else { return [] }
        return [retries.fail(error, .sheet(sheets, rest: rest))].compactMap(\.self)
    }

    mutating func retry(_ rest: Request, ofSheet number: Int) -> [Effect] {
        guard number == sheets, sheet != nil else { return [] }
        retries.begin()
        return [.ask(rest, .sheet(number, rest: rest))]
    }
}

/// A list that covers the conversation, opened for one purpose and forgotten when it is closed. A new sheet takes a file, and a
/// call of `open`.
protocol Sheet: Component where Surroundings == Context {
    /// The first requests of the sheet.
    mutating func begin(in context: Context) -> [Outcome]
    mutating func receive(_ reply: Reply, in context: Context) -> [Outcome]
    /// Handles bookmarks that were read or changed.
    mutating func take(_ bookmarks: [Bookmark], in context: Context) -> [Outcome]
    /// Handles a new size of the screen.
    mutating func resized(in context: Context) -> [Outcome]
    /// True if there is nothing to choose from yet.
    /// - Parameter hasHeld: true if keys wait for the whole list, so that they choose the same at any speed.
    func awaitsRows(hasHeld: Bool) -> Bool
    func frame(on screen: ListScreen, in context: Context, looks: Looks) -> Frame
}

extension Sheet {
    mutating func begin(in context: Context) -> [Outcome] { [] }
    mutating func receive(_ reply: Reply, in context: Context) -> [Outcome] { [] }
    mutating func take(_ bookmarks: [Bookmark], in context: Context) -> [Outcome] { [] }
    mutating func resized(in context: Context) -> [Outcome] { [] }
    func awaitsRows(hasHeld: Bool) -> Bool { false }
}
