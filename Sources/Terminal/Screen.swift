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

extension Screen {
    /// When to read again even without a key, because a sequence or a paste may never end, or a terminal never report; nil
    /// when there is none.
    package var inputDeadline: ContinuousClock.Instant? {
        [decoder.deadline, pictureInquiry.deadline].compactMap(\.self).min()
    }

    /// All waiting keys and mouse actions. Never waits: the start of a sequence is kept until its rest has come, or until
    /// `inputDeadline`.
    package mutating func readInput(at now: ContinuousClock.Instant = .now) -> [Input] {
        var inputs: [Input] = []
        while !isClosed, let bytes = readBytes() { inputs += decoder.decode(bytes, at: now) }
        inputs += decoder.expire(at: now)
        takeBackground(at: now)
        takeReports(at: now)
        return inputs.compactMap { input in
            guard case .mouse(let mouse) = input else { return input }
            return placed(mouse).map { .mouse(clicks.count($0, at: now)) }
        }
    }

    /// Whether the terminal has the focus, if it has told that since the last call.
    package mutating func takeFocus() -> Bool? { decoder.takeFocus() }

    /// The action within the screen. A terminal that was just made larger reports cells that are not drawn yet: a press
    /// there is ignored, and an action that began on the screen ends at its edge.
    private func placed(_ mouse: Mouse) -> Mouse? {
        let position = ScreenPosition(
            row: min(mouse.position.row, size.rows - 1), column: min(mouse.position.column, size.columns - 1))
        if case .press = mouse.action, position != mouse.position { return nil }
        return Mouse(mouse.action, at: position)
    }

    /// The bytes that can be read; nil when there are none yet, or none will ever come.
    private mutating func readBytes() -> [UInt8]? {
        var request = pollfd(fd: inputDescriptor, events: Int16(POLLIN), revents: 0)
        var ready = poll(&request, 1, 0)
        while ready < 0 && cn_errno() == EINTR { ready = poll(&request, 1, 0) }
        guard ready > 0 else { return nil }
        guard request.revents & Int16(POLLIN) != 0 else {
            isClosed = true
            return nil
        }
        let descriptor = inputDescriptor
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, initialized in
            repeat { count = read(descriptor, buffer.baseAddress, buffer.count) } while count < 0 && cn_errno() == EINTR
            initialized = max(0, count)
        }
        if count > 0 { return bytes }
        isClosed = count == 0 || cn_errno() != EAGAIN
        return nil
    }
}

/// The title of the window or tab in which the terminal is.
extension Screen {
    /// Saves the title (XTWINOPS 22) before the first change, and brings it back (23). Terminals without such a stack ignore both.
    private static var save: String { "\u{1B}[22;0t" }
    static var restoreTitle: [UInt8] { Array("\u{1B}[23;0t".utf8) }

    /// The kinds of terminals that have a title, by the beginning of their names: terminfo seldom tells.
    private static let titled = [
        "xterm", "tmux", "screen", "rxvt", "alacritty", "kitty", "foot", "wezterm", "ghostty", "contour", "konsole",
        "gnome",
        "vte", "st-", "putty", "mintty", "iterm", "mlterm",
    ]

    /// Whether a terminal has a title: the Linux console, for example, would show some of the sequence as text.
    static func hasTitle(_ kind: String) -> Bool { titled.contains { kind.hasPrefix($0) } || kind == "st" }

    /// Writes the title, if it is another one than before. To be called after a frame, which it must not delay.
    package mutating func setTitle(_ title: CleanText) {
        guard hasTitle, title.string != shownTitle, !isClosed else { return }
        let isFirst = shownTitle == nil
        shownTitle = title.string
        if isFirst { prepareFarewell() }
        send(Array(((isFirst ? Self.save : "") + "\u{1B}]2;" + Self.harmless(title, isUTF8: isUTF8) + "\u{1B}\\").utf8))
    }

    /// The title from before, as other programs expect it. The next `setTitle` writes its own again.
    /// Call this between `cn_begin_output` and `cn_end_output`.
    mutating func giveTitleBack() {
        guard shownTitle != nil else { return }
        shownTitle = nil
        write(Self.restoreTitle)
    }

    /// Without anything that could end the sequence. A clean text has no controls; this does not rely on it.
    private static func harmless(_ title: CleanText, isUTF8: Bool) -> String {
        let scalars = title.string.unicodeScalars.filter { $0.properties.generalCategory != .control }
        return String(String.UnicodeScalarView(isUTF8 ? Array(scalars) : scalars.map(Substitutes.ascii)))
    }
}

/// The terminal is asked for its background once, after the first frame. It may never reply.
extension Screen {
    /// After this time the colours stay as they are, since the user is reading by then.
    private static var backgroundLimit: Duration { .seconds(1) }
    /// The wait at the end for a report that is on its way: the shell would take it for typed text.
    private static var lateReportMilliseconds: Int32 { 100 }

    /// OSC 11. Terminals that do not know it ignore it.
    private static var question: String { "\u{1B}]11;?\u{07}" }

    /// Call this between `cn_begin_output` and `cn_end_output`.
    mutating func askForBackground() {
        guard wantsBackground else { return }
        askedForBackground = .now
        write(Array(Screen.question.utf8))
    }

    /// Uses the background that the terminal has reported.
    mutating func takeBackground(at now: ContinuousClock.Instant) {
        guard let background = decoder.takeBackground(), let asked = askedForBackground else { return }
        (askedForBackground, keyboard.asked) = (nil, nil)
        if now - asked <= Screen.backgroundLimit { use(background: background) }
    }

    /// Reads a report that has not come yet, so that it does not reach the shell.
    func takeLateReport() {
        let asked = [askedForBackground, pictureInquiry.asked, keyboard.asked].compactMap(\.self)
        guard asked.contains(where: { .now - $0 <= Screen.backgroundLimit }), !isClosed else { return }
        var request = pollfd(fd: inputDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, Screen.lateReportMilliseconds) > 0 else { return }
        tcflush(inputDescriptor, TCIFLUSH)
    }
}
