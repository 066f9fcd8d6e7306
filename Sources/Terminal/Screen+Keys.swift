internal import CNcurses
package import Display

extension Screen {
    /// How long an Esc waits, in milliseconds, to be told from the start of a key's sequence.
    private static var escapeDelay: Int32 { 25 }

    /// All keys that are waiting. Does not wait for any, but for the rest of a sequence (25 ms).
    package mutating func readKeys() -> [Key] {
        var keys: [Key] = []
        while !isClosed {
            if let bytes = readBytes(within: decoder.isWithinSequence ? Self.escapeDelay : 0) {
                keys += decoder.decode(bytes)
            } else if decoder.isWithinSequence {
                keys += decoder.endSequence()
            } else {
                break
            }
        }
        return keys
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
