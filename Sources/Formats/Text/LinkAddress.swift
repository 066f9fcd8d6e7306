/// Addresses in the marks of a link.
enum LinkAddress {
    /// The address as it may stand between parentheses; nil if it is none of the web.
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

    /// Whether it begins with `http://` or `https://`, in letters of any size.
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
