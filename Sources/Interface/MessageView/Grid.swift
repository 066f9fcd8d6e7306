import Display

/// The columns of the screen: gutter, time, sender, text, scroll bar. At 60 columns and below the sender moves above the
/// text. It depends on the width alone, so that loading never moves a column.
struct Grid: Equatable, Sendable {
    let columns: Int

    init(columns: Int) { self.columns = max(1, columns) }

    static let timeColumns = 5
    /// Kept free after the text, so that additions of others (reactions, replies) need no row of their own.
    static let metaColumns = 5
    /// Longer lines of prose are hard to read; code uses all there is.
    private static let measure = 120

    /// Stands before each row of code.
    static let codeMark: CleanText = "│ "

    var isNarrow: Bool { columns <= 60 }

    /// The mark of the selected message.
    var gutter: Int { columns >= 8 ? 1 : 0 }

    /// The blanks before the title, the day and the status, as wide as the gutter.
    var margin: CleanText { CleanText.blanks(gutter) }

    /// The scroll bar and, where there is room, a blank before it.
    var rightMargin: Int { columns >= 30 ? 2 : columns >= 8 ? 1 : 0 }

    var nameColumns: Int {
        switch columns {
        case ..<80: 8
        case ..<100: 12
        case ..<140: 14
        default: 18
        }
    }

    /// Where texts begin.
    var textStart: Int { isNarrow ? gutter : gutter + Grid.timeColumns + 2 + nameColumns + 2 }

    /// Columns from where texts begin to the right margin.
    var bodyColumns: Int { max(1, columns - textStart - rightMargin) }

    /// Columns that prose is wrapped to.
    var textColumns: Int { isNarrow ? bodyColumns : min(Grid.measure, max(1, bodyColumns - Grid.metaColumns)) }

    /// Columns of code after the mark before it.
    var codeColumns: Int { max(1, bodyColumns - Grid.codeMark.columns) }

    /// Columns from where texts begin to where reactions and replies end.
    var metaEnd: Int { min(bodyColumns, textColumns + Grid.metaColumns) }
}
