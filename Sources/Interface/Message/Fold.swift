import Display
import Messages

/// Long messages show only their first rows until the user unfolds them.
enum Fold {
    /// Rows of text that a folded message shows.
    static let rows = 12
    /// A message with more rows than these, on a screen of usual width, is folded at first.
    private static let most = 40
    private static let usualColumns = 72

    /// The part of a text that is folded away.
    enum Hidden: Hashable, Sendable {
        case rows(Int)
        /// The size of a text that is too long for its rows to be counted.
        case bytes(Int)
    }

    /// - Parameter columns: the width of each line. It is read only until the text is known to be long.
    static func isLong(_ columns: some Sequence<Int>) -> Bool {
        var rows = 0
        for columns in columns {
            rows += max(1, (columns + usualColumns - 1) / usualColumns)
            if rows > most { return true }
        }
        return false
    }

    /// `… 123 more rows (edited), z unfolds`, `… 4.9 MB more, z unfolds`
    /// - Parameters:
    ///   - isEdited: whether the words about an edit are hidden too.
    ///   - key: unfolds it.
    static func text(_ hidden: Hidden, isEdited: Bool, key: String) -> CleanText {
        let amount =
            switch hidden {
            case .rows(let rows): "\(rows.grouped) more rows"
            case .bytes(let bytes): "\(ByteCount.label(Int64(bytes))) more"
            }
        return CleanText("… \(amount)\(isEdited ? " (edited)" : ""), \(key) unfolds")
    }
}
