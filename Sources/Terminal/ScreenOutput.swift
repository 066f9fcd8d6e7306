internal import CNcurses
package import Display
internal import Glibc

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
                // First, since then the report of the background says that none of the keyboard will come.
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

    /// Puts ASCII characters of the same width in the place of another character.
    /// - Returns: their number.
    private func setSubstitute(
        for scalar: Unicode.Scalar, _ width: Int, at cells: UnsafeMutablePointer<cchar_t>, _ look: Palette.Look
    ) -> Int {
        for index in 0..<width { set(cells + index, Substitutes.ascii(scalar), look) }
        return width
    }

    private func set(_ cell: UnsafeMutablePointer<cchar_t>, _ scalar: Unicode.Scalar, _ look: Palette.Look) {
        cn_set_cell(cell, scalar.value, look.attributes, look.pair)
    }
}

/// Blanks at the end of the cells filled so far, on which their look does not show. They are drawn plain: a row of
/// blanks is then skipped, and no bytes turn a look on and off. A few blanks between two looks keep the first one,
/// since that takes fewer bytes.
private struct HiddenBlanks {
    private static let few = 8

    /// The look of the last character that is not such a blank.
    private var lastLook = Palette.Look.plain
    /// The look that the last blank was given.
    private var givenLook = Palette.Look.plain
    private var count = 0

    mutating func add(_ look: Palette.Look) {
        givenLook = look
        count += 1
    }

    /// Ends the blanks, because another character follows.
    /// - Returns: how many of them to draw again, and in which look.
    mutating func end(before look: Palette.Look) -> (count: Int, look: Palette.Look) {
        defer { (lastLook, count) = (look, 0) }
        // An underline or a reversed cell would show on the blanks.
        let isShorter = lastLook != .plain && !lastLook.showsOnBlanks && look != .plain && count <= HiddenBlanks.few
        return (isShorter ? count : 0, lastLook)
    }

    /// Turns the last blank into a visible character, because a mark follows.
    /// - Returns: the look in which to draw it again.
    mutating func endWithMark() -> Palette.Look? {
        guard count > 0 else { return nil }
        (lastLook, count) = (givenLook, 0)
        return givenLook
    }
}

extension Screen {
    /// How long, in milliseconds, to wait for a terminal that accepts no bytes before giving up.
    private static var outputDelay: Int32 { 1_000 }

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
        // After a redraw it may be on or off by now: on an empty stack the end of it does nothing.
        if keyboard.isOn { text += Self.keyboardOff }
        if keyboard.isKnown, isOn { text += Self.keyboardOn }
        write(Array(text.utf8))
    }

    /// Asks the terminal once for Kitty's keyboard protocol. Other terminals do not reply.
    /// Call this between `cn_begin_output` and `cn_end_output`.
    mutating func askForKeyboard() {
        guard hasMouse else { return }
        keyboard.asked = .now
        write(Array(Self.keyboardQuestion.utf8))
    }

    /// The terminal knows the protocol.
    mutating func useKeyboardProtocol() {
        guard keyboard.asked != nil else { return }
        (keyboard.asked, keyboard.isKnown) = (nil, true)
        guard isReporting, !isClosed else { return }
        keyboard.isOn = true
        prepareFarewell()
        send(Array(Self.keyboardOn.utf8))
    }

    /// Prepares the bytes that give the terminal back when ncurses can no longer do that. They end any unfinished
    /// sequence, turn reports off, and restore the terminal's colours, keys and cursor and the screen of the shell.
    func prepareFarewell() {
        var bytes = Array("\u{1B}\\".utf8)
        if hasMouse { bytes += Array(Self.mouseOff.utf8) }
        bytes += Array((Self.pasteOff + (keyboard.isOn ? Self.keyboardOff : "")).utf8)
        if shownTitle != nil { bytes += Self.restoreTitle }
        for name in ["sgr0", "op", "rmkx", "cnorm"] { bytes += Self.sequence(name) }
        let leaving = Self.sequence("rmcup")
        if leaving.isEmpty {
            var buffer = [CChar](repeating: 0, count: 64)
            let count = Int(cn_cursor_sequence(Int32(size.rows - 1), 0, &buffer, buffer.count))
            bytes += Self.withoutPauses(buffer.prefix(count).map { UInt8(bitPattern: $0) }) + Array("\r\n".utf8)
        }
        bytes += leaving
        cn_set_farewell(bytes, bytes.count)
    }

    private static func sequence(_ name: String) -> [UInt8] {
        cn_key_sequence(name).map { withoutPauses(Array(String(cString: $0).utf8)) } ?? []
    }

    private static let pauseStart = Array("$<".utf8)

    /// Removes terminfo's `$<20>`, which stands for a pause.
    private static func withoutPauses(_ bytes: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index...].starts(with: pauseStart),
                let end = bytes[index...].firstIndex(of: UInt8(ascii: ">"))
            {
                index = end + 1
            } else {
                kept.append(bytes[index])
                index += 1
            }
        }
        return kept
    }

    /// Turns line drawing off: another program may have left it on, and the shortened looks no longer turn it off
    /// (`cn_shorten_looks`).
    func endLineDrawing() {
        // A sequence with a pause belongs to a terminal whose looks still turn it off.
        guard let sequence = cn_key_sequence("rmacs").map({ String(cString: $0) }), !sequence.contains("$<") else {
            return
        }
        send(Array(sequence.utf8))
    }

    /// Puts text into the clipboard of the terminal, if it has one and lets programs write it; the terminal does not
    /// confirm that. Waits until the terminal has taken the text.
    package func copy(_ text: ClipboardText, through multiplexer: Multiplexer?) {
        send(text.sequence(through: multiplexer))
    }

    /// Rings the bell of the terminal.
    package func ring() { send([0x07]) }

    /// Writes to the terminal, unless the program is to end.
    func send(_ bytes: [UInt8]) {
        guard cn_begin_output() else { return }
        write(bytes)
        _ = cn_end_output()
    }

    /// Writes bytes to the terminal that ncurses must not know of. They follow everything that ncurses has written:
    /// each of its calls that a screen makes (`newterm`, `doupdate`, `endwin`) flushes its buffer before it returns.
    func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(
                    outputDescriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, cn_errno() == EINTR { continue }
                if count < 0, cn_errno() == EAGAIN, waitForRoom() { continue }
                // The terminal is gone, which the next read reports.
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    private func waitForRoom() -> Bool {
        var request = pollfd(fd: outputDescriptor, events: Int16(POLLOUT), revents: 0)
        var ready = poll(&request, 1, Self.outputDelay)
        while ready < 0 && cn_errno() == EINTR { ready = poll(&request, 1, Self.outputDelay) }
        return ready > 0 && request.revents & Int16(POLLOUT) != 0
    }
}

extension Screen {
    /// The terminal's way to show pictures; nil as long as it is not known.
    package var pictureSupport: PictureSupport? { pictureInquiry.support }

    /// Asks the terminal whether it shows pictures, unless it was asked before. Only then: whoever looks at no picture pays for
    /// no question.
    package mutating func askForPictures(through multiplexer: Multiplexer?, at now: ContinuousClock.Instant = .now) {
        guard pictureInquiry.asked == nil, pictureInquiry.support == nil else { return }
        decoder.awaitsGraphics = multiplexer == nil
        send(pictureInquiry.begin(cell: reportedCell, isDirect: multiplexer == nil, at: now))
    }

    /// The size of a cell by the terminal's size in pixels; nil when the system does not know it.
    private var reportedCell: PixelSize? {
        var (width, height): (Int32, Int32) = (0, 0)
        guard cn_terminal_pixels(outputDescriptor, &width, &height) else { return nil }
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

    /// Removes the picture on the screen, if another one or none is to be there. Call this between `cn_begin_output` and
    /// `cn_end_output`, before ncurses draws.
    func removePicture(for next: PlacedPicture?) {
        guard let shown = shownPicture, shown != next else { return }
        if shown.picture.isKitty {
            write(Picture.kittyRemoval)
        } else {
            // ncurses knows nothing of the sixels, and takes their cells for blank.
            cn_forget_screen()
        }
    }

    /// Draws a picture over what ncurses has drawn. Call this between `cn_begin_output` and `cn_end_output`.
    mutating func show(_ picture: PlacedPicture?) {
        if let picture, picture != shownPicture { write(picture.sequence) }
        shownPicture = picture
    }
}
