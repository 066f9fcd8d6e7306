internal import CNcurses
package import Display

/// A kind of terminal that can show a screen.
package struct TerminalKind: Sendable {
    /// Its name in terminfo.
    let name: String
    /// Whether it measures clusters, and would draw two cells of Indic letters as one (`CleanText.apart`).
    let joinsCells: Bool

    /// The kind that TERM names, of the terminal at stdin and stdout. Looking it up changes nothing at the terminal.
    package static func ofEnvironment() throws(TerminalError) -> TerminalKind {
        let term = getenv("TERM").map { String(cString: $0) }
        return try TerminalKind(
            term, input: STDIN_FILENO, output: STDOUT_FILENO,
            joinsCells: joinsCells(term ?? "") { getenv($0).map { String(cString: $0) } })
    }

    /// Whether a terminal measures clusters: kitty, Ghostty, foot, Contour, WezTerm, Windows Terminal and iTerm2 do. They are
    /// also known behind tmux, by variables that programs inherit.
    static func joinsCells(_ term: String, variable: (String) -> String?) -> Bool {
        ["kitty", "ghostty", "foot", "contour", "wezterm"].contains { term.contains($0) }
            || ["KITTY_WINDOW_ID", "GHOSTTY_RESOURCES_DIR", "WEZTERM_PANE", "WT_SESSION"].contains {
                variable($0) != nil
            }
            || variable("LC_TERMINAL") == "iTerm2"
    }

    /// - Parameter term: what TERM says.
    init(_ term: String?, input: Int32, output: Int32, joinsCells: Bool = false) throws(TerminalError) {
        guard isatty(input) == 1, isatty(output) == 1 else {
            throw TerminalError("stdin and stdout must be a terminal to show a screen; try a command like `kedge show`")
        }
        let advice = "set it to what your terminal is, for example TERM=xterm-256color"
        guard let term, !term.isEmpty else { throw TerminalError("TERM is not set; \(advice)") }
        switch cn_problem_of_terminal(term, output) {
        case CN_UNKNOWN: throw TerminalError("TERM is '\(CleanText(term))', which terminfo does not know; \(advice)")
        case CN_NO_DATABASE: throw TerminalError("there is no terminfo database; install ncurses-base")
        case CN_NO_CURSOR:
            throw TerminalError("TERM is '\(CleanText(term))', a terminal that cannot show a full screen; \(advice)")
        default: break
        }
        (name, self.joinsCells) = (term, joinsCells)
    }
}

/// A program between this one and the terminal, which does not pass on sequences that it does not know.
package enum Multiplexer: Hashable, Sendable {
    case tmux
    case screen

    /// By the variables that it sets. TERM alone is there when it runs on the user's own machine, as over ssh.
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

/// Why there can be no screen, and what to do about it, in one line.
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

    /// - Parameter background: of the terminal; nil as long as it is not known.
    func theme(on background: RGB?, count: Int) -> Theme {
        Theme(name, background: background, count: count, changes: changes)
    }
}
