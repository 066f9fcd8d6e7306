import Display

/// A text of several lines that is being written, with undo.
struct TextArea: Hashable, Sendable {
    /// Characters. What is longer than this is a file.
    static let longest = 1 << 20
    /// Changes that can be undone.
    private static let remembered = 500

    /// A stretch of the text that others took the place of.
    private struct Change: Hashable, Sendable {
        let start: Int
        let removed: [Character]
        var inserted: [Character]
        let cursor: Int
        /// Whether what is typed next belongs to it.
        var isOpen: Bool
    }

    private(set) var characters: [Character]
    /// Characters before the cursor.
    private(set) var cursor: Int
    private var changes: [Change] = []
    private var undone: [Change] = []
    /// What was deleted last as a stretch.
    private var killed: [Character] = []
    /// The column that moving up and down keeps to.
    private var goal: Int?

    init(_ text: String = "") {
        characters = TextArea.clean(text)
        cursor = characters.count
    }

    var text: String { String(characters) }
    var isEmpty: Bool { characters.isEmpty }
    /// Whether there is nothing that could be sent.
    var isBlank: Bool { characters.allSatisfy(\.isWhitespace) }

    /// Texts are equal whatever they were before.
    static func == (a: TextArea, b: TextArea) -> Bool { a.characters == b.characters && a.cursor == b.cursor }

    func hash(into hasher: inout Hasher) {
        hasher.combine(characters)
        hasher.combine(cursor)
    }

    /// What may stand in a message: no control characters but line feeds and tabs.
    static func clean(_ text: String) -> [Character] {
        text.compactMap { character in
            if character.isNewline { return "\n" }
            if character == "\t" { return character }
            return character.unicodeScalars.contains { $0.properties.generalCategory == .control } ? nil : character
        }
    }

    // MARK: - Editing

    /// - Returns: whether there was room for it; else nothing has happened.
    mutating func insert(_ new: [Character]) -> Bool {
        guard characters.count + new.count <= TextArea.longest else { return false }
        let isTyping = new.count == 1 && new.first?.isWhitespace == false
        if isTyping, let last = changes.last, last.isOpen, last.start + last.inserted.count == cursor {
            changes[changes.count - 1].inserted += new
            characters.insert(contentsOf: new, at: cursor)
            cursor += 1
            (undone, goal) = ([], nil)
        } else {
            replace(cursor..<cursor, with: new, isOpen: isTyping)
        }
        return true
    }

    /// Puts a text in the place of the last characters before the cursor.
    mutating func replace(before count: Int, with text: String) {
        replace(max(0, cursor - count)..<cursor, with: TextArea.clean(text))
    }

    /// Edits as emacs does. False for what is no edit.
    mutating func edit(_ action: Action) -> Bool {
        switch action {
        case .fieldLeft: move(to: cursor - 1)
        case .fieldRight: move(to: cursor + 1)
        case .fieldStart: move(to: lineStart)
        case .fieldEnd: move(to: lineEnd)
        case .fieldWordLeft: move(to: characters.wordStart(before: cursor))
        case .fieldWordRight: move(to: characters.wordEnd(behind: cursor))
        case .fieldBackspace: replace(max(0, cursor - 1)..<cursor, with: [])
        case .fieldDelete: replace(cursor..<min(characters.count, cursor + 1), with: [])
        case .fieldDeleteWord: kill(characters.wordStart(before: cursor)..<cursor)
        case .fieldDeleteToStart: kill(lineStart..<cursor)
        // At the end of a line the line feed goes.
        case .fieldDeleteToEnd: kill(cursor..<max(lineEnd, min(characters.count, cursor + 1)))
        case .fieldYank: replace(cursor..<cursor, with: killed)
        case .fieldNewLine: return insert(["\n"])
        case .fieldUndo: undo()
        case .fieldRedo: redo()
        default: return false
        }
        return true
    }

    private mutating func move(to place: Int) {
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
        if changes.count > TextArea.remembered { changes.removeFirst() }
        undone = []
        characters.replaceSubrange(range, with: new)
        cursor = range.lowerBound + new.count
    }

    /// What is typed from now on is another change.
    private mutating func close() {
        if let last = changes.indices.last { changes[last].isOpen = false }
    }

    private mutating func undo() {
        guard let change = changes.popLast() else { return }
        undone.append(change)
        characters.replaceSubrange(change.start..<change.start + change.inserted.count, with: change.removed)
        (cursor, goal) = (change.cursor, nil)
    }

    private mutating func redo() {
        guard var change = undone.popLast() else { return }
        change.isOpen = false
        changes.append(change)
        characters.replaceSubrange(change.start..<change.start + change.removed.count, with: change.inserted)
        (cursor, goal) = (change.start + change.inserted.count, nil)
    }

    // MARK: - Places

    private var lineStart: Int {
        characters[..<cursor].lastIndex(of: "\n").map { $0 + 1 } ?? 0
    }

    private var lineEnd: Int { characters[cursor...].firstIndex(of: "\n") ?? characters.count }

    /// The characters between the last blank before the cursor and the cursor.
    var wordBeforeCursor: ArraySlice<Character> {
        // Nothing that is completed is longer.
        let stretch = characters[max(0, cursor - 64)..<cursor]
        return stretch.lastIndex(where: \.isWhitespace).map { stretch[($0 + 1)...] } ?? stretch
    }

    /// Moves by rows of the screen.
    /// - Returns: false where there is no such row.
    mutating func moveRows(_ rows: Int, columns: Int) -> Bool {
        let layout = TextAreaRows(self, columns: columns, height: abs(rows) * 2 + 3)
        let target = layout.cursor.row + rows
        guard layout.rows.indices.contains(target) else { return false }
        let column = goal ?? layout.cursor.column
        close()
        cursor = layout.place(row: target, column: column)
        goal = column
        return true
    }
}

/// The rows of a text area around its cursor.
struct TextAreaRows {
    struct Row {
        let range: Range<Int>
        let text: CleanText
    }

    let rows: [Row]
    let cursor: (row: Int, column: Int)
    private let characters: [Character]

    /// Characters of one line on either side of the cursor that are looked at: who pastes a megabyte sees what stands there.
    private static let reach = 4_096

    /// - Parameter height: the rows that are wanted; there are fewer where the text is shorter, and some more.
    init(_ area: TextArea, columns: Int, height: Int) {
        characters = area.characters
        let columns = max(2, columns)
        var rows: [Row] = []
        // So many rows before and behind the cursor are enough, whatever they hold.
        var start = area.cursor
        var feeds = 0
        while start > 0, area.cursor - start < TextAreaRows.reach {
            if characters[start - 1] == "\n" { feeds += 1 }
            if feeds > height { break }
            start -= 1
        }
        var end = area.cursor
        feeds = 0
        while end < characters.count, end - area.cursor < TextAreaRows.reach, feeds <= height {
            if characters[end] == "\n" { feeds += 1 }
            end += 1
        }
        while start <= end {
            let next = TextAreaRows.row(of: characters, from: start, to: end, columns)
            rows.append(next.row)
            guard let following = next.following else { break }
            start = following
        }
        let row = rows.lastIndex { $0.range.lowerBound <= area.cursor } ?? 0
        let before = rows.isEmpty ? [] : characters[rows[row].range.lowerBound..<area.cursor]
        let column = min(columns - 1, CleanText(String(before)).columns)
        self.rows = rows
        cursor = (row, column)
    }

    /// The row that begins at a place, and where the one behind it begins.
    private static func row(
        of characters: [Character], from start: Int, to end: Int, _ columns: Int
    ) -> (row: Row, following: Int?) {
        var width = 0
        var place = start
        var lastBlank: Int?
        while place < end, characters[place] != "\n" {
            let columnsOfThis = CleanText(String(characters[place])).columns
            // The last column is the cursor's.
            if width + columnsOfThis > columns - 1, place > start {
                let split = lastBlank.map { $0 + 1 } ?? place
                return (made(characters, start..<split), split)
            }
            if characters[place].isWhitespace { lastBlank = place }
            width += columnsOfThis
            place += 1
        }
        return (made(characters, start..<place), place < end ? place + 1 : nil)
    }

    private static func made(_ characters: [Character], _ range: Range<Int>) -> Row {
        Row(range: range, text: CleanText(String(characters[range])))
    }

    /// The place in the text of a column of a row, or of the last one before it.
    func place(row: Int, column: Int) -> Int {
        let range = rows[row].range
        var width = 0
        for place in range {
            width += CleanText(String(characters[place])).columns
            if width > column { return place }
        }
        // The end of a row that goes on is the beginning of the next one.
        let goesOn = row + 1 < rows.count && rows[row + 1].range.lowerBound == range.upperBound
        return goesOn ? max(range.lowerBound, range.upperBound - 1) : range.upperBound
    }
}
