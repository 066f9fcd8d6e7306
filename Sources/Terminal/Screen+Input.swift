internal import CNcurses
package import Display

extension Screen {
    /// How long an Esc waits, in milliseconds, to be told from the start of a key's sequence.
    private static var escapeDelay: Int32 { 25 }
    /// How long the rest of what is surely a sequence may take on a slow line. Given up too early, it would be typed.
    private static var sequenceDelay: Int32 { 100 }

    /// So long a terminal may pause in a paste. Then its end is lost, and all keys would be taken for more of the text.
    private static var pasteDelay: Duration { .seconds(1) }

    /// When to read again though no key has come: a paste has begun that may have no end. Nil when there is none.
    package var inputDeadline: ContinuousClock.Instant? {
        decoder.isPasting ? lastRead.advanced(by: Self.pasteDelay) : nil
    }

    /// All keys and mouse actions that are waiting. Does not wait for any, but for the rest of a sequence (25 ms behind
    /// an Esc, 100 ms farther in).
    package mutating func readInput(at now: ContinuousClock.Instant = .now) -> [Input] {
        var inputs: [Input] = []
        while !isClosed {
            if let bytes = readBytes(within: patience) {
                lastRead = now
                inputs += decoder.decode(bytes)
            } else if let inputDeadline, now >= inputDeadline {
                inputs += decoder.endPaste()
            } else if decoder.isWithinSequence {
                inputs += decoder.endSequence()
            } else {
                break
            }
        }
        return inputs.compactMap { input in
            guard case .mouse(let mouse) = input else { return input }
            return placed(mouse).map { .mouse(clicks.count($0, at: now)) }
        }
    }

    private var patience: Int32 {
        guard decoder.isWithinSequence else { return 0 }
        return decoder.isPastIntroducer ? Self.sequenceDelay : Self.escapeDelay
    }

    /// The same on the screen: a terminal that has just been made larger tells of cells that are not drawn yet. Nobody
    /// means to press those; what was begun on the screen ends at its edge.
    private func placed(_ mouse: Mouse) -> Mouse? {
        let position = ScreenPosition(
            row: min(mouse.position.row, size.rows - 1), column: min(mouse.position.column, size.columns - 1))
        if case .press = mouse.action, position != mouse.position { return nil }
        return Mouse(mouse.action, at: position)
    }

    /// What is there to read; nil when nothing came in time, or never will.
    private mutating func readBytes(within milliseconds: Int32) -> [UInt8]? {
        var request = pollfd(fd: inputDescriptor, events: Int16(POLLIN), revents: 0)
        var ready = poll(&request, 1, milliseconds)
        while ready < 0 && cn_errno() == EINTR { ready = poll(&request, 1, milliseconds) }
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
