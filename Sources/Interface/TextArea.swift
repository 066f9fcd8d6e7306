import Display

/// A text of several lines that is being written, with undo.
struct TextArea: Hashable, Sendable {
    /// The most characters. A longer text should be sent as a file.
    static let longest = 1 << 18
    /// The most bytes of a paste. The terminal cuts a longer one.
    static let longestPaste = 1 << 20
    /// The most changes that can be undone, and the most characters that they may hold.
    private static let remembered = (changes: 500, characters: 1 << 19)

    /// A part of the text that was replaced.
    private struct Change: Hashable, Sendable {
        let start: Int
        let removed: [Character]
        var inserted: [Character]
        let cursor: Int
        /// True if the next typed character joins the change.
        var isOpen: Bool

        var size: Int { removed.count + inserted.count }
    }

    private(set) var characters: [Character]
    /// The number of characters before the cursor.
    private(set) var cursor: Int
    private var changes: [Change] = []
    private var undone: [Change] = []
    /// The text that was deleted last.
    private var killed: [Character] = []
    /// The column to keep while moving up and down.
    private var goal: Int?
    /// The beginnings of the rows at the last width, as far as known.
    private(set) var known = RowStarts(columns: 2)

    init(_ text: String = "") {
        characters = TextArea.clean(text)
        cursor = characters.count
    }

    var text: String { String(characters) }
    var isEmpty: Bool { characters.isEmpty }
    /// True if there is nothing to send.
    var isBlank: Bool { characters.allSatisfy(\.isWhitespace) }

    /// Compares the texts and the cursors, not the histories.
    static func == (a: TextArea, b: TextArea) -> Bool { a.characters == b.characters && a.cursor == b.cursor }

    func hash(into hasher: inout Hasher) {
        hasher.combine(characters)
        hasher.combine(cursor)
    }

    /// The characters of a text that may stand in a message: no control characters but line feeds and tabs.
    static func clean(_ text: String) -> [Character] {
        text.compactMap { character in
            if character.isNewline { return "\n" }
            if character == "\t" { return character }
            return character.unicodeScalars.contains { $0.properties.generalCategory == .control } ? nil : character
        }
    }

    // MARK: - Editing

    /// - Returns: false when there is no room, and nothing is inserted.
    mutating func insert(_ new: [Character]) -> Bool {
        guard characters.count + new.count <= TextArea.longest else { return false }
        let isTyping = new.count == 1 && new.first?.isWhitespace == false
        if isTyping, let last = changes.last, last.isOpen, last.start + last.inserted.count == cursor {
            changes[changes.count - 1].inserted += new
            exchange(cursor..<cursor, for: new)
            cursor += 1
            (undone, goal) = ([], nil)
        } else {
            replace(cursor..<cursor, with: new, isOpen: isTyping)
        }
        return true
    }

    /// Replaces the whole text. The line feeds at its end, which editors add, are left out.
    /// - Returns: false when there is no room, and nothing is changed.
    mutating func replaceAll(with text: String) -> Bool {
        var new = TextArea.clean(text)
        while new.last == "\n" { new.removeLast() }
        guard new.count <= TextArea.longest else { return false }
        if new != characters { replace(0..<characters.count, with: new) }
        return true
    }

    /// Replaces the last characters before the cursor.
    mutating func replace(before count: Int, with text: String) {
        replace(max(0, cursor - count)..<cursor, with: TextArea.clean(text))
    }

    /// Edits as in emacs.
    /// - Returns: false for other actions.
    mutating func edit(_ action: Action) -> Bool {
        switch action {
        case .fieldLeft: move(to: cursor - 1)
        case .fieldRight: move(to: cursor + 1)
        case .fieldStart: move(to: lineStart)
        case .fieldEnd: move(to: lineEnd)
        case .fieldWordLeft: move(to: characters.wordStart(before: cursor))
        case .fieldWordRight: move(to: characters.wordEnd(after: cursor))
        case .fieldBackspace: replace(max(0, cursor - 1)..<cursor, with: [])
        case .fieldDelete: replace(cursor..<min(characters.count, cursor + 1), with: [])
        case .fieldDeleteWord: kill(characters.wordStart(before: cursor)..<cursor)
        case .fieldDeleteNextWord: kill(cursor..<characters.wordEnd(after: cursor))
        case .fieldDeleteToStart: kill(lineStart..<cursor)
        // At the end of a line, this deletes the line feed.
        case .fieldDeleteToEnd: kill(cursor..<max(lineEnd, min(characters.count, cursor + 1)))
        case .fieldYank: replace(cursor..<cursor, with: killed)
        case .fieldNewLine: return insert(["\n"])
        case .fieldUndo: undo()
        case .fieldRedo: redo()
        default: return false
        }
        return true
    }

    /// Moves the cursor.
    /// - Parameter place: the number of characters before the cursor.
    mutating func move(to place: Int) {
        cursor = min(max(0, place), characters.count)
        goal = nil
        close()
    }

    private mutating func kill(_ range: Range<Int>) {
        if !range.isEmpty { killed = Array(characters[range]) }
        replace(range, with: [])
    }

    private mutating func replace(_ range: Range<Int>, with new: [Character], isOpen: Bool = false) {
        goal = nil
        guard !range.isEmpty || !new.isEmpty else { return }
        close()
        changes.append(
            Change(
                start: range.lowerBound, removed: Array(characters[range]), inserted: new, cursor: cursor,
                isOpen: isOpen))
        forgetOldChanges()
        undone = []
        exchange(range, for: new)
        cursor = range.lowerBound + new.count
    }

    private mutating func exchange(_ range: Range<Int>, for new: [Character]) {
        characters.replaceSubrange(range, with: new)
        known.forget(from: range.lowerBound)
    }

    /// Ends the current change: the next typed character begins a new one.
    private mutating func close() {
        if let last = changes.indices.last { changes[last].isOpen = false }
    }

    /// Forgets old changes. The newest one is kept, however large it is.
    private mutating func forgetOldChanges() {
        var size = 0
        var kept = 0
        for change in changes.suffix(TextArea.remembered.changes).reversed() {
            size += change.size
            if kept > 0, size > TextArea.remembered.characters { break }
            kept += 1
        }
        changes.removeFirst(changes.count - kept)
    }

    private mutating func undo() {
        guard let change = changes.popLast() else { return }
        undone.append(change)
        exchange(change.start..<change.start + change.inserted.count, for: change.removed)
        (cursor, goal) = (change.cursor, nil)
    }

    private mutating func redo() {
        guard var change = undone.popLast() else { return }
        change.isOpen = false
        changes.append(change)
        exchange(change.start..<change.start + change.removed.count, for: change.inserted)
        (cursor, goal) = (change.start + change.inserted.count, nil)
    }

    // MARK: - Places

    private var lineStart: Int {
        characters[..<cursor].lastIndex(of: "\n").map { $0 + 1 } ?? 0
    }

    private var lineEnd: Int { characters[cursor...].firstIndex(of: "\n") ?? characters.count }

    /// The characters after the last blank before the cursor, up to the cursor.
    var wordBeforeCursor: ArraySlice<Character> {
        // A longer word cannot be completed.
        let stretch = characters[max(0, cursor - 64)..<cursor]
        return stretch.lastIndex(where: \.isWhitespace).map { stretch[($0 + 1)...] } ?? stretch
    }

    /// The beginnings of the rows, up to the row of the cursor.
    func rowStarts(columns: Int) -> RowStarts {
        let columns = max(2, columns)
        var starts = known.columns == columns ? known : RowStarts(columns: columns)
        starts.extend(to: cursor, in: characters)
        return starts
    }

    /// Caches the beginnings of the rows.
    mutating func layOut(columns: Int) { known = rowStarts(columns: columns) }

    /// The rows around the cursor.
    func rows(columns: Int, height: Int) -> TextAreaRows {
        TextAreaRows(characters, cursor: cursor, starts: rowStarts(columns: columns), height: height)
    }

    /// Moves by rows of the screen.
    /// - Returns: false if there is no such row.
    mutating func moveRows(_ rows: Int, columns: Int) -> Bool {
        let layout = self.rows(columns: columns, height: abs(rows) * 2 + 3)
        let target = layout.cursor.row + rows
        guard layout.rows.indices.contains(target) else { return false }
        let column = goal ?? layout.cursor.column
        close()
        cursor = layout.place(row: target, column: column)
        goal = column
        return true
    }
}

/// The rows of a text that is being written, around the cursor.
struct TextAreaRows {
    struct Row {
        let range: Range<Int>
        let text: CleanText
    }

    let rows: [Row]
    let cursor: (row: Int, column: Int)
    private let characters: [Character]

    /// - Parameters:
    ///   - cursor: the number of characters before the cursor.
    ///   - starts: known at least up to the row of the cursor.
    ///   - height: the most rows before and after the row of the cursor.
    init(_ characters: [Character], cursor place: Int, starts: RowStarts, height: Int) {
        self.characters = characters
        let own = starts.row(of: place)
        let first = max(0, own - height)
        var rows: [Row] = []
        var start: Int? = starts.start(of: first)
        while let next = start, rows.count <= own - first + height {
            let (end, following) = RowStarts.end(of: characters, from: next, columns: starts.columns)
            rows.append(Row(range: next..<end, text: CleanText(String(characters[next..<end]))))
            start = following
        }
        let before = characters[starts.start(of: own)..<place]
        self.rows = rows
        cursor = (own - first, min(starts.columns - 1, CleanText(String(before)).columns))
    }

    /// The place of a column in a row; the end of the row if it is shorter.
    func place(row: Int, column: Int) -> Int {
        let range = rows[row].range
        var width = 0
        for place in range {
            width += RowStarts.columns(of: characters[place])
            if width > column { return place }
        }
        // The end of a wrapped row is already the beginning of the next one.
        let goesOn = row + 1 < rows.count && rows[row + 1].range.lowerBound == range.upperBound
        return goesOn ? max(range.lowerBound, range.upperBound - 1) : range.upperBound
    }
}
