internal import CNcurses
package import Display

extension Screen {
    /// How long an Esc waits for the rest of a key's sequence, in milliseconds.
    private static var escapeDelay: Int32 { 25 }
    /// How long the rest of a certain sequence may take on a slow connection. When this gives up too early, the rest is
    /// typed as text.
    private static var sequenceDelay: Int32 { 100 }
    /// The same for a report that the terminal was asked for.
    private static var reportDelay: Int32 { 500 }

    /// The longest pause of a terminal within a paste. After that, its end counts as lost: otherwise all keys would
    /// become pasted text.
    private static var pasteDelay: Duration { .seconds(1) }

    /// When to read again even without a key, because a paste may never end, or a terminal never report; nil when there is none.
    package var inputDeadline: ContinuousClock.Instant? {
        [pasteDeadline, pictureInquiry.deadline].compactMap(\.self).min()
    }

    private var pasteDeadline: ContinuousClock.Instant? {
        decoder.isPasting ? lastRead.advanced(by: Self.pasteDelay) : nil
    }

    /// All waiting keys and mouse actions. It waits only for the rest of a sequence (25 ms after an Esc, 100 ms farther
    /// in).
    package mutating func readInput(at now: ContinuousClock.Instant = .now) -> [Input] {
        var inputs: [Input] = []
        while !isClosed {
            if let bytes = readBytes(within: patience) {
                lastRead = now
                inputs += decoder.decode(bytes)
            } else if let pasteDeadline, now >= pasteDeadline {
                inputs += decoder.endPaste()
            } else if decoder.isWithinSequence {
                inputs += decoder.endSequence()
            } else {
                break
            }
        }
        takeBackground(at: now)
        takePictureReports(at: now)
        return inputs.compactMap { input in
            guard case .mouse(let mouse) = input else { return input }
            return placed(mouse).map { .mouse(clicks.count($0, at: now)) }
        }
    }

    private var patience: Int32 {
        guard decoder.isWithinSequence else { return 0 }
        if decoder.isWithinReport, askedForBackground != nil || pictureInquiry.asked != nil { return Self.reportDelay }
        return decoder.isPastIntroducer ? Self.sequenceDelay : Self.escapeDelay
    }

    /// The action within the screen. A terminal that was just made larger reports cells that are not drawn yet: a press
    /// there is ignored, and an action that began on the screen ends at its edge.
    private func placed(_ mouse: Mouse) -> Mouse? {
        let position = ScreenPosition(
            row: min(mouse.position.row, size.rows - 1), column: min(mouse.position.column, size.columns - 1))
        if case .press = mouse.action, position != mouse.position { return nil }
        return Mouse(mouse.action, at: position)
    }

    /// The bytes that can be read; nil when none came in time, or none will ever come.
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
