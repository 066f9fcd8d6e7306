internal import CNcurses
package import Display

/// A full screen on the terminal, for as long as this value lives; afterwards the terminal is as it was found.
///
/// ncurses is not thread-safe: one thread makes, uses and ends all screens.
package struct Screen: ~Copyable {
    /// The descriptor of keys and the mouse, for polling.
    package let inputDescriptor: Int32
    package private(set) var size = Size(columns: 1, rows: 1)
    /// True if the terminal is gone: there will be no more keys.
    package internal(set) var isClosed = false

    let output: TerminalOutput
    private let files: [UnsafeMutablePointer<FILE>]
    private let terminal: OpaquePointer
    let window: UnsafeMutablePointer<WINDOW>
    private(set) var palette: Palette
    private let theme: ThemeSettings
    /// The number of the terminal's colours; 0 for none.
    private let colorCount: Int
    /// The time at which the terminal was asked for its background; nil if it was not asked, or has replied.
    var askedForBackground: ContinuousClock.Instant?
    /// True if the terminal was asked for its background and its keyboard, as far as they matter.
    var hasAsked = false
    /// Kitty's keyboard protocol: when the terminal was asked for it (nil if not asked, or replied), if it knows it, if
    /// it is on.
    var keyboard: (asked: ContinuousClock.Instant?, isKnown: Bool, isOn: Bool) = (nil, false, false)
    var decoder: KeyDecoder
    var clicks = ClickCounter()
    var pictureInquiry = PictureInquiry()
    /// The picture that stands on the screen.
    var shownPicture: PlacedPicture?
    /// True if the terminal can report its mouse.
    let hasMouse: Bool
    /// True if the terminal has a title.
    let hasTitle: Bool
    /// The title that was written; nil while the terminal has its own.
    var shownTitle: String?
    /// True if reports of the mouse and the focus and the marks around a paste are on.
    var isReporting = false
    /// True if ncurses splits a wide character that ends just before the last cell of the screen. Where a terminal
    /// cannot be told not to wrap (tmux, screen), ncurses draws the last cell by an insertion, and takes the second
    /// half of that character for the last cell.
    let cutsBeforeLastCell: Bool
    /// True if the terminal reads UTF-8. Otherwise it gets only ASCII, since it may take a byte of a character for a
    /// control.
    let isUTF8: Bool
    /// See `TerminalKind`.
    let joinsCells: Bool
    /// The size to use when the terminal reports none: by LINES and COLUMNS, else by terminfo.
    private let statedSize: Size

    /// True if stdin and stdout both are a terminal.
    package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// The size of the terminal at stdout, without taking it over; 80x24 when it reports none.
    package static var terminalSize: Size { ScreenSize.reported(by: STDOUT_FILENO) ?? Size(columns: 80, rows: 24) }

    /// Takes over the terminal at stdin and stdout, which both are one: see `isTerminal`.
    /// - Parameters:
    ///   - signals: watched before the start, so that a signal during it leaves the terminal as it was found.
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
    /// - Parameter isUTF8: true if the terminal reads UTF-8; otherwise it gets only ASCII.
    package init(
        color: Bool, theme: ThemeSettings = ThemeSettings(), input: Int32, output: Int32, term: String?,
        isUTF8: Bool = true
    ) throws(TerminalError) {
        guard isatty(input) == 1, isatty(output) == 1 else {
            throw TerminalError("stdin and stdout must be a terminal to show a screen; try a command like `kedge show`")
        }
        try self.init(
            color: color, theme: theme, input: input, output: output, kind: try TerminalKind(term), isUTF8: isUTF8)
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
            throw kind.refusal(at: output)
        }
        guard cn_key_sequence("cup") != nil else {
            // ncurses has written nothing yet: until its first `endwin` or `doupdate` the terminal has only its settings.
            tcsetattr(output, TCSANOW, &settings)
            delscreen(terminal)
            cn_disarm_terminal()
            fclose(inputFile)
            fclose(outputFile)
            throw kind.lacksCursor
        }
        let window: UnsafeMutablePointer<WINDOW> = cn_window()
        inputDescriptor = input
        self.output = TerminalOutput(descriptor: fileno(outputFile))
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
            if shownTitle != nil { output.write(Self.restoreTitle) }
            endwin()
            isGivenBack = cn_end_output()
        }
        // A signal has ended the program, perhaps while the terminal accepted no output, for which ncurses would wait.
        if !isGivenBack { cn_restore_terminal() }
        cn_disarm_terminal()
        delscreen(terminal)
        for file in files { fclose(file) }
    }

    /// Gives the terminal back.
    package consuming func close() {}

    /// Asks the terminal how large it is now. To be called after a resize, before the next frame is made.
    package mutating func updateSize() -> Size {
        select()
        let wanted = ScreenSize.reported(by: output.descriptor) ?? statedSize
        let (columns, rows) = (Int32(wanted.columns), Int32(wanted.rows))
        if columns != getmaxx(window) || rows != getmaxy(window) || wanted != size {
            resizeterm(rows, columns)
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

    /// True if colours depend on the background of the terminal.
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

extension Screen {
    /// The time to read again even without a key, because a sequence, a paste or a report may never end; nil when none is pending.
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

    /// The focus, if the terminal has reported it since the last call; else nil.
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

extension Screen {
    /// Shows a frame. ncurses finds the differences and sends only those.
    package mutating func draw(_ frame: Frame) {
        select()
        let cells = UnsafeMutablePointer<cchar_t>.allocate(capacity: size.columns)
        defer { cells.deallocate() }
        for row in 0..<size.rows {
            let isCut = cutsBeforeLastCell && row == size.rows - 1
            let line = row < frame.lines.count ? frame.lines[row] : .empty
            let count = fill(cells, with: line, unsafeEnd: isCut ? size.columns - 1 : nil)
            wmove(window, Int32(row), 0)
            // This neither wraps nor scrolls, so the last cell of the last row can be drawn too.
            wadd_wchnstr(window, cells, Int32(count))
        }
        place(frame.cursor)
        wnoutrefresh(window)
        guard cn_begin_output() else { return }
        removePicture(for: frame.picture)
        doupdate()
        show(frame.picture)
        // Comes after the first frame, which it would only delay.
        if !isReporting {
            turnReports(on: true)
            isReporting = true
            if keyboard.isKnown, !keyboard.isOn {
                keyboard.isOn = true
                prepareFarewell()
            }
            if !hasAsked {
                // First, since the report of the background then shows that none of the keyboard will come.
                askForKeyboard()
                askForBackground()
            }
            hasAsked = true
        }
        _ = cn_end_output()
    }

    /// Shows a frame on a screen of unknown contents: after another program has written to it or changed its modes.
    package mutating func drawAnew(_ frame: Frame) {
        select()
        guard cn_begin_output() else { return }
        removePicture(for: nil)
        shownPicture = nil
        cn_hold_terminal(true)
        reset_prog_mode()
        guard cn_end_output() else { return }
        cn_forget_screen()
        endLineDrawing()
        isReporting = false
        draw(frame)
    }

    private func place(_ cursor: ScreenPosition?) {
        if let cursor, cursor.row < size.rows, cursor.column < size.columns {
            leaveok(window, false)
            wmove(window, Int32(cursor.row), Int32(cursor.column))
            curs_set(1)
        } else {
            // A hidden cursor may stay where it is, which saves the bytes to move it.
            leaveok(window, true)
            curs_set(0)
        }
    }

    /// Fills a cell for each cluster, and blanks to the end of the row. Returns the number of cells.
    /// - Parameter unsafeEnd: a column at which no wide character may end; where one would, the row is cut.
    private func fill(_ cells: UnsafeMutablePointer<cchar_t>, with line: Line, unsafeEnd: Int?) -> Int {
        var count = 0
        var column = 0
        var blanks = HiddenBlanks()
        spans: for span in line.spans {
            let look = palette.look(of: span.style)
            for scalar in (joinsCells ? span.text.apart : span.text.string).unicodeScalars {
                let width = Width.columns(of: scalar)
                if width == 0 && count > 0 {
                    if !isUTF8 { continue }
                    if let look = blanks.endWithMark() { set(cells + (count - 1), " ", look) }
                    cn_add_mark(cells + (count - 1), scalar.value)
                } else if width < 1 || column + width > size.columns || width == 2 && column + width == unsafeEnd {
                    // A cluster that exceeds the edge is cut; a whole blank takes the place of half a character.
                    break spans
                } else {
                    if scalar == " ", !look.showsOnBlanks {
                        blanks.add(look)
                        set(cells + count, scalar, .plain)
                    } else {
                        let anew = blanks.end(before: look)
                        for index in count - anew.count..<count { set(cells + index, " ", anew.look) }
                        if isUTF8 || scalar.isASCII {
                            set(cells + count, scalar, look)
                        } else {
                            count += setSubstitute(for: scalar, width, at: cells + count, look) - 1
                        }
                    }
                    count += 1
                    column += width
                }
            }
        }
        while column < size.columns {
            set(cells + count, " ", .plain)
            count += 1
            column += 1
        }
        return count
    }

    /// Puts ASCII characters of the same total width in the place of another character.
    /// - Returns: their number.
    private func setSubstitute(
        for scalar: Unicode.Scalar, _ width: Int, at cells: UnsafeMutablePointer<cchar_t>, _ look: Palette.Look
    ) -> Int {
        for index in 0..<width { set(cells + index, Transliteration.ascii(scalar), look) }
        return width
    }

    private func set(_ cell: UnsafeMutablePointer<cchar_t>, _ scalar: Unicode.Scalar, _ look: Palette.Look) {
        cn_set_cell(cell, scalar.value, look.attributes, look.pair)
    }
}

extension Screen {
    /// Turns on reports of the left button, of motion while it is down (1002) and of the wheel, with numbers of any
    /// size (1006), and of the focus (1004). Terminals ignore modes that they do not know: 1000 is for those without
    /// 1002.
    private static var mouseOn: String { "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?1004h" }
    private static var mouseOff: String { "\u{1B}[?1004l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l" }

    /// Kitty's keyboard protocol, in which Esc is a sequence of its own and the start of no other one (1), and which names
    /// the keys of the standard layout too (4): Ctrl-C is the same key in a Russian layout. The terminal keeps a stack.
    private static var keyboardOn: String { "\u{1B}[>5u" }
    private static var keyboardOff: String { "\u{1B}[<u" }
    private static var keyboardQuestion: String { "\u{1B}[?u" }

    /// Puts a paste between two marks (2004), so that no part of it is taken for a key.
    private static var pasteOn: String { "\u{1B}[?2004h" }
    private static var pasteOff: String { "\u{1B}[?2004l" }

    /// Turns reports of the mouse and the focus, the marks around a paste and the keyboard protocol on or off.
    /// Call this between `cn_begin_output` and `cn_end_output`.
    func turnReports(on isOn: Bool) {
        var text = hasMouse ? isOn ? Self.mouseOn : Self.mouseOff : ""
        text += isOn ? Self.pasteOn : Self.pasteOff
        // After a redraw the protocol may be on or off: turning it off does nothing when the stack is empty.
        if keyboard.isOn { text += Self.keyboardOff }
        if keyboard.isKnown, isOn { text += Self.keyboardOn }
        output.write(Array(text.utf8))
    }

    /// Asks the terminal once for Kitty's keyboard protocol. Other terminals do not reply.
    /// Call this between `cn_begin_output` and `cn_end_output`.
    mutating func askForKeyboard() {
        guard hasMouse else { return }
        keyboard.asked = .now
        output.write(Array(Self.keyboardQuestion.utf8))
    }

    /// Starts to use the keyboard protocol, which the terminal has reported.
    mutating func useKeyboardProtocol() {
        guard keyboard.asked != nil else { return }
        (keyboard.asked, keyboard.isKnown) = (nil, true)
        guard isReporting, !isClosed else { return }
        keyboard.isOn = true
        prepareFarewell()
        output.send(Array(Self.keyboardOn.utf8))
    }

    /// Prepares the bytes that give the terminal back when ncurses can no longer do that. They end any unfinished
    /// sequence, turn reports off, and restore the terminal's colours, keys and cursor and the screen of the shell.
    func prepareFarewell() {
        var bytes = Array("\u{1B}\\".utf8)
        if hasMouse { bytes += Array(Self.mouseOff.utf8) }
        bytes += Array((Self.pasteOff + (keyboard.isOn ? Self.keyboardOff : "")).utf8)
        if shownTitle != nil { bytes += Self.restoreTitle }
        for name in ["sgr0", "op", "rmkx", "cnorm"] { bytes += TerminalOutput.sequence(name) }
        let leaving = TerminalOutput.sequence("rmcup")
        if leaving.isEmpty {
            var buffer = [CChar](repeating: 0, count: 64)
            let count = Int(cn_cursor_sequence(Int32(size.rows - 1), 0, &buffer, buffer.count))
            bytes +=
                TerminalOutput.withoutPauses(buffer.prefix(count).map { UInt8(bitPattern: $0) }) + Array("\r\n".utf8)
        }
        bytes += leaving
        cn_set_farewell(bytes, bytes.count)
    }

    /// Turns line drawing off: another program may have left it on, and the shortened looks no longer turn it off
    /// (`cn_shorten_looks`).
    func endLineDrawing() {
        // A sequence with a pause belongs to a terminal whose looks still turn it off.
        guard let sequence = cn_key_sequence("rmacs").map({ String(cString: $0) }), !sequence.contains("$<") else {
            return
        }
        output.send(Array(sequence.utf8))
    }

    /// Puts text into the clipboard of the terminal, if it has one and lets programs write it; the terminal does not
    /// confirm that. Waits until the terminal has taken the text.
    package func copy(_ text: ClipboardText, through multiplexer: Multiplexer?) {
        output.send(text.sequence(through: multiplexer))
    }

    /// Rings the bell of the terminal.
    package func ring() { output.send([0x07]) }
}

extension Screen {
    /// The terminal's way to show pictures; nil as long as it is not known.
    package var pictureSupport: PictureSupport? { pictureInquiry.support }

    /// Asks the terminal once if it shows pictures, when the first picture is looked at: nobody else pays for the
    /// question.
    package mutating func askForPictures(through multiplexer: Multiplexer?, at now: ContinuousClock.Instant = .now) {
        guard pictureInquiry.asked == nil, pictureInquiry.support == nil else { return }
        decoder.awaitsGraphics = multiplexer == nil
        output.send(pictureInquiry.begin(cell: reportedCell, isDirect: multiplexer == nil, at: now))
    }

    /// The size of a cell by the terminal's size in pixels; nil when the system does not know it.
    private var reportedCell: PixelSize? {
        var (width, height): (Int32, Int32) = (0, 0)
        guard cn_terminal_pixels(output.descriptor, &width, &height) else { return nil }
        let cell = PixelSize(width: Int(width) / max(1, size.columns), height: Int(height) / max(1, size.rows))
        return cell.width > 0 && cell.height > 0 ? cell : nil
    }

    mutating func takeReports(at now: ContinuousClock.Instant) {
        for report in decoder.takeReports() {
            if report == .keyboard { useKeyboardProtocol() } else { pictureInquiry.take(report) }
        }
        pictureInquiry.end(at: now)
        if pictureInquiry.asked == nil { decoder.awaitsGraphics = false }
    }

    /// Removes the picture on the screen, if the next frame has another one or none. Call this between
    /// `cn_begin_output` and `cn_end_output`, before ncurses draws.
    func removePicture(for next: PlacedPicture?) {
        guard let shown = shownPicture, shown != next else { return }
        if shown.picture.isKitty {
            output.write(Picture.kittyRemoval)
        } else {
            // ncurses knows nothing of the sixels, and takes their cells for blank.
            cn_forget_screen()
        }
    }

    /// Draws a picture over what ncurses has drawn. Call this between `cn_begin_output` and `cn_end_output`.
    mutating func show(_ picture: PlacedPicture?) {
        if let picture, picture != shownPicture { output.write(picture.sequence) }
        shownPicture = picture
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

    /// True if a terminal has a title: the Linux console, for example, would show some of the sequence as text.
    static func hasTitle(_ kind: String) -> Bool { titled.contains { kind.hasPrefix($0) } || kind == "st" }

    /// Writes the title, if it is another one than before. To be called after a frame, which it must not delay.
    package mutating func setTitle(_ title: CleanText) {
        guard hasTitle, title.string != shownTitle, !isClosed else { return }
        let isFirst = shownTitle == nil
        shownTitle = title.string
        if isFirst { prepareFarewell() }
        output.send(
            Array(((isFirst ? Self.save : "") + "\u{1B}]2;" + Self.harmless(title, isUTF8: isUTF8) + "\u{1B}\\").utf8))
    }

    /// The title from before, as other programs expect it. The next `setTitle` writes its own again.
    /// Call this between `cn_begin_output` and `cn_end_output`.
    mutating func giveTitleBack() {
        guard shownTitle != nil else { return }
        shownTitle = nil
        output.write(Self.restoreTitle)
    }

    /// The title without anything that could end the sequence. A clean text has no controls; this does not rely on it.
    private static func harmless(_ title: CleanText, isUTF8: Bool) -> String {
        let scalars = title.string.unicodeScalars.filter { $0.properties.generalCategory != .control }
        return String(String.UnicodeScalarView(isUTF8 ? Array(scalars) : scalars.map(Transliteration.ascii)))
    }
}

/// The terminal is asked for its background once, after the first frame. It may never reply.
extension Screen {
    /// After this time the colours stay as they are, since the user is reading already.
    private static var backgroundLimit: Duration { .seconds(1) }
    /// The wait at the end for a report that is on its way: the shell would take it for typed text.
    private static var lateReportMilliseconds: Int32 { 100 }

    /// OSC 11. Terminals that do not know it ignore it.
    private static var question: String { "\u{1B}]11;?\u{07}" }

    /// Call this between `cn_begin_output` and `cn_end_output`.
    mutating func askForBackground() {
        guard wantsBackground else { return }
        askedForBackground = .now
        output.write(Array(Screen.question.utf8))
    }

    /// Uses the background that the terminal has reported.
    mutating func takeBackground(at now: ContinuousClock.Instant) {
        guard let background = decoder.takeBackground(), let asked = askedForBackground else { return }
        (askedForBackground, keyboard.asked) = (nil, nil)
        if now - asked <= Screen.backgroundLimit { use(background: background) }
    }

    /// Waits for a report that has not come yet and discards it, so that it does not reach the shell.
    func takeLateReport() {
        let asked = [askedForBackground, pictureInquiry.asked, keyboard.asked].compactMap(\.self)
        guard asked.contains(where: { .now - $0 <= Screen.backgroundLimit }), !isClosed else { return }
        var request = pollfd(fd: inputDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, Screen.lateReportMilliseconds) > 0 else { return }
        tcflush(inputDescriptor, TCIFLUSH)
    }
}
