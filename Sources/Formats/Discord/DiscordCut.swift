/// Finds messages in the middle of a file by their beginning, `{"id": "1", "type": "Default", "timestamp": "…`, with any blanks. No
/// other object of a file begins so, and in a text the quotes are escaped.
enum DiscordCut {
    /// The offset of the first message.
    static func first(in bytes: Bytes) -> Int? {
        var at = 0
        while at < bytes.count, let brace = bytes[at...].firstIndex(of: UInt8(ascii: "{")) {
            if id(of: bytes, at: brace) != nil { return brace }
            at = brace + 1
        }
        return nil
    }

    /// The ID of the last message that begins in these bytes.
    static func lastID(in bytes: Bytes) -> Int64? {
        var end = bytes.count
        while let brace = bytes[..<end].lastIndex(of: UInt8(ascii: "{")) {
            if let id = id(of: bytes, at: brace) { return id }
            end = brace
        }
        return nil
    }

    /// The ID of the first message.
    static func firstID(in bytes: Bytes) -> Int64? {
        first(in: bytes).flatMap { id(of: bytes, at: $0) }
    }

    /// The ID of the message that begins with the brace at a place; nil if none does.
    private static func id(of bytes: Bytes, at brace: Int) -> Int64? {
        var reader = Reader(bytes: bytes, at: brace + 1)
        guard reader.take("\"id\""), reader.take(":"), reader.take("\""), let id = reader.digits(),
            reader.takes(["\"", ",", "\"type\"", ":", "\""])
        else { return nil }
        reader.skipName()
        return reader.takes(["\"", ",", "\"timestamp\"", ":", "\""]) ? id : nil
    }

    private struct Reader {
        let bytes: Bytes
        var at: Int

        mutating func takes(_ texts: [StaticString]) -> Bool { texts.allSatisfy { take($0) } }

        /// Takes a text after any blanks.
        mutating func take(_ text: StaticString) -> Bool {
            while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
            guard at < bytes.count, Bytes(rebasing: bytes[at...]).starts(with: text) else { return false }
            at += text.utf8CodeUnitCount
            return true
        }

        mutating func digits() -> Int64? {
            let start = at
            while at < bytes.count, (48...57).contains(bytes[at]) { at += 1 }
            return DiscordID.number(Bytes(rebasing: bytes[start..<at]))
        }

        mutating func skipName() {
            while at < bytes.count, bytes[at] > 0x20, bytes[at] != UInt8(ascii: "\""), bytes[at] != UInt8(ascii: "\\") {
                at += 1
            }
        }
    }
}
