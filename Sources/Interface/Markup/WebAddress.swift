import Display
import Search

/// An address in a text that can be opened: `http://` or `https://` and all that belongs to it. It begins as Search's
/// `WebLink` says, so that `has:link` finds every message in which `o` finds something to open.
///
/// The host is ASCII (or an IPv6 address in brackets): a host with other letters makes no link, since they may look like
/// others (`https://аpple.com` with a Cyrillic а) and a part of a name is another name; East Asian characters end it, which
/// stand there without a blank. After the host letters and digits of all scripts count. Punctuation at the end does
/// not belong to it, nor does a bracket that nothing in it opens.
enum WebAddress {
    /// Where the address that begins there ends; nil when none does.
    /// - Parameter isEnclosed: whether it stands between parentheses that belong to a link: then the second one must follow.
    static func end(in bytes: [UInt8], from start: Int, isEnclosed: Bool) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            guard let host = WebLink.host(in: bytes, ofAddressAt: start), let pathStart = hostEnd(bytes, host) else {
                return nil
            }
            let (end, closing) = pathEnd(bytes, pathStart, isEnclosed: isEnclosed)
            if isEnclosed { return end < bytes.count && bytes[end] == UInt8(ascii: ")") ? end : nil }
            return trimmed(bytes, host..<end, closing: closing)
        }
    }

    private static func hostEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        var end = start
        if bytes[end] == UInt8(ascii: "[") {
            end += 1
            while end < bytes.count, isHexOrColon(bytes[end]) { end += 1 }
            guard end - start > 2, end < bytes.count, bytes[end] == UInt8(ascii: "]") else { return nil }
            end += 1
        } else if !isAlphanumeric(bytes[end]) {
            return nil
        }
        while end < bytes.count, isAuthority(bytes[end]) { end += 1 }
        guard end < bytes.count, bytes[end] >= 0x80 else { return end }
        let scalar = Neighbor.scalar(bytes, end)
        switch Neighbor.of(scalar) {
        case .mark, .word: return nil
        case .blank, .other: return end
        }
    }

    /// The end of the part that may belong to it, and how many more parentheses close than open in that.
    private static func pathEnd(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, isEnclosed: Bool
    ) -> (end: Int, closing: Int) {
        var end = start
        var closing = 0
        // Something has to lead away from the host.
        guard end < bytes.count, [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains(bytes[end]) else {
            return (end, 0)
        }
        while end < bytes.count {
            let byte = bytes[end]
            if byte == UInt8(ascii: ")") {
                if isEnclosed, closing == 0 { break }
                closing += 1
            } else if byte == UInt8(ascii: "(") {
                closing -= 1
            }
            if byte < 0x80 {
                guard isPath(byte) else { break }
                end += 1
            } else {
                let scalar = Neighbor.scalar(bytes, end)
                // Between a character and a mark on it nothing ends.
                guard isPath(scalar) || Neighbor.of(scalar) == .mark else { break }
                end += UTF8.width(scalar)
            }
        }
        return (end, closing)
    }

    /// A host begins with a part that is not cut off.
    private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>, _ address: Range<Int>, closing: Int) -> Int {
        var end = address.upperBound
        var closing = closing
        while end > address.lowerBound {
            switch bytes[end - 1] {
            case UInt8(ascii: ")"):
                guard closing > 0 else { return end }
                closing -= 1
            case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "!"),
                UInt8(ascii: "?"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                break
            default: return end
            }
            end -= 1
        }
        return end
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private static func isHexOrColon(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Whether a byte may stand in a host, in the name and the password before it, or in the port after it.
    private static func isAuthority(_ byte: UInt8) -> Bool {
        if isAlphanumeric(byte) { return true }
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"),
            UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="):
            return true
        default: return false
        }
    }

    private static func isPath(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "("), UInt8(ascii: ")"): true
        default: isAuthority(byte)
        }
    }

    /// Letters, digits and the marks on them: no punctuation, no picture of a control.
    private static func isPath(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}

extension WebAddress {
    /// The host that an address leads to, when something else in it may be taken for it: `evil.org` of
    /// `https://bank.com@evil.org/`. Nil when it says plainly where it leads.
    static func disguisedHost(of address: String) -> String? {
        let rest = address.utf8.drop { $0 != UInt8(ascii: "/") }.drop { $0 == UInt8(ascii: "/") }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard authority.contains(UInt8(ascii: "@")) || authority.contains(UInt8(ascii: "%")) else { return nil }
        let host = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? authority
        return String(Substring(host))
    }
}
