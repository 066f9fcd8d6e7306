import FoundationEssentials

enum JSONText {
    /// The elements of an array without its brackets, for an array that is written in pieces.
    static func elements(_ records: [some Encodable]) throws -> String {
        String(try encode(records).dropFirst().dropLast())
    }

    /// One array. Each character that could act on a terminal is escaped; a JSON parser reads the same text.
    static func encode(_ records: [some Encodable]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(records), as: UTF8.self)
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        return text.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                for unit in String(scalar).utf16 {
                    text += "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count)
                    text += String(unit, radix: 16)
                }
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
