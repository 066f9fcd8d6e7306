internal import CNcurses
internal import Display
internal import Glibc

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
