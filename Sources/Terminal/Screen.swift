internal import CNcurses
package import Display

/// The terminal as a full screen, for as long as this value lives; afterwards it is as it was found.
///
/// ncurses is not thread-safe: one thread makes, uses and ends all screens.
package struct Screen: ~Copyable {
    /// What keys and the mouse are read from, to be polled.
    package let inputDescriptor: Int32
    package private(set) var size = Size(columns: 1, rows: 1)
    /// Whether the terminal is gone: there will be no more keys.
    package internal(set) var isClosed = false

    let outputDescriptor: Int32
    private let files: [UnsafeMutablePointer<FILE>]
    private let terminal: OpaquePointer
    let window: UnsafeMutablePointer<WINDOW>
    let palette: Palette
    var decoder: KeyDecoder
    var clicks = ClickCounter()
    /// When bytes came from the terminal last.
    var lastRead = ContinuousClock.now
    /// Whether the terminal is of a kind that can report its mouse.
    let hasMouse: Bool
    /// Whether it has been told to, and to mark what is pasted.
    var isReporting = false
    /// Whether ncurses cuts a wide character in two that ends just before the last cell of the screen: it takes its second
    /// half for the last cell, which it reaches by an insertion where the terminal cannot be told not to wrap (tmux, screen).
    let cutsBeforeLastCell: Bool

    /// Whether stdin and stdout both are a terminal.
    package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// How large the terminal at stdout is, without taking it over; 80x24 when it does not say.
    package static var terminalSize: Size {
        var columns: Int32 = 0
        var rows: Int32 = 0
        guard cn_terminal_size(STDOUT_FILENO, &columns, &rows), columns > 0, rows > 0 else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: Int(columns), rows: Int(rows))
    }

    /// Takes over the terminal at stdin and stdout, of the kind that TERM names.
    /// - Parameter signals: are watched before, so that one that comes meanwhile leaves no terminal behind as ncurses has it.
    package init(color: Bool, watching signals: SignalPipe) throws(TerminalError) {
        let term = getenv("TERM").map { String(cString: $0) }
        try self.init(color: color, input: STDIN_FILENO, output: STDOUT_FILENO, term: term)
    }

    /// Takes over the terminal at the given descriptors, which stay the caller's.
    package init(color: Bool, input: Int32, output: Int32, term: String?) throws(TerminalError) {
        guard isatty(input) == 1, isatty(output) == 1 else {
            throw TerminalError("stdin and stdout must be a terminal to show a screen; try a command like `kedge show`")
        }
        let term = term ?? ""
        try Self.check(term, output)
        Width.prepare()
        // ncurses keeps the streams: they must be of its own to outlive whatever happens to stdin and stdout.
        guard let inputFile = fdopen(dup(input), "r"), let outputFile = fdopen(dup(output), "w") else {
            throw TerminalError("the terminal cannot be opened: \(String(cString: strerror(cn_errno())))")
        }
        guard let terminal = newterm(term, outputFile, inputFile) else {
            fclose(inputFile)
            fclose(outputFile)
            throw TerminalError("ncurses cannot start on a terminal of the kind '\(CleanText(term))'; set TERM")
        }
        // A window of its own, as large as the screen.
        guard let window = newwin(0, 0, 0, 0) else {
            endwin()
            delscreen(terminal)
            fclose(inputFile)
            fclose(outputFile)
            throw TerminalError("not enough memory for a screen")
        }
        inputDescriptor = input
        outputDescriptor = fileno(outputFile)
        files = [inputFile, outputFile]
        self.terminal = terminal
        self.window = window
        raw()
        noecho()
        nonl()
        // A frame is drawn whole even when keys are waiting: its reader has taken all there were.
        typeahead(-1)
        // Keys are decoded here, not in ncurses; this makes the terminal send them as terminfo says.
        keypad(window, true)
        idlok(window, true)
        cn_shorten_looks()
        palette = Palette(color: color)
        decoder = KeyDecoder(sequences: KeySequences.ofCurrentTerminal())
        cutsBeforeLastCell = cn_key_sequence("rmam") == nil
        hasMouse = KeySequences.currentTerminalHasMouse
        curs_set(0)
        _ = updateSize()
    }

    deinit {
        set_term(terminal)
        if isReporting { turnReports(on: false) }
        delwin(window)
        endwin()
        delscreen(terminal)
        for file in files { fclose(file) }
    }

    /// Gives the terminal back.
    package consuming func close() {}

    private static func check(_ term: String, _ output: Int32) throws(TerminalError) {
        let advice = "set it to what your terminal is, for example TERM=xterm-256color"
        guard !term.isEmpty else { throw TerminalError("TERM is not set; \(advice)") }
        switch cn_problem_of_terminal(term, output) {
        case CN_UNKNOWN: throw TerminalError("TERM is '\(CleanText(term))', which terminfo does not know; \(advice)")
        case CN_NO_DATABASE: throw TerminalError("there is no terminfo database; install ncurses-base")
        case CN_NO_CURSOR:
            throw TerminalError("TERM is '\(CleanText(term))', a terminal that cannot show a full screen; \(advice)")
        default: break
        }
    }

    /// Asks the terminal how large it is now. To be called after a resize, before the next frame is made.
    package mutating func updateSize() -> Size {
        select()
        var columns: Int32 = 0
        var rows: Int32 = 0
        if !cn_terminal_size(outputDescriptor, &columns, &rows) || columns == 0 || rows == 0 {
            // A terminal that does not know (a serial line): what ncurses has from LINES, COLUMNS or terminfo.
            columns = getmaxx(window)
            rows = getmaxy(window)
        }
        columns = max(1, columns)
        rows = max(1, rows)
        if columns != getmaxx(window) || rows != getmaxy(window) || columns != size.columns || rows != size.rows {
            resizeterm(rows, columns)
            wresize(window, rows, columns)
            size = Size(columns: Int(getmaxx(window)), rows: Int(getmaxy(window)))
        }
        return size
    }

    /// Gives the terminal back to the shell and stops, as ^Z does. Returns when continued: the size may be another then,
    /// and `drawAnew` takes the terminal again.
    package mutating func suspend() {
        select()
        turnReports(on: false)
        isReporting = false
        endwin()
        cn_stop()
    }

    /// Makes this the screen that ncurses' functions mean.
    func select() {
        set_term(terminal)
    }
}
