internal import JSON
/// Repairs records that are not valid JSON, because of errors of the exporter or edits by hand.
enum TelegramRepair {
    private static let hex = Array("0123456789abcdef".utf8)

    /// True if U+2028 or U+2029 was written as an escape, which the exporter follows by the last two bytes of the character.
    static func holdsSeparator(_ record: Bytes) -> Bool {
        var at = 0
        while let place = record.offset(of: "\\u202", from: at) {
            if isSeparator(record, place) { return true }
            at = place + 5
        }
        return false
    }

    private static func isSeparator(_ record: Bytes, _ at: Int) -> Bool {
        guard at + 8 <= record.count, record[at + 6] == 0x80 else { return false }
        return record[at + 5] == UInt8(ascii: "8") && record[at + 7] == 0xA8
            || record[at + 5] == UInt8(ascii: "9") && record[at + 7] == 0xA9
    }

    /// Repairs these errors: writes `\x01` as `\u0001`, writes the backslash of other unknown escapes as `\\`, escapes control
    /// characters in strings, removes the bytes after the escape of U+2028 or U+2029, and adds quotes to the value of
    /// `"document_id": stickers/1.webm`.
    static func repair(_ record: Bytes, into result: inout [UInt8]) {
        result.removeAll(keepingCapacity: true)
        var (at, inString) = (0, false)
        while at < record.count {
            let byte = record[at]
            if inString {
                at = string(record, at, &result, &inString)
            } else {
                if byte == UInt8(ascii: "\"") { inString = true }
                result.append(byte)
                at += 1
                if byte == UInt8(ascii: ":"), let value = bareValue(record, at) {
                    quote(Bytes(rebasing: record[value]), &result)
                    at = value.upperBound
                }
            }
        }
    }

    /// Repairs the character of a string at `at`. Returns the place after it.
    private static func string(_ record: Bytes, _ at: Int, _ result: inout [UInt8], _ inString: inout Bool) -> Int {
        let byte = record[at]
        switch byte {
        case UInt8(ascii: "\""):
            inString = false
            result.append(byte)
        case 0..<0x20: control(byte, &result)
        case UInt8(ascii: "\\"):
            guard at + 1 < record.count else { break }
            let next = record[at + 1]
            if next == UInt8(ascii: "x"), at + 3 < record.count, let high = record[at + 2].hexValue,
                let low = record[at + 3].hexValue
            {
                control(high << 4 | low, &result)
                return at + 4
            }
            if next == UInt8(ascii: "u"), isSeparator(record, at) {
                result += record[at..<at + 6]
                return at + 8
            }
            if "\"\\/bfnrt".utf8.contains(next) || next == UInt8(ascii: "u") && isUnicode(record, at + 2) {
                result += [byte, next]
            } else {
                result += [byte, byte]
                return at + 1
            }
            return at + 2
        default: result.append(byte)
        }
        return at + 1
    }

    private static func control(_ byte: UInt8, _ result: inout [UInt8]) {
        result.append("\\u00")
        result += [hex[Int(byte >> 4)], hex[Int(byte & 15)]]
    }

    private static func isUnicode(_ record: Bytes, _ at: Int) -> Bool {
        at + 4 <= record.count && record[at..<at + 4].allSatisfy { $0.hexValue != nil }
    }

    /// The bytes of a value without quotes that is not JSON, up to the end of its line or the next comma.
    private static func bareValue(_ record: Bytes, _ start: Int) -> Range<Int>? {
        guard let first = record[start...].firstIndex(where: { $0 > 0x20 }) else { return nil }
        let isJSON = "\"{[-0123456789".utf8.contains(record[first])
        var end = first
        while end < record.count, record[end] >= 0x20, record[end] != UInt8(ascii: ","),
            record[end] != UInt8(ascii: "}")
        {
            end += 1
        }
        while end > first, record[end - 1] == UInt8(ascii: " ") { end -= 1 }
        let word = Bytes(rebasing: record[first..<end])
        guard !isJSON, !word.isEmpty, !(word == "true"), !(word == "false"), !(word == "null") else { return nil }
        return first..<end
    }

    private static func quote(_ value: Bytes, _ result: inout [UInt8]) {
        result.append(UInt8(ascii: "\""))
        for byte in value {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { result.append(UInt8(ascii: "\\")) }
            result.append(byte)
        }
        result.append(UInt8(ascii: "\""))
    }
}
