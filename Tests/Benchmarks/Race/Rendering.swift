/// The messages of a log in the form of other programs, one a line. It only understands the generator's output: the
/// fields in their order, and of JSON's escapes the line break and the quotation mark. Later lines about messages are
/// left out.
struct Rendering {
    private(set) var text: [UInt8] = []
    private(set) var chat: [UInt8] = []

    init(_ log: [UInt8]) {
        text.reserveCapacity(log.count)
        chat.reserveCapacity(log.count)
        for line in log.split(separator: UInt8(ascii: "\n")) where line.starts(with: Rendering.message) { add(line) }
    }

    private static let message = Array(#"{"type":"message""#.utf8)
    private static let at = Array(#""at":""#.utf8)
    private static let from = Array(#""from":""#.utf8)
    private static let body = Array(#""text":""#.utf8)

    private mutating func add(_ line: ArraySlice<UInt8>) {
        // "2025-03-01T09:12:33.120Z"
        var rest = Rendering.behind(Rendering.at, in: line) ?? []
        let time = rest.prefix(10) + [UInt8(ascii: " ")] + rest.dropFirst(11).prefix(8)
        rest = rest.dropFirst(26)
        var nick = Array("-".utf8)[...]
        if rest.starts(with: Rendering.from) {
            nick = rest.dropFirst(Rendering.from.count).prefix { $0 != UInt8(ascii: "\"") }
            rest = rest.dropFirst(Rendering.from.count + nick.count + 2)
        }
        let body = Rendering.unescaped(rest.dropFirst(Rendering.body.count))
        text += time
        text.append(UInt8(ascii: " "))
        text += nick
        text += [UInt8(ascii: ":"), UInt8(ascii: " ")]
        text += body
        text.append(UInt8(ascii: "\n"))
        chat += time
        chat.append(UInt8(ascii: "\t"))
        chat += nick
        chat.append(UInt8(ascii: "\t"))
        chat += body
        chat.append(UInt8(ascii: "\n"))
    }

    private static func behind(_ key: [UInt8], in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var index = line.startIndex
        while index + key.count <= line.endIndex {
            if line[index] == key[0], line[index...].starts(with: key) { return line[(index + key.count)...] }
            index += 1
        }
        return nil
    }

    /// Up to the end of a JSON string, on one line.
    private static func unescaped(_ string: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var isEscaped = false
        for byte in string {
            if isEscaped {
                result.append(byte == UInt8(ascii: "n") ? UInt8(ascii: " ") : byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                break
            } else {
                result.append(byte)
            }
        }
        return result
    }
}
