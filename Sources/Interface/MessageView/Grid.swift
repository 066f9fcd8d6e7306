import Display

/// The columns of a pane: gutter, time, sender, text, scroll bar. At 60 columns and below, the sender stands above the text.
/// All of it depends on the width and on the names with which the conversation was opened, so that loading never moves a column.
struct Grid: Equatable, Sendable {
    let columns: Int
    /// The columns of the longest name; nil if the names are not known.
    private let names: Int?
    /// Whether rows hold nothing but words: for a screen reader.
    let isPlain: Bool
    let style: GridStyle

    /// - Parameter names: the columns of the longest name; nil if the names are not known.
    init(columns: Int, names: Int? = nil, isPlain: Bool = false, style: GridStyle = GridStyle()) {
        self.columns = max(1, columns)
        self.names = names
        self.isPlain = isPlain
        self.style = style
    }

    /// The same kind of grid for other columns and names.
    func with(columns: Int, names: Int?) -> Grid {
        Grid(columns: columns, names: names, isPlain: isPlain, style: style)
    }

    /// Longer lines are hard to read.
    private static let measure = 120

    /// Stands before each row of code.
    var codeMark: CleanText { isPlain ? "" : "│ " }
    /// Stands before a row that continues a line of code.
    var wrappedCodeMark: CleanText { isPlain ? "" : "↪ " }

    var isNarrow: Bool { columns <= 60 }

    /// The columns of the mark at the selected message.
    var gutter: Int { columns >= 8 && !isPlain ? 1 : 0 }

    /// The blanks before title, day and status, as wide as the gutter.
    var margin: CleanText { CleanText.blanks(gutter) }

    /// The scroll bar and, where there is room, a blank before it.
    var rightMargin: Int { isPlain ? 0 : columns >= 30 ? 2 : columns >= 8 ? 1 : 0 }

    private static let leastNameColumns = 8

    var nameColumns: Int {
        // At most a third, so that texts keep room.
        if let width = style.nameColumns { return min(width, columns / 3) }
        return min(mostNameColumns, max(Grid.leastNameColumns, names ?? mostNameColumns))
    }

    private var mostNameColumns: Int {
        switch columns {
        case ..<80: 8
        case ..<100: 12
        case ..<140: 14
        default: 18
        }
    }

    /// The first column of texts.
    var textStart: Int { isNarrow ? gutter : gutter + style.clockColumns + 2 + nameColumns + 2 }

    /// The columns between the beginning of texts and the right margin.
    var bodyColumns: Int { max(1, columns - textStart - rightMargin) }

    /// The columns of texts, code and quotes: all of them have one right edge, where reactions and reply counts end, too.
    var textColumns: Int { min(Grid.measure, bodyColumns) }

    /// The columns of code after the mark.
    var codeColumns: Int { max(1, textColumns - codeMark.columns) }
}
