internal import CNcurses
internal import Glibc

extension Screen {
    /// How long, in milliseconds, a terminal may take no byte at all before it is left alone.
    private static var outputDelay: Int32 { 1_000 }

    /// Reports of the left button, of motion while it is down (1002) and of the wheel, with numbers of any size (1006).
    /// Terminals pass over modes that they do not know: 1000 is for those without 1002.
    private static var mouseOn: String { "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" }
    private static var mouseOff: String { "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l" }

    /// What is pasted comes between two marks (2004), so that nothing in it is taken for a key.
    private static var pasteOn: String { "\u{1B}[?2004h" }
    private static var pasteOff: String { "\u{1B}[?2004l" }

    /// Asks for reports of the mouse, and marks around what is pasted; or for none any more.
    func turnReports(on isOn: Bool) {
        if hasMouse { write(Array((isOn ? Self.mouseOn : Self.mouseOff).utf8)) }
        write(Array((isOn ? Self.pasteOn : Self.pasteOff).utf8))
    }

    /// Letters are letters again: another program may have left a set of line drawing on, and looks do not say any more that
    /// none is (`cn_shorten_looks`).
    func endLineDrawing() {
        // A sequence that asks for a pause is of a terminal whose looks say it still.
        guard let sequence = cn_key_sequence("rmacs").map({ String(cString: $0) }), !sequence.contains("$<") else {
            return
        }
        write(Array(sequence.utf8))
    }

    /// Puts text into the clipboard of the terminal, if it has one and lets programs write it; nobody answers. Waits until
    /// the terminal has taken it.
    package func copy(_ text: ClipboardText, through multiplexer: Multiplexer?) {
        write(text.sequence(through: multiplexer))
    }

    /// Rings the bell of the terminal.
    package func ring() { write([0x07]) }

    /// Writes to the terminal what ncurses must not know of. It comes behind all that ncurses has written so far: each of
    /// its calls that a screen makes (`newterm`, `doupdate`, `endwin`) empties its buffer before it returns.
    private func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(
                    outputDescriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, cn_errno() == EINTR { continue }
                if count < 0, cn_errno() == EAGAIN, waitForRoom() { continue }
                // The terminal is gone; whoever reads from it is told so.
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
