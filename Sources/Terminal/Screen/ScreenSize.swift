internal import CNcurses
internal import Display

/// The size of a terminal, within limits.
enum ScreenSize {
    /// More than any display has pixels for. A terminal may claim 65,535 rows and columns, for which ncurses would
    /// allocate several arrays of cells.
    static let maximum = Size(columns: 2_000, rows: 1_000)

    /// The size that the terminal at a descriptor reports; nil when it does not know, as on a serial line.
    static func reported(by descriptor: Int32) -> Size? {
        var columns: Int32 = 0
        var rows: Int32 = 0
        guard cn_terminal_size(descriptor, &columns, &rows), columns > 0, rows > 0 else { return nil }
        return possible(Size(columns: Int(columns), rows: Int(rows)))
    }

    /// Whether a screen can have the size that the terminal at a descriptor reports; true when it reports none.
    static func isPossible(_ descriptor: Int32) -> Bool {
        var columns: Int32 = 0
        var rows: Int32 = 0
        guard cn_terminal_size(descriptor, &columns, &rows) else { return true }
        return columns <= maximum.columns && rows <= maximum.rows
    }

    /// The size in the variables LINES and COLUMNS, or else the known size.
    static func stated(else known: Size) -> Size {
        func number(_ name: String) -> Int? {
            getenv(name).flatMap { Int(String(cString: $0)) }.flatMap { $0 > 0 ? $0 : nil }
        }
        return possible(Size(columns: number("COLUMNS") ?? known.columns, rows: number("LINES") ?? known.rows))
    }

    /// The nearest size that a screen can have.
    static func possible(_ size: Size) -> Size {
        Size(columns: min(max(1, size.columns), maximum.columns), rows: min(max(1, size.rows), maximum.rows))
    }
}
