import Algorithms
import Display

/// Where the rows of a text begin at one width, as far as that is known: from the beginning of the text on. A row's break
/// depends on what stands before it alone, so that what is typed after it never moves it, however long a line is; and
/// what was known before a change is known after it.
struct RowStarts: Hashable, Sendable {
    private(set) var columns: Int
    /// Rising, the first one is 0.
    private var starts = [0]

    /// A row of characters that take no column ends here all the same.
    private static let longest = 4_096

    init(columns: Int) { self.columns = columns }

    /// Finds the beginnings of the rows up to the one that a place is in.
    mutating func extend(to place: Int, in characters: [Character]) {
        while let last = starts.last, last <= place {
            guard let next = RowStarts.end(of: characters, from: last, columns: columns).following, next <= place else {
                return
            }
            starts.append(next)
        }
    }

    /// The text from a place on is another now.
    mutating func forget(from place: Int) {
        // Its row, and the one before that, which may take in what begins it now. One more, since characters without a
        // column can stand between the two.
        starts.removeSubrange(max(1, count(upTo: place) - 2)...)
    }

    /// The row that a place is in, of those that are known.
    func row(of place: Int) -> Int { count(upTo: place) - 1 }

    func start(of row: Int) -> Int { starts[row] }

    /// How many rows begin at the place or before it; at least one.
    private func count(upTo place: Int) -> Int {
        starts.dropFirst().partitioningIndex { $0 > place }
    }

    /// Where the row ends that begins at a place, and where the one after it begins.
    static func end(of characters: [Character], from start: Int, columns: Int) -> (end: Int, following: Int?) {
        var width = 0
        var place = start
        var lastBlank: Int?
        while place < characters.count, characters[place] != "\n" {
            let columnsOfThis = RowStarts.columns(of: characters[place])
            // The last column is the cursor's.
            if width + columnsOfThis > columns - 1 || place - start >= longest, place > start {
                let split = lastBlank.map { $0 + 1 } ?? place
                return (split, split)
            }
            if characters[place].isWhitespace { lastBlank = place }
            width += columnsOfThis
            place += 1
        }
        return (place, place < characters.count ? place + 1 : nil)
    }

    static func columns(of character: Character) -> Int {
        // Nothing in a text that is one byte takes another number.
        character.utf8.count == 1 ? 1 : CleanText(String(character)).columns
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

    /// - Parameter height: the rows that are wanted before and after the cursor's; there are fewer where the text is shorter.
    init(_ area: TextArea, columns: Int, height: Int) {
        characters = area.characters
        let starts = area.rowStarts(columns: columns)
        let own = starts.row(of: area.cursor)
        let first = max(0, own - height)
        var rows: [Row] = []
        var start: Int? = starts.start(of: first)
        while let next = start, rows.count <= own - first + height {
            let (end, following) = RowStarts.end(of: characters, from: next, columns: starts.columns)
            rows.append(Row(range: next..<end, text: CleanText(String(characters[next..<end]))))
            start = following
        }
        let before = characters[starts.start(of: own)..<area.cursor]
        self.rows = rows
        cursor = (own - first, min(starts.columns - 1, CleanText(String(before)).columns))
    }

    /// The place in the text of a column of a row, or of the last one before it.
    func place(row: Int, column: Int) -> Int {
        let range = rows[row].range
        var width = 0
        for place in range {
            width += RowStarts.columns(of: characters[place])
            if width > column { return place }
        }
        // The end of a row that goes on is the beginning of the next one.
        let goesOn = row + 1 < rows.count && rows[row + 1].range.lowerBound == range.upperBound
        return goesOn ? max(range.lowerBound, range.upperBound - 1) : range.upperBound
    }
}

extension Model {
    /// Keeps with the text that is being written where its rows begin, so that no key looks at all of it again.
    mutating func layOutComposer() {
        guard panel == .composer else { return }
        let columns = composerColumns
        composer?.area.layOut(columns: columns)
    }
}
