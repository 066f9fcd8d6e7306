internal import JSON
/// Addresses inside Kedge's markup for links.
enum LinkAddress {
    /// The address, safe to use between parentheses; nil if it is not a web address.
    static func escaped(_ address: Bytes) -> [UInt8]? {
        guard isWeb(address) else { return nil }
        let keepsParentheses = isBalanced(address)
        var result: [UInt8] = []
        result.reserveCapacity(address.count)
        for byte in address {
            let isParenthesis = byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")")
            if isParenthesis ? keepsParentheses : !needsEscape(byte) {
                result.append(byte)
            } else {
                let digits = Array("0123456789ABCDEF".utf8)
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return result
    }

    /// True if it begins with `http://` or `https://`, in any case.
    static func isWeb(_ address: Bytes) -> Bool {
        guard let colon = address.prefix(6).firstIndex(of: UInt8(ascii: ":")),
            Bytes(rebasing: address[colon...]).starts(with: "://"), colon >= 4
        else { return false }
        let letters: StaticString = "https"
        return (0..<colon).allSatisfy { address[$0] | 0x20 == letters.utf8Start[$0] }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
            UInt8(ascii: "|"), UInt8(ascii: "}"):
            true
        default: false
        }
    }

    private static func isBalanced(_ address: Bytes) -> Bool {
        var depth = 0
        for byte in address {
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            if depth < 0 { return false }
        }
        return depth == 0
    }
}

/// The characters next to a mark. In Kedge's markup, a mark cannot open after a letter or close before one.
enum Neighborhood {
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    /// True if a byte may occur in the name of a programming language (`c++`, `objective-c`).
    static func isOfLanguage(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "+-#_.".utf8.contains(byte) }

    /// True if a byte is a letter or a digit of ASCII.
    static func isAlphanumeric(_ byte: UInt8) -> Bool { byte.isDigit || byte.isLetter }

    static func beginsWithWord(_ text: Bytes) -> Bool {
        guard let first = text.first else { return false }
        if first < 0x80 { return isWord(Unicode.Scalar(first)) }
        var (decoder, iterator) = (UTF8(), text.makeIterator())
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return false }
        // A combining mark must stay with its character.
        return isWord(scalar) || isCombining(scalar)
    }

    static func endsWithWord(_ text: [UInt8]) -> Bool {
        var end = text.count
        while end > 0 {
            var start = end - 1
            while start > 0, text[start] & 0xC0 == 0x80, end - start < 4 { start -= 1 }
            if text[start] < 0x80 { return isWord(Unicode.Scalar(text[start])) }
            var (decoder, iterator) = (UTF8(), text[start..<end].makeIterator())
            guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return false }
            guard isCombining(scalar) else { return isWord(scalar) }
            end = start
        }
        return false
    }

    private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: false
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x80: isAlphanumeric(UInt8(scalar.value))
        // East Asian characters are next to marks without blanks.
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0x20000...0x3FFFD:
            false
        default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
    }
}
