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

    static func isWeb(_ address: Bytes) -> Bool {
        let head = address.prefix(8).map { $0 | 0x20 }
        return head.starts(with: "https:".utf8.map { $0 | 0x20 } + [0x2F, 0x2F])
            || head.starts(with: "http:".utf8.map { $0 | 0x20 } + [0x2F, 0x2F])
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F || "\"<>[]\\^`{|}".utf8.contains(byte)
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
