import Glibc

/// How many bytes had which effect. Bytes that move the cursor or set a colour count for the cell that is written next.
struct Tally {
    /// Cells within the area that scrolls, scrolling, and erasing more than a row.
    var content = 0
    /// Cells of the rows and the column around it.
    var frame = 0
    /// Bytes after the last cell, which put the cursor into its final place.
    var rest = 0

    var total: Int { content + frame + rest }
}

/// The screen of a terminal of the type xterm-256color after some bytes: the text of its cells, without looks. It knows
/// the sequences that ncurses, less and lnav send to such a terminal.
struct VirtualScreen {
    let rows: Int
    let columns: Int
    var tally = Tally()
    /// Rows from the top and from the bottom, and columns from the right, around the area that scrolls.
    var frame = (top: 2, bottom: 1, right: 2)

    /// The characters of each cell; the second cell of a wide one has none.
    private(set) var cells: [[String]]
    var row = 0
    var column = 0
    var saved = (row: 0, column: 0)
    /// The rows that scroll.
    var region: ClosedRange<Int>
    /// The last column is written, and the next character goes to the next row.
    var isWrapPending = false
    private var lastCharacter: Unicode.Scalar = " "
    private var parser = SequenceParser()
    private var answers = ""
    private var untold = 0

    init(rows: Int, columns: Int) {
        self.rows = rows
        self.columns = columns
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        region = 0...(rows - 1)
    }

    /// A row without the blanks at its end.
    func text(_ row: Int) -> String {
        let end = cells[row].lastIndex { $0 != " " && $0 != "" }
        return cells[row][..<(end.map { $0 + 1 } ?? 0)].joined()
    }

    /// Whether the text is visible there, perhaps broken at the end of a row.
    func contains(_ text: String, in rows: Range<Int>) -> Bool { cells[rows].joined().joined().contains(text) }

    func contains(_ text: String) -> Bool { contains(text, in: 0..<rows) }

    func isBlank(_ row: Int) -> Bool { cells[row].allSatisfy { $0 == " " } }

    /// All rows, in a box.
    var dump: String {
        let line = "+" + String(repeating: "-", count: columns) + "+"
        return ([line] + (0..<rows).map { "|" + text($0) } + [line]).joined(separator: "\n")
    }

    /// The requests of the program to the terminal.
    mutating func takeAnswers() -> String {
        defer { answers = "" }
        return answers
    }

    mutating func feed(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes {
            untold += 1
            guard let token = parser.next(byte) else { continue }
            switch token {
            case .character(let scalar): put(scalar)
            case .control(let control): obey(control)
            case .escape(let final): escape(final)
            case .sequence(let sequence): obey(sequence)
            case .nothing: break
            }
        }
        tally.rest += untold
        untold = 0
    }

    mutating func answer(_ text: String) { answers += text }

    /// Notes the effect of the bytes that came.
    mutating func account(row: Int, column: Int) {
        let isFrame = row < frame.top || row >= rows - frame.bottom || column >= columns - frame.right
        let bytes = untold + tally.rest
        (untold, tally.rest) = (0, 0)
        if isFrame { tally.frame += bytes } else { tally.content += bytes }
    }

    mutating func accountForContent() { account(row: frame.top, column: 0) }
}

/// libc's `wcwidth`, which all these programs use. Its header hides it from Swift, so it is found by its name.
private enum Columns {
    private typealias Function = @convention(c) (Int32) -> Int32
    private static let function = dlsym(nil, "wcwidth").map { unsafeBitCast($0, to: Function.self) }

    static func of(_ scalar: Unicode.Scalar) -> Int { Int(function?(Int32(scalar.value)) ?? 1) }
}

// MARK: - Cells

extension VirtualScreen {
    mutating func put(_ scalar: Unicode.Scalar) {
        let width = Columns.of(scalar)
        guard width > 0 else {
            if width == 0 {
                let target = isWrapPending ? column : max(0, column - 1)
                cells[row][target] += String(Character(scalar))
                account(row: row, column: target)
            }
            return
        }
        if isWrapPending || column + width > columns {
            lineFeed()
            column = 0
        }
        isWrapPending = false
        account(row: row, column: column)
        cells[row][column] = String(Character(scalar))
        if width == 2 { cells[row][column + 1] = "" }
        lastCharacter = scalar
        column += width
        if column >= columns {
            column = columns - 1
            isWrapPending = true
        }
    }

    mutating func repeatLast(_ count: Int) { for _ in 0..<count { put(lastCharacter) } }

    mutating func erase(_ row: Int, _ columns: Range<Int>) {
        for column in columns { cells[row][column] = " " }
    }

    mutating func lineFeed() {
        if row == region.upperBound {
            scroll(region, by: 1)
        } else {
            row = min(row + 1, rows - 1)
        }
    }

    mutating func reverseLineFeed() {
        if row == region.lowerBound {
            scroll(region, by: -1)
        } else {
            row = max(row - 1, 0)
        }
    }

    /// Moves rows up, or down where the number is negative.
    mutating func scroll(_ range: ClosedRange<Int>, by count: Int) {
        guard count != 0 else { return }
        accountForContent()
        let old = cells
        for target in range {
            let source = target + count
            cells[target] = range.contains(source) ? old[source] : Array(repeating: " ", count: columns)
        }
    }

    mutating func insertCells(_ count: Int) {
        account(row: row, column: column)
        let count = min(count, columns - column)
        cells[row].insert(contentsOf: Array(repeating: " ", count: count), at: column)
        cells[row].removeLast(count)
    }

    mutating func deleteCells(_ count: Int) {
        account(row: row, column: column)
        let count = min(count, columns - column)
        cells[row].removeSubrange(column..<column + count)
        cells[row] += Array(repeating: " ", count: count)
    }
}
