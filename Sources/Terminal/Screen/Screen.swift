internal import CNcurses
package import Display

/// A full screen on the terminal, for as long as this value lives; afterwards the terminal is as it was found.
///
/// ncurses is not thread-safe: one thread makes, uses and ends all screens.
package struct Screen: ~Copyable {
    /// The descriptor of keys and the mouse, for polling.
    package let inputDescriptor: Int32
    package private(set) var size = Size(columns: 1, rows: 1)
    /// Whether the terminal is gone: there will be no more keys.
    package internal(set) var isClosed = false

    let outputDescriptor: Int32
    private let files: [UnsafeMutablePointer<FILE>]
    private let terminal: OpaquePointer
    let window: UnsafeMutablePointer<WINDOW>
    private(set) var palette: Palette
    private let theme: ThemeSettings
    /// The number of the terminal's colours; 0 for none.
    private let colorCount: Int
    /// When the terminal was asked for its background; nil if it was not, or if it has told.
    var askedForBackground: ContinuousClock.Instant?
    /// Whether the terminal was asked for its background and its keyboard, as far as they matter.
    var hasAsked = false
    /// Kitty's keyboard protocol: when the terminal was asked for it, nil if it was not or has told; whether it knows it; and
    /// whether it is on.
    var keyboard: (asked: ContinuousClock.Instant?, isKnown: Bool, isOn: Bool) = (nil, false, false)
    var decoder: KeyDecoder
    var clicks = ClickCounter()
    var pictureInquiry = PictureInquiry()
    /// The picture that stands on the screen.
    var shownPicture: PlacedPicture?
    /// Whether the terminal can report its mouse.
    let hasMouse: Bool
    /// Whether the terminal has a title.
    let hasTitle: Bool
    /// The title that was written; nil while the terminal has its own.
    var shownTitle: String?
    /// Whether reports of the mouse and the focus and the marks around a paste are on.
    var isReporting = false
    /// Whether ncurses splits a wide character that ends just before the last cell of the screen. Where a terminal
    /// cannot be told not to wrap (tmux, screen), ncurses draws the last cell by an insertion, and takes the second
    /// half of that character for the last cell.
    let cutsBeforeLastCell: Bool
    /// Whether the terminal reads UTF-8. Otherwise it gets only ASCII, since it may take a byte of a character for a
    /// control.
    let isUTF8: Bool
    /// See `TerminalKind`.
    let joinsCells: Bool
    /// The size to use when the terminal reports none: by LINES and COLUMNS, else by terminfo.
    private let statedSize: Size

    /// Whether stdin and stdout both are a terminal.
    package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// The size of the terminal at stdout, without taking it over; 80x24 when it reports none.
    package static var terminalSize: Size { ScreenSize.reported(by: STDOUT_FILENO) ?? Size(columns: 80, rows: 24) }

    /// Takes over the terminal at stdin and stdout.
    /// - Parameters:
    ///   - signals: are watched before, so that one that comes meanwhile leaves no terminal behind as ncurses has it.
    ///   - environment: says how long an Esc may be the start of a sequence.
    package init(
        color: Bool, theme: ThemeSettings, kind: TerminalKind, watching signals: SignalPipe,
        environment: [String: String]
    ) throws(TerminalError) {
        try self.init(
            color: color, theme: theme, input: STDIN_FILENO, output: STDOUT_FILENO, kind: kind, isUTF8: Width.isUTF8,
            escapeDelay: KeyDecoder.escapeDelay(environment: environment))
    }

    /// Takes over the terminal at the given descriptors, which stay the caller's.
    /// - Parameter isUTF8: whether the terminal reads UTF-8; otherwise it gets only ASCII.
    package init(
        color: Bool, theme: ThemeSettings = ThemeSettings(), input: Int32, output: Int32, term: String?,
        isUTF8: Bool = true
    ) throws(TerminalError) {
        try self.init(
            color: color, theme: theme, input: input, output: output,
            kind: try TerminalKind(term, input: input, output: output), isUTF8: isUTF8)
    }

    private init(
        color: Bool, theme: ThemeSettings, input: Int32, output: Int32, kind: TerminalKind, isUTF8: Bool,
        escapeDelay: Duration = KeyDecoder.escapeDelay(environment: [:])
    ) throws(TerminalError) {
        Width.prepare()
        // ncurses keeps the streams, so they are its own and outlive all changes to stdin and stdout. A program that goes on when
        // Kedge has ended, such as kedge-matrix, would keep the terminal open if it inherited them.
        guard let inputFile = fdopen(cn_copy(input), "r"), let outputFile = fdopen(cn_copy(output), "w") else {
            throw TerminalError("the terminal cannot be opened: \(String(cString: strerror(cn_errno())))")
        }
        var settings = termios()
        tcgetattr(output, &settings)
        cn_arm_terminal(fileno(outputFile), &settings)
        // ncurses would make windows of any size that LINES and COLUMNS or the terminal claim. Without LINES and
        // COLUMNS, and without an impossible terminal, it begins with terminfo's size, and `updateSize` does the rest.
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
        joinsCells = kind.joinsCells
        statedSize = ScreenSize.stated(else: Size(columns: Int(getmaxx(window)), rows: Int(getmaxy(window))))
        // Comes before `raw`, because it restores the settings of the terminal for a moment.
        cn_join_writes()
        raw()
        noecho()
        nonl()
        // A frame is drawn completely even when keys are waiting: the event loop has taken all keys before.
        typeahead(-1)
        // Keys are decoded here, not in ncurses; this makes the terminal send them as terminfo says.
        keypad(window, true)
        idlok(window, true)
        cn_shorten_looks()
        self.theme = theme
        colorCount = color ? Palette.begin() : 0
        palette = Palette(colorCount > 0 ? theme.theme(on: nil, count: colorCount) : nil)
        decoder = KeyDecoder(sequences: KeySequences.ofCurrentTerminal(), escapeDelay: escapeDelay)
        cutsBeforeLastCell = cn_key_sequence("rmam") == nil
        hasMouse = KeySequences.currentTerminalHasMouse
        hasTitle = Self.hasTitle(kind.name)
        curs_set(0)
        cn_hold_terminal(true)
        _ = updateSize()
    }

    deinit {
        set_term(terminal)
        var isGivenBack = false
        takeLateReport()
        if cn_begin_output() {
            removePicture(for: nil)
            if isReporting { turnReports(on: false) }
            if shownTitle != nil { write(Self.restoreTitle) }
            endwin()
            isGivenBack = cn_end_output()
        }
        // A signal has ended the program, perhaps while the terminal accepted no output, for which ncurses would wait.
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
        let wanted = ScreenSize.reported(by: outputDescriptor) ?? statedSize
        let (columns, rows) = (Int32(wanted.columns), Int32(wanted.rows))
        if columns != getmaxx(window) || rows != getmaxy(window) || wanted != size {
            resizeterm(rows, columns)
            wresize(window, rows, columns)
            size = Size(columns: Int(getmaxx(window)), rows: Int(getmaxy(window)))
            prepareFarewell()
        }
        return size
    }

    /// Gives the terminal back to the shell and stops the process, as ^Z does. Returns when the process is continued:
    /// the size may have changed then, and `drawAnew` takes the terminal again.
    package mutating func suspend() {
        if handOver() { cn_stop() }
    }

    /// Gives the terminal to another program, until `drawAnew` takes it again.
    /// - Returns: false when the terminal accepts no output; then it is not given away.
    package mutating func handOver() -> Bool {
        select()
        guard cn_begin_output() else { return false }
        removePicture(for: nil)
        shownPicture = nil
        turnReports(on: false)
        (isReporting, keyboard.isOn) = (false, false)
        giveTitleBack()
        endwin()
        guard cn_end_output() else { return false }
        cn_hold_terminal(false)
        return true
    }

    /// Whether colours depend on the background of the terminal.
    var wantsBackground: Bool { [.auto, .dark, .light].contains(theme.name) && colorCount >= 256 }

    /// Draws in the colours for this background from the next frame on.
    mutating func use(background: RGB) {
        select()
        palette = Palette(theme.theme(on: background, count: colorCount))
    }

    /// Selects this screen for ncurses' functions.
    func select() {
        set_term(terminal)
    }
}
