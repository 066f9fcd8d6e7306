internal import Search

/// A web address in a text: `http://` or `https://` and the rest of the address. It begins as `WebLink` in Search says, so
/// that `has:link` finds exactly the messages in which `o` finds a link.
///
/// The host is ASCII, or an IPv6 address in brackets. A host with other letters makes no link, since they may look like ASCII
/// ones (`https://аpple.com` with a Cyrillic а), and a part of the host would be another host. East Asian characters end the
/// host, since they follow an address without a blank. After the host, letters and digits of all scripts belong to the
/// address. Punctuation at the end does not, nor does a closing parenthesis without an opening one.
package enum WebAddress {
    /// The end of the address that begins at a place; nil when none begins there.
    /// - Parameter isEnclosed: whether it stands between the parentheses of a link. Then the closing one must follow.
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

    /// The end of the path, and the number of closing parentheses in it without opening ones.
    private static func pathEnd(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, isEnclosed: Bool
    ) -> (end: Int, closing: Int) {
        var end = start
        var closing = 0
        // A path begins with one of these.
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
                // An address does not end between a character and its combining mark.
                guard isPath(scalar) || Neighbor.of(scalar) == .mark else { break }
                end += UTF8.width(scalar)
            }
        }
        return (end, closing)
    }

    /// The host begins with a letter or digit, which is never cut off.
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

    /// Whether a byte may stand in a host, in the user name or password before it, or in the port after it.
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

    /// Letters, digits and their combining marks: no punctuation and no pictures of controls.
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
    /// The host of an address, if a reader may take something else for the host: `evil.org` in `https://bank.com@evil.org/`.
    /// Nil when the host is plain to see.
    package static func disguisedHost(of address: String) -> String? {
        let rest = address.utf8.drop { $0 != UInt8(ascii: "/") }.drop { $0 == UInt8(ascii: "/") }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard authority.contains(UInt8(ascii: "@")) || authority.contains(UInt8(ascii: "%")) else { return nil }
        let host = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? authority
        return String(Substring(host))
    }
}
