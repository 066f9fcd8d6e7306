import Display

/// The columns of a pane: gutter, time, sender, text, scroll bar. At 60 columns and below, the sender stands above the text.
/// All of it depends on the width alone, so that loading never moves a column.
struct Grid: Equatable, Sendable {
    let columns: Int

    init(columns: Int) { self.columns = max(1, columns) }

    static let timeColumns = 5
    /// Columns after the text that are kept free, so that reactions and reply counts need no row of their own.
    static let metaColumns = 5
    /// Longer lines of prose are hard to read. Code uses all columns.
    private static let measure = 120

    /// Stands before each row of code.
    static let codeMark: CleanText = "│ "

    var isNarrow: Bool { columns <= 60 }

    /// The columns of the mark at the selected message.
    var gutter: Int { columns >= 8 ? 1 : 0 }

    /// The blanks before title, day and status, as wide as the gutter.
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

    /// The first column of texts.
    var textStart: Int { isNarrow ? gutter : gutter + Grid.timeColumns + 2 + nameColumns + 2 }

    /// The columns between the beginning of texts and the right margin.
    var bodyColumns: Int { max(1, columns - textStart - rightMargin) }

    /// The columns that prose is wrapped to.
    var textColumns: Int { isNarrow ? bodyColumns : min(Grid.measure, max(1, bodyColumns - Grid.metaColumns)) }

    /// The columns of code after the mark.
    var codeColumns: Int { max(1, bodyColumns - Grid.codeMark.columns) }

    /// The column, counted from the beginning of texts, where reactions and reply counts end.
    var metaEnd: Int { min(bodyColumns, textColumns + Grid.metaColumns) }
}
