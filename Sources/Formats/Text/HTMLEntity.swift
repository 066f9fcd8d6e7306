/// Characters that HTML writes as `&name;` or `&#number;`.
enum HTMLEntity {
    private static let names: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "laquo": "«", "raquo": "»",
        "ndash": "–", "mdash": "—", "hellip": "…", "copy": "©", "reg": "®", "trade": "™", "bull": "•", "middot": "·",
        "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "times": "×", "euro": "€", "zwj": "\u{200D}",
        "shy": "\u{AD}",
    ]

    /// Appends the text of the entity that begins at the "&" at `start`. Returns the place after it: without an entity, that
    /// after a plain "&".
    static func decode(_ html: Bytes, at start: Int, to result: inout [UInt8]) -> Int {
        let limit = min(html.count, start + 12)
        guard let end = html[start..<limit].firstIndex(of: UInt8(ascii: ";")), let text = text(html[start + 1..<end])
        else {
            result.append(UInt8(ascii: "&"))
            return start + 1
        }
        result += Array(text.utf8)
        return end + 1
    }

    private static func text(_ name: Slice<Bytes>) -> String? {
        guard name.first == UInt8(ascii: "#") else { return names[String(decoding: name, as: UTF8.self)] }
        let digits = name.dropFirst()
        let isHex = digits.first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let number = String(decoding: isHex ? digits.dropFirst() : digits, as: UTF8.self)
        return UInt32(number, radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }

    /// The text with all entities decoded.
    static func decoded(_ html: Bytes) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(html.count)
        var at = 0
        while at < html.count {
            let next = html.offset(of: "&", from: at) ?? html.count
            result.append(contentsOf: Bytes(rebasing: html[at..<next]))
            at = next < html.count ? decode(html, at: next, to: &result) : next
        }
        return result
    }
}
