import Display

/// A line of text with a cursor.
struct TextField: Hashable, Sendable {
    /// The most characters. Nobody types more, but a paste may be of any length.
    static let longest = 20_000

    private var characters: [Character]
    /// The number of characters before the cursor.
    private(set) var cursor: Int
    /// True if all text is selected: typed text replaces it.
    private(set) var isSelected = false
    /// The text as it was used last.
    private var used = ""

    init(_ text: String = "") {
        characters = Array(text)
        cursor = characters.count
    }

    var text: String { String(characters) }
    var isEmpty: Bool { characters.isEmpty }

    /// Call this before the text is used as a whole.
    /// - Returns: false if only the cursor has moved since.
    mutating func settle() -> Bool {
        defer { used = text }
        return text != used
    }

    mutating func select() { isSelected = !isEmpty }

    private mutating func clear() { (characters, cursor, isSelected) = ([], 0, false) }

    mutating func insert(_ new: [Character]) {
        if isSelected { clear() }
        let new = new.prefix(max(0, TextField.longest - characters.count))
        characters.insert(contentsOf: new, at: cursor)
        cursor += new.count
    }

    /// Edits as in readline.
    /// - Returns: false for other actions, and for Backspace in an empty field.
    mutating func edit(_ action: Action) -> Bool {
        if isEmpty, action == .fieldBackspace { return false }
        let wasSelected = isSelected
        isSelected = false
        if wasSelected, [.fieldBackspace, .fieldDelete, .fieldDeleteWord, .fieldDeleteNextWord].contains(action) {
            clear()
            return true
        }
        switch action {
        case .fieldLeft: cursor = max(0, cursor - 1)
        case .fieldRight: cursor = min(characters.count, cursor + 1)
        case .fieldStart: cursor = 0
        case .fieldEnd: cursor = characters.count
        case .fieldWordLeft: cursor = characters.wordStart(before: cursor)
        case .fieldWordRight: cursor = characters.wordEnd(after: cursor)
        case .fieldBackspace: remove(max(0, cursor - 1)..<cursor)
        case .fieldDelete: remove(cursor..<min(characters.count, cursor + 1))
        case .fieldDeleteWord: remove(characters.wordStart(before: cursor)..<cursor)
        case .fieldDeleteNextWord: remove(cursor..<characters.wordEnd(after: cursor))
        case .fieldDeleteToStart: remove(0..<cursor)
        case .fieldDeleteToEnd: remove(cursor..<characters.count)
        default: return false
        }
        return true
    }

    private mutating func remove(_ range: Range<Int>) {
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }
}

extension [Character] {
    /// The beginning of the last word that begins before a place.
    func wordStart(before place: Int) -> Int {
        var start = place
        while start > 0, self[start - 1].isWhitespace { start -= 1 }
        while start > 0, !self[start - 1].isWhitespace { start -= 1 }
        return start
    }

    /// The end of the first word that ends after a place.
    func wordEnd(after place: Int) -> Int {
        var end = place
        while end < count, self[end].isWhitespace { end += 1 }
        while end < count, !self[end].isWhitespace { end += 1 }
        return end
    }
}

extension TextField {
    /// The part of the text around the cursor that fits into these columns, and the column of the cursor in it.
    func visible(columns: Int) -> (text: CleanText, cursor: Int) {
        let columns = max(1, columns)
        // Nearly every character takes a column, so twice as many characters on either side are enough.
        let before = CleanText(String(characters[max(0, cursor - 2 * columns)..<cursor]))
        let after = CleanText(String(characters[cursor..<min(characters.count, cursor + 2 * columns)]))
        guard before.columns >= columns else {
            return ((before + after).prefix(columns: columns), before.columns)
        }
        let kept = before.suffix(columns: columns - 1)
        return ((kept + after).prefix(columns: columns), kept.columns)
    }
}

extension TextField {
    /// Handles a text, or an action that edits one.
    /// - Returns: `typed` if the field has changed; nothing for any other event.
    mutating func take(_ event: PanelEvent) -> [Outcome] {
        switch event {
        case .text(let characters):
            insert(characters)
            return [.typed]
        case .edit(let action): return edit(action) ? [.typed] : []
        default: return []
        }
    }
}
