/// Splits code into tokens. Skips comments and string literals, but not the code within their `\(…)`.
struct Tokens {
    private let bytes: [UInt8]
    private var next = 0
    private var tokens: [Token] = []

    static func of(_ code: String) -> [Token] {
        var reader = Tokens(bytes: Array(code.utf8))
        reader.readCode(untilParenthesis: false)
        return reader.tokens
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func starts(with text: String, at offset: Int = 0) -> Bool {
        bytes[min(next + offset, bytes.count)...].starts(with: text.utf8)
    }

    /// - Parameter untilParenthesis: whether the code ends at the first ")" that it has not opened.
    private mutating func readCode(untilParenthesis: Bool) {
        var depth = 0
        while next < bytes.count {
            if starts(with: "//") {
                skip { $0 == UInt8(ascii: "\n") }
            } else if starts(with: "/*") {
                skipComment()
            } else if let hashes = textStart() {
                readText(hashes: hashes)
            } else if Tokens.isOfName(bytes[next]) {
                let start = next
                skip { !Tokens.isOfName($0) }
                tokens.append(.name(String(decoding: bytes[start..<next], as: UTF8.self)))
            } else {
                let byte = bytes[next]
                next += 1
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                if untilParenthesis, depth < 0 { return }
                if !" \t\r\n`".utf8.contains(byte) { tokens.append(.symbol(byte)) }
            }
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }

    private mutating func skip(until isEnd: (UInt8) -> Bool) {
        while next < bytes.count, !isEnd(bytes[next]) { next += 1 }
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                next += 2
            } else if starts(with: "*/") {
                depth -= 1
                next += 2
            } else {
                next += 1
            }
        } while depth > 0 && next < bytes.count
    }

    /// The number of "#" before the quote of a literal that begins here; nil when none begins here.
    private func textStart() -> Int? {
        let hashes = bytes[next...].prefix { $0 == UInt8(ascii: "#") }.count
        return starts(with: "\"", at: hashes) ? hashes : nil
    }

    private mutating func readText(hashes: Int) {
        next += hashes
        let mark = String(repeating: "#", count: hashes)
        let quote = starts(with: "\"\"\"") ? "\"\"\"" : "\""
        next += quote.utf8.count
        while next < bytes.count, !starts(with: quote + mark) {
            guard starts(with: "\\" + mark) else {
                next += 1
                continue
            }
            next += 1 + hashes
            let isCode = starts(with: "(")
            next += 1
            if isCode { readCode(untilParenthesis: true) }
        }
        next = min(bytes.count, next + quote.utf8.count + hashes)
    }
}
