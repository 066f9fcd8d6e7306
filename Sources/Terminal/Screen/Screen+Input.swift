internal import CNcurses
package import Display

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
