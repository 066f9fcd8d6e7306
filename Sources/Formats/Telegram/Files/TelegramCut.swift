/// Finds messages in the middle of a file.
enum TelegramCut {
    /// The offset of the first message that carries its date.
    static func first(in bytes: Bytes) -> Int? {
        var at = 0
        while at < bytes.count {
            guard let brace = bytes[at...].firstIndex(of: UInt8(ascii: "{")) else { return nil }
            if isMessage(bytes, brace) { return brace }
            at = brace + 1
        }
        return nil
    }

    /// `{ "id": 12, "type": "message", "date": "…`, with any blanks.
    private static func isMessage(_ bytes: Bytes, _ brace: Int) -> Bool {
        var reader = Reader(bytes: bytes, at: brace + 1)
        guard reader.take("\"id\""), reader.take(":") else { return false }
        _ = reader.take("-")
        guard reader.takeDigits(), reader.take(","), reader.take("\"type\""), reader.take(":") else { return false }
        guard reader.take("\"message\"") || reader.take("\"service\"") else { return false }
        return reader.take(",") && reader.take("\"date\"")
    }

    private struct Reader {
        let bytes: Bytes
        var at: Int

        /// Takes a text after any blanks.
        mutating func take(_ text: StaticString) -> Bool {
            while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
            guard at < bytes.count, Bytes(rebasing: bytes[at...]).starts(with: text) else { return false }
            at += text.utf8CodeUnitCount
            return true
        }

        mutating func takeDigits() -> Bool {
            let start = at
            while at < bytes.count, (48...57).contains(bytes[at]) { at += 1 }
            return at > start
        }
    }
}
