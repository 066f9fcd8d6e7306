import Display
import Messages
import Timeline

/// The text that is being written in a conversation.
struct Composer: Hashable, Sendable {
    /// The purpose of the text.
    enum Intent: Hashable, Sendable {
        case message
        case reply(Quote)
        case edit(MessageID)
    }

    var area = TextArea()
    var intent = Intent.message
    /// The text from before an edit. Every edit has one.
    var interrupted: Interrupted?
    /// Candidates for the word before the cursor.
    var completion: Completion?
    /// The number of the sent text that is shown, counted from the newest one; nil for none.
    var recalled: Int?
    /// The people whom the text mentions.
    var calls = Calls()
    /// For an edit: the text of the message that the user has seen.
    var seen: String?
    /// True if `seen` was written while the user was editing another text.
    var isContested = false

    struct Interrupted: Hashable, Sendable {
        let area: TextArea
        let intent: Intent
    }

    init() {}

    /// The composer of a saved draft.
    init(_ text: String, _ purpose: Draft.Purpose) {
        show(text)
        switch purpose {
        case .message: intent = .message
        case .reply(let id): intent = .reply(Quote(id: id, content: .pending))
        }
    }

    /// Words that begin with `@` or `:`.
    struct Completion: Hashable, Sendable {
        struct Candidate: Hashable, Sendable {
            /// The text that replaces the typed word.
            let text: String
            let shown: String
            /// The person whom the candidate mentions.
            var person: PersonID?
        }

        let candidates: [Candidate]
        var selected = 0
        /// The number of characters in the word.
        let length: Int
    }
}

extension Composer {
    /// Shows a text whose mentions are written as links.
    mutating func show(_ linked: String) {
        let (text, calls) = Calls.unlinked(linked)
        area = TextArea(text)
        self.calls.merge(calls)
    }

    /// The message that the text replies to or edits.
    var target: MessageID? {
        switch intent {
        case .message: nil
        case .reply(let quote): quote.id
        case .edit(let id): id
        }
    }

    /// True if Enter changes a message instead of sending one.
    var isEditing: Bool { if case .edit = intent { true } else { false } }

    /// The edit in the form in which it is saved.
    var edit: Draft.Edit { Draft.Edit(calls.linked(area.text), seen: seen) }

    /// Shows a text that was written during an edit: the next Enter may overwrite it.
    mutating func contest(with text: String) { (seen, isContested) = (text, true) }

    /// The text that is shown again when the edit is over.
    var kept: Draft.Reply {
        let (area, intent) = interrupted.map { ($0.area, $0.intent) } ?? (area, intent)
        let text = calls.linked(area.text)
        guard case .reply(let quote) = intent, !area.isEmpty else { return Draft.Reply(text: text) }
        return Draft.Reply(text: text, purpose: .reply(quote.id))
    }
}

extension Composer: Component {
    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch event {
        case .text(let characters): return insert(characters)
        case .edit(let action): return edit(action) ? [.typed] : []
        case .settled: return [.compose(.changed)]
        case .action(let action): return act(action, in: context)
        case .mouse, .key: return []
        }
    }

    private mutating func insert(_ characters: [Character]) -> [Outcome] {
        area.insert(characters) ? [.typed] : [.typed, .warn(Composer.tooLong)]
    }

    static var tooLong: String {
        "too long: a message can have \(TextArea.longest.grouped) characters at most; nothing was added"
    }

    private mutating func edit(_ action: Action) -> Bool {
        // Backspace before the first character turns a reply into a message.
        if action == .fieldBackspace, area.cursor == 0, case .reply = intent {
            intent = .message
            return true
        }
        guard area.edit(action) else { return false }
        recalled = nil
        return true
    }

    private mutating func act(_ action: Action, in context: Context) -> [Outcome] {
        switch action {
        case .activate: return [.compose(.send)]
        case .cancel:
            guard completion != nil else { return [.compose(.leave)] }
            completion = nil
        case .complete:
            guard let completion else { return [] }
            let candidate = completion.candidates[completion.selected]
            area.replace(before: completion.length, with: candidate.text + " ")
            if let person = candidate.person { calls.add(candidate.text, person) }
            self.completion = nil
        case .up: move(by: -1, in: context)
        case .down: move(by: 1, in: context)
        case .editor: return [.compose(.edit)]
        case .pageUp: return [.compose(.scroll(screens: -1))]
        case .pageDown: return [.compose(.scroll(screens: 1))]
        default: return []
        }
        return [.compose(.keep)]
    }

    /// ↑ and ↓ move among the candidates of a completion, or among the rows of the text; in an empty text they bring back
    /// texts that were sent.
    private mutating func move(by step: Int, in context: Context) {
        if var completion {
            let count = completion.candidates.count
            completion.selected = (completion.selected + step + count) % count
            self.completion = completion
            return
        }
        let sent = context.sent
        let isUnchanged = recalled.map { area.text == sent[sent.count - 1 - $0] }
        if area.isEmpty || isUnchanged == true {
            let wanted = (recalled ?? -1) - step
            guard wanted < sent.count else { return }
            recalled = wanted < 0 ? nil : wanted
            area = TextArea(wanted < 0 ? "" : sent[sent.count - 1 - wanted])
            return
        }
        _ = area.moveRows(step, columns: context.composerColumns)
    }
}

/// The composer above the status line: the message that it replies to, and the text.
struct ComposerView {
    let composer: Composer
    /// The message that is replied to, as it is now; nil when it is not loaded.
    let quoted: Quote?
    let isInThread: Bool
    /// The size of the screen.
    let size: Size
    let margin: CleanText

    /// The prompt before each row of the text.
    private static let prompt: CleanText = "› "

    /// Columns of the text.
    static func columns(_ size: Size, margin: CleanText) -> Int {
        max(4, size.columns - 2 * margin.columns - prompt.columns)
    }

    /// The preferred number of rows.
    var height: Int { min(area.rows.count, mostRows) + head.count }

    private var mostRows: Int { max(1, min(8, size.rows / 3)) }

    private var area: TextAreaRows {
        composer.area.rows(columns: ComposerView.columns(size, margin: margin), height: mostRows)
    }

    /// The lines of the composer, and the position of the cursor in them.
    /// - Parameter rows: the rows available.
    func lines(rows: Int) -> (lines: [Line], cursor: ScreenPosition) {
        let (head, area) = (head, area)
        let (first, height) = visible(area, rows: rows)
        var lines = head.map { $0.truncated(to: size.columns) }
        let cursorRow = lines.count + area.cursor.row - first
        let prompt = ComposerView.prompt
        for (index, row) in area.rows[first..<min(area.rows.count, first + height)].enumerated() {
            let isFirst = first + index == 0 && row.range.lowerBound == 0
            let line: Line = [
                Span(margin), Span(isFirst ? prompt : .blanks(prompt.columns), Style(.accent, .bold)), Span(row.text),
            ]
            lines.append(line.truncated(to: size.columns))
        }
        let column = min(size.columns - 1, margin.columns + prompt.columns + area.cursor.column)
        return (lines, ScreenPosition(row: cursorRow, column: column))
    }

    /// The visible rows of the text: always the cursor's row, and as many rows before it as fit.
    private func visible(_ area: TextAreaRows, rows: Int) -> (first: Int, height: Int) {
        let height = max(1, rows - head.count)
        return (max(0, min(area.cursor.row - height + 1, area.rows.count - height)), height)
    }

    /// The place in the text that lies under a cell; nil for a cell outside of the text.
    /// - Parameters:
    ///   - row: from the first row of the composer.
    ///   - rows: the rows that the composer has.
    func place(row: Int, column: Int, rows: Int) -> Int? {
        let area = area
        let (first, height) = visible(area, rows: rows)
        let row = row - head.count
        guard (0..<height).contains(row), area.rows.indices.contains(first + row) else { return nil }
        let column = column - margin.columns - ComposerView.prompt.columns
        return area.place(row: first + row, column: max(0, column))
    }

    /// The purpose of the text; empty for a message outside a thread, or on a low screen.
    private var head: [Line] {
        if size.rows < 6 { return [] }
        switch composer.intent {
        case .message:
            guard isInThread else { return [] }
            return [[Span(margin + "Reply in thread", Style(.accent))]]
        case .edit:
            guard composer.isContested, let other = composer.seen else {
                return [[Span(margin + "Editing message", Style(.accent))]]
            }
            let words: CleanText =
                size.columns < 50 ? "Edited meanwhile to" : "Editing message, which was edited meanwhile to"
            return [[Span(margin + words, Style(.warning))]] + contested(other)
        case .reply(let quote):
            let text =
                switch (quoted ?? quote).content {
                case .message(let sender, let text): "\(sender?.name ?? "")\(sender == nil ? "" : ": ")\(text)"
                case .deleted: "a message that was deleted"
                case .pending, .missing: "\(quote.id)"
                }
            return [[Span(margin + "↳ ", Style(.accent)), Span(CleanText(text), .dim)]]
        }
    }

    /// The rows of a text that an edit would overwrite, as many as there is room for.
    private func contested(_ text: String) -> [Line] {
        let columns = ComposerView.columns(size, margin: margin)
        let most = max(1, min(8, size.rows / 3))
        var area = TextArea(text)
        area.move(to: 0)
        let rows = area.rows(columns: columns, height: most).rows
        return rows.prefix(most).enumerated().map { index, row in
            let isCut = index == most - 1 && rows.count > most
            return [Span(margin + "  "), Span(row.text, .dim), Span(isCut ? " …" : "")]
        }
    }
}
