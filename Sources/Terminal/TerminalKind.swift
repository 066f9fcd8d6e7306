internal import CNcurses
package import Display

/// A kind of terminal that can show a screen.
package struct TerminalKind: Sendable {
    /// Its name in terminfo.
    let name: String
    /// True if it measures clusters, and would draw two cells of Indic letters as one (`CleanText.apart`).
    let joinsCells: Bool

    /// The kind that TERM names. It is looked up in terminfo with the screen, once.
    package static func ofEnvironment() throws(TerminalError) -> TerminalKind {
        let term = getenv("TERM").map { String(cString: $0) }
        return try TerminalKind(
            term, joinsCells: joinsCells(term ?? "") { getenv($0).map { String(cString: $0) } })
    }

    /// True if a terminal measures clusters: kitty, Ghostty, foot, Contour, WezTerm, Windows Terminal and iTerm2 do. They are
    /// also known behind tmux, by variables that programs inherit.
    static func joinsCells(_ term: String, variable: (String) -> String?) -> Bool {
        ["kitty", "ghostty", "foot", "contour", "wezterm"].contains { term.contains($0) }
            || ["KITTY_WINDOW_ID", "GHOSTTY_RESOURCES_DIR", "WEZTERM_PANE", "WT_SESSION"].contains {
                variable($0) != nil
            }
            || variable("LC_TERMINAL") == "iTerm2"
    }

    /// - Parameter term: the value of TERM.
    init(_ term: String?, joinsCells: Bool = false) throws(TerminalError) {
        guard let term, !term.isEmpty else { throw TerminalError("TERM is not set; \(TerminalKind.advice)") }
        (name, self.joinsCells) = (term, joinsCells)
    }

    private static let advice = "set it to what your terminal is, for example TERM=xterm-256color"

    /// The reason why ncurses has refused this kind for the terminal at a descriptor.
    func refusal(at output: Int32) -> TerminalError {
        switch cn_problem_of_terminal(name, output) {
        case CN_UNKNOWN:
            TerminalError("TERM is '\(CleanText(name))', which terminfo does not know; \(TerminalKind.advice)")
        case CN_NO_DATABASE: TerminalError("there is no terminfo database; install ncurses-base")
        default: TerminalError("ncurses cannot start on a terminal of the kind '\(CleanText(name))'; set TERM")
        }
    }

    /// The error for a kind that has no sequence to move the cursor.
    var lacksCursor: TerminalError {
        TerminalError("TERM is '\(CleanText(name))', a terminal that cannot show a full screen; \(TerminalKind.advice)")
    }
}

/// A program between this one and the terminal, which does not pass on sequences that it does not know.
package enum Multiplexer: Hashable, Sendable {
    case tmux
    case screen

    /// Detected by the variables that it sets; by TERM alone when it runs on another machine, as over ssh.
    package init?(environment: [String: String]) {
        let term = environment["TERM"] ?? ""
        if environment["TMUX"]?.isEmpty == false {
            self = .tmux
        } else if environment["STY"]?.isEmpty == false {
            self = .screen
        } else if term.hasPrefix("tmux") {
            self = .tmux
        } else if term.hasPrefix("screen") {
            self = .screen
        } else {
            return nil
        }
    }
}

/// The reason why there can be no screen, and what to do about it, in one line.
package struct TerminalError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The colours that the user has asked for.
package struct ThemeSettings: Hashable, Sendable {
    let name: Theme.Name
    private let changes: ThemeChanges

    package init(_ name: Theme.Name = .auto, changes: ThemeChanges = ThemeChanges()) {
        (self.name, self.changes) = (name, changes)
    }

    /// - Parameter background: the terminal's background; nil while it is not known.
    func theme(on background: RGB?, count: Int) -> Theme {
        Theme(name, background: background, count: count, changes: changes)
    }
}

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

    /// True if a screen can have the size that the terminal at a descriptor reports; true when it reports none.
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
