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
    /// Whether the terminal reads UTF-8. Where it does not, a byte of a character may be a control to it: it is sent ASCII.
    let isUTF8: Bool
    /// The size where the terminal does not say: by LINES and COLUMNS, else by terminfo.
    private let statedSize: Size

    /// Whether stdin and stdout both are a terminal.
    package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// How large the terminal at stdout is, without taking it over; 80x24 when it does not say.
    package static var terminalSize: Size { ScreenSize.told(by: STDOUT_FILENO) ?? Size(columns: 80, rows: 24) }

    /// Takes over the terminal at stdin and stdout.
    /// - Parameter signals: are watched before, so that one that comes meanwhile leaves no terminal behind as ncurses has it.
    package init(color: Bool, kind: TerminalKind, watching signals: SignalPipe) throws(TerminalError) {
        try self.init(
            color: color, input: STDIN_FILENO, output: STDOUT_FILENO, kind: kind, isUTF8: Width.isUTF8)
    }

    /// Takes over the terminal at the given descriptors, which stay the caller's.
    /// - Parameter isUTF8: whether the terminal reads UTF-8; else it is sent ASCII alone.
    package init(
        color: Bool, input: Int32, output: Int32, term: String?, isUTF8: Bool = true
    ) throws(TerminalError) {
        try self.init(
            color: color, input: input, output: output, kind: try TerminalKind(term, input: input, output: output),
            isUTF8: isUTF8)
    }

    private init(
        color: Bool, input: Int32, output: Int32, kind: TerminalKind, isUTF8: Bool
    ) throws(TerminalError) {
        Width.prepare()
        // ncurses keeps the streams: they must be of its own to outlive whatever happens to stdin and stdout.
        guard let inputFile = fdopen(dup(input), "r"), let outputFile = fdopen(dup(output), "w") else {
            throw TerminalError("the terminal cannot be opened: \(String(cString: strerror(cn_errno())))")
        }
        var settings = termios()
        tcgetattr(output, &settings)
        cn_arm_terminal(fileno(outputFile), &settings)
        // ncurses would make windows of whatever size LINES and COLUMNS claim, or the terminal. Without asking those it begins
        // with terminfo's, where there is one; `updateSize` does the rest.
        use_env(false)
        use_tioctl(ScreenSize.isPossible(output))
        guard let terminal = newterm(kind.name, outputFile, inputFile) else {
            cn_disarm_terminal()
            fclose(inputFile)
            fclose(outputFile)
            throw TerminalError("ncurses cannot start on a terminal of the kind '\(CleanText(kind.name))'; set TERM")
        }
        // A window of its own, as large as the screen.
        guard let window = newwin(0, 0, 0, 0) else {
            endwin()
            delscreen(terminal)
            cn_disarm_terminal()
            fclose(inputFile)
            fclose(outputFile)
            throw TerminalError("not enough memory for a screen")
        }
        inputDescriptor = input
        outputDescriptor = fileno(outputFile)
        files = [inputFile, outputFile]
        self.terminal = terminal
        self.window = window
        self.isUTF8 = isUTF8
        statedSize = ScreenSize.stated(else: Size(columns: Int(getmaxx(window)), rows: Int(getmaxy(window))))
        // Before `raw`: it puts the settings of the terminal back for a moment.
        cn_join_writes()
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
        cn_hold_terminal(true)
        _ = updateSize()
    }

    deinit {
        set_term(terminal)
        var isGivenBack = false
        if cn_begin_output() {
            if isReporting { turnReports(on: false) }
            endwin()
            isGivenBack = cn_end_output()
        }
        // A signal has ended the program, maybe while the terminal took nothing: without ncurses, which would wait for it.
        if !isGivenBack { cn_restore_terminal() }
        cn_disarm_terminal()
        delwin(window)
        delscreen(terminal)
        for file in files { fclose(file) }
    }

    /// Gives the terminal back.
    package consuming func close() {}

    /// Asks the terminal how large it is now. To be called after a resize, before the next frame is made.
    package mutating func updateSize() -> Size {
        select()
        let wanted = ScreenSize.told(by: outputDescriptor) ?? statedSize
        let (columns, rows) = (Int32(wanted.columns), Int32(wanted.rows))
        if columns != getmaxx(window) || rows != getmaxy(window) || wanted != size {
            resizeterm(rows, columns)
            wresize(window, rows, columns)
            size = Size(columns: Int(getmaxx(window)), rows: Int(getmaxy(window)))
            prepareFarewell()
        }
        return size
    }

    /// Gives the terminal back to the shell and stops, as ^Z does. Returns when continued: the size may be another then,
    /// and `drawAnew` takes the terminal again.
    package mutating func suspend() {
        select()
        guard cn_begin_output() else { return }
        turnReports(on: false)
        isReporting = false
        endwin()
        guard cn_end_output() else { return }
        cn_hold_terminal(false)
        cn_stop()
    }

    /// Makes this the screen that ncurses' functions mean.
    func select() {
        set_term(terminal)
    }
}
