internal import JSON
/// A line of a log, without its time. All texts are slices of the line.
struct IRCLine {
    var kind: Kind
    /// Nil for lines of the program or the server, and for lines about several people.
    var nick: Bytes?
    var text: Bytes
    /// The new nick that a person takes.
    var newNick: Bytes?

    enum Kind: UInt8, Hashable, Sendable {
        case message, action, notice, system
        case join, leave, nick, mode

        var isPresence: Bool { presence != nil }

        /// The name of this kind in a record, if it is about the presence of a person.
        var presence: StaticString? {
            switch self {
            case .message, .action, .notice, .system: nil
            case .join: "join"
            case .leave: "leave"
            case .nick: "nick"
            case .mode: "mode"
            }
        }
    }

    init(_ kind: Kind, _ nick: Bytes?, _ text: Bytes, newNick: Bytes? = nil) {
        self.kind = kind
        self.nick = nick
        self.text = text
        self.newNick = newNick
    }
}

extension UnsafeRawBufferPointer {
    /// A line of a log without carriage returns at its end, and without the NULs that a power cut leaves around it.
    var logLine: Bytes {
        guard first == 0 || last == 0 || last == 13 else { return self }
        let start = firstIndex { $0 != 0 } ?? count
        let end = lastIndex { $0 != 0 && $0 != 13 } ?? start - 1
        return Bytes(rebasing: self[start..<Swift.max(start, end + 1)])
    }

    /// The bytes from an offset on, without blanks and tabs before them.
    func after(_ offset: Int) -> Bytes {
        var start = Swift.min(offset, count)
        while start < count, self[start] == 32 || self[start] == 9 { start += 1 }
        return Bytes(rebasing: self[start...])
    }

    /// The bytes after a text at their beginning, without blanks and tabs before them.
    func after(_ text: StaticString) -> Bytes { after(text.utf8CodeUnitCount) }

    /// The bytes up to the first blank or tab.
    var word: Bytes {
        var end = 0
        while end < count, self[end] != 32, self[end] != 9 { end += 1 }
        return Bytes(rebasing: self[..<end])
    }

    /// The line without the colours of mIRC before it.
    var withoutColours: Bytes {
        var start = 0
        while start < count, self[start] < 32, self[start] != 9 {
            let isColour = self[start] == 3
            start += 1
            var digits = 0
            while isColour, digits < 2, start < count, self[start].isDigit {
                start += 1
                digits += 1
            }
        }
        return start == 0 ? after(0) : Bytes(rebasing: self[start...]).after(0)
    }

    /// A name without the angle brackets around it.
    var unbracketed: Bytes {
        count > 2 && first == UInt8(ascii: "<") && last == UInt8(ascii: ">") ? self[1..<(count - 1)].trimmed : self
    }

    /// A nick without the mode sign before it (`@ana`, `+ana`); nil if it is empty, has blanks or control characters, or has only
    /// signs that no nick has.
    var nick: Bytes? {
        guard let name = spoken, name.count <= 128 else { return nil }
        var isName = false
        for byte in name {
            if byte <= 32 || byte == 127 { return nil }
            isName =
                isName || byte >= 0x80 || byte | 0x20 > 0x60 && byte | 0x20 < 0x7E || byte.isDigit || byte == 0x5F
        }
        return isName ? name : nil
    }

    /// A name without the mode sign before it; nil if nothing is left.
    var spoken: Bytes? {
        firstIndex { !Bytes("@+%&~!").contains($0) }.map { Bytes(rebasing: self[$0...]) }
    }

    /// True if it consists of letters, digits and the signs that servers allow in nicks.
    var isPlainNick: Bool {
        allSatisfy { byte in
            byte >= 0x80 || byte | 0x20 > 0x60 && byte | 0x20 < 0x7E || byte.isDigit || byte == 0x5F || byte == 0x2D
                || byte == 0x5E || byte == 0x5B || byte == 0x5D || byte == 0x5C
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// The text without blanks around it.
    var trimmed: Bytes {
        var (start, end) = (startIndex, endIndex)
        while start < end, self[start] == 32 { start += 1 }
        while end > start, self[end - 1] == 32 { end -= 1 }
        return Bytes(rebasing: base[start..<end])
    }
}
