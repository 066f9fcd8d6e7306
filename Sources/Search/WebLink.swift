/// Finds web addresses in a text, for all code that needs them: the key `o`, `has:link`, messages to Matrix.
///
/// An address is what a browser shows in its address bar: `http://` or `https://` in any case, not right after a letter or digit;
/// a host; and everything after the host up to a blank, a control character, or one of `<>"`, a backquote and a backslash. It
/// ends before an unbalanced closing bracket, and without the punctuation at its end: `(see https://a.org/x_(y).)` and
/// `（见 https://a.org/北京（城市）。）`.
///
/// A host has letters and digits of all scripts (`münchen.example`). East Asian letters and emoji follow an address without a
/// blank, so they belong to the host only after a dot or before one, and East Asian punctuation belongs to an address only
/// after such letters.
///
/// `has:link` also finds `www.` at the beginning of a word, and addresses in code. A name without either (`example.com`) is no
/// link.
package enum WebLink {
    package static func isIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.indices.contains { start in
            switch text[start] | 0x20 {
            case UInt8(ascii: "h"):
                host(in: text, ofAddressAt: start) != nil && !isWord(before: start, in: text)
                    && end(in: text, from: start, isEnclosed: false) != nil
            case UInt8(ascii: "w"):
                (start == 0 || !isHostStart(text[start - 1]))
                    && (end(of: "www.", in: text, at: start).map { isHostStart(text[$0]) } ?? false)
            default: false
            }
        }
    }

    /// The end of the address that begins at a place; nil if none begins there.
    /// - Parameters:
    ///   - text: valid UTF-8.
    ///   - isEnclosed: true if it is between the parentheses of a link, so that the closing parenthesis must follow.
    package static func end(in text: UnsafeBufferPointer<UInt8>, from start: Int, isEnclosed: Bool) -> Int? {
        guard let host = host(in: text, ofAddressAt: start), let path = hostEnd(text, host) else { return nil }
        let end = pathEnd(text, path)
        if isEnclosed { return end < text.count && text[end] == UInt8(ascii: ")") ? end : nil }
        return trimmed(text, path, end)
    }

    // MARK: - Host

    /// The place of the host in an address that begins at `start`; nil if no address begins there.
    private static func host(in text: UnsafeBufferPointer<UInt8>, ofAddressAt start: Int) -> Int? {
        guard let host = end(of: "http://", in: text, at: start) ?? end(of: "https://", in: text, at: start),
            isHostStart(text[host]) || text[host] == UInt8(ascii: "[")
        else { return nil }
        return host
    }

    /// The position after a prefix at `start`; nil if the prefix is missing, or if nothing follows it.
    /// - Parameter prefix: in lower case.
    private static func end(of prefix: StaticString, in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        let end = start + prefix.utf8CodeUnitCount
        guard end < text.count else { return nil }
        for offset in 0..<prefix.utf8CodeUnitCount {
            let (byte, wanted) = (text[start + offset], prefix.utf8Start[offset])
            guard byte == wanted || (wanted >= UInt8(ascii: "a") && byte | 0x20 == wanted) else { return nil }
        }
        return end
    }

    private static func isHostStart(_ byte: UInt8) -> Bool { byte >= 0x80 || isAlphanumeric(byte) }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private static func hostEnd(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        var end = start
        if text[end] == UInt8(ascii: "[") {
            end += 1
            while end < text.count, isHexOrColon(text[end]) { end += 1 }
            guard end - start > 2, end < text.count, text[end] == UInt8(ascii: "]") else { return nil }
            return portEnd(text, end + 1)
        }
        // A user name and a password, if a host follows them.
        var sign = start
        while sign < text.count, isAlphanumeric(text[sign]) || isUserSign(text[sign]) { sign += 1 }
        if let at = text[start..<sign].lastIndex(of: UInt8(ascii: "@")), at + 1 < text.count, isHostStart(text[at + 1])
        {
            end = at + 1
        }
        let name = end
        /// The place of East Asian letters or emoji after a name.
        var follower: Int?
        var wasOther = false
        while end < text.count {
            if text[end] < 0x80 {
                guard isAlphanumeric(text[end]) || isHostSign(text[end]) else { break }
                if text[end] == UInt8(ascii: "."), end + 1 < text.count, isHostStart(text[end + 1]) { follower = nil }
                wasOther = false
                end += 1
            } else {
                let scalar = scalar(text, end)
                guard isOfHost(scalar) else { break }
                if end == name, isMark(scalar) { break }
                let isOther = isEastAsian(scalar) || scalar.properties.generalCategory == .otherSymbol
                let isFirst = isOther && !wasOther && end > name && text[end - 1] != UInt8(ascii: ".")
                if isFirst, follower == nil { follower = end }
                wasOther = isOther || wasOther && isMark(scalar)
                end += UTF8.width(scalar)
            }
        }
        return end == name ? nil : follower ?? portEnd(text, end)
    }

    private static func isHostSign(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"): true
        default: false
        }
    }

    private static func portEnd(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        guard start < text.count, text[start] == UInt8(ascii: ":") else { return start }
        let digits = text[(start + 1)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return digits.isEmpty ? start : digits.endIndex
    }

    private static func isHexOrColon(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// True if a sign may occur in the user name or password before a host.
    private static func isUserSign(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="):
            true
        default: isHostSign(byte)
        }
    }

    /// True for letters, digits, marks and emoji.
    private static func isOfHost(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            !scalar.properties.isDefaultIgnorableCodePoint || (0xFE00...0xFE0F).contains(scalar.value)
        case .otherSymbol: scalar.properties.isEmoji
        default: scalar.value == 0x200C || scalar.value == 0x200D
        }
    }

    // MARK: - Path

    private static func pathEnd(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        var end = start
        // A path begins with one of these.
        guard end < text.count, [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains(text[end]) else {
            return end
        }
        // The number of open brackets of each kind.
        var (round, square, curly) = (0, 0, 0)
        var isEastAsianText = false
        while end < text.count {
            let byte = text[end]
            if byte < 0x80 {
                switch byte {
                case UInt8(ascii: "("): round += 1
                case UInt8(ascii: ")"): round -= 1
                case UInt8(ascii: "["): square += 1
                case UInt8(ascii: "]"): square -= 1
                case UInt8(ascii: "{"): curly += 1
                case UInt8(ascii: "}"): curly -= 1
                case ...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "`"),
                    UInt8(ascii: "\\"):
                    return end
                default: break
                }
                if min(round, square, curly) < 0 { return end }
                end += 1
            } else {
                let scalar = scalar(text, end)
                guard isOfPath(scalar) else { return end }
                if isEastAsian(scalar) {
                    let isSign = isPunctuation(scalar)
                    if isSign, !isEastAsianText { return end }
                    isEastAsianText = isEastAsianText || !isSign
                }
                end += UTF8.width(scalar)
            }
        }
        return end
    }

    /// False for blanks, control characters, pictures of control characters, and invisible characters other than joiners and
    /// selectors.
    private static func isOfPath(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0020...0xE007F: true
        case 0x2400...0x2426, 0xFFFD: false
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
            default: !scalar.properties.isDefaultIgnorableCodePoint
            }
        }
    }

    /// The path without the punctuation at its end, which belongs to the text around the address.
    private static func trimmed(_ text: UnsafeBufferPointer<UInt8>, _ path: Int, _ pathEnd: Int) -> Int {
        var end = pathEnd
        var unopened: Int?
        while end > 0 {
            var start = end - 1
            while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
            switch text[start] {
            case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "!"),
                UInt8(ascii: "?"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"),
                UInt8(ascii: "|"), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                break
            case 0x80...:
                let scalar = scalar(text, start)
                guard start >= path, isPunctuation(scalar) || scalar.value == 0x200C || scalar.value == 0x200D else {
                    return end
                }
                let change = bracket(scalar)
                if change != 0 {
                    let count = unopened ?? unopenedBrackets(text, path..<end)
                    if change < 0, count <= 0 { return end }
                    unopened = count + change
                }
            default: return end
            }
            end = start
        }
        return end
    }

    /// 1 for an opening bracket outside ASCII, -1 for a closing one, else 0.
    private static func bracket(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .openPunctuation: 1
        case .closePunctuation: -1
        default: 0
        }
    }

    /// The number of closing brackets outside ASCII that nothing in a part of the text opens.
    private static func unopenedBrackets(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int {
        range.reduce(0) { text[$1] >= 0xC0 ? $0 - bracket(scalar(text, $1)) : $0 }
    }

    // MARK: - Characters

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// True for a letter, a sign or a mark of Chinese, Japanese or Korean.
    private static func isEastAsian(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x11FF, 0x2E80...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFE30...0xFE4F,
            0xFF00...0xFFEF, 0x1B000...0x1B2FF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .dashPunctuation,
            .otherPunctuation:
            true
        default: false
        }
    }

    /// True if a letter or a digit, of a script with blanks between words, comes right before a place.
    private static func isWord(before place: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        var start = place
        while start > 0 {
            start -= 1
            while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
            let scalar = scalar(text, start)
            if scalar.properties.generalCategory == .nonspacingMark || scalar.properties.isDefaultIgnorableCodePoint {
                continue
            }
            return !isEastAsian(scalar) && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        }
        return false
    }

    /// The scalar that begins at a place of valid UTF-8.
    private static func scalar(_ text: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Unicode.Scalar {
        var iterator = text[offset...].prefix(4).makeIterator()
        var decoder = UTF8()
        if case .scalarValue(let scalar) = decoder.decode(&iterator) { return scalar }
        return "\u{FFFD}"
    }
}
