/// IDs of people in a text (`@ana:example.org`): words of their own, or beside marks, brackets and quotation marks.
enum PersonMention {
    /// The bytes of the next ID that begins in a part of the text.
    static func next(in text: UnsafeBufferPointer<UInt8>, _ part: Range<Int>) -> Range<Int>? {
        for start in part where text[start] == UInt8(ascii: "@") && (start == 0 || isBefore(text[start - 1])) {
            var end = start + 1
            while end < text.count, isOfName(text[end]) { end += 1 }
            guard end > start + 1, end < text.count, text[end] == UInt8(ascii: ":") else { continue }
            guard let end = serverEnd(text, end + 1), end - start <= 255 else { continue }
            // A part of a name would be another name.
            if !Neighborhood.beginsWithWord(Bytes(rebasing: Bytes(text)[end...])) { return start..<end }
        }
        return nil
    }

    /// The end of the name of a server, perhaps with a port; nil if none begins there.
    private static func serverEnd(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        guard let end = hostEnd(text, start), end > start else { return nil }
        guard end < text.count, text[end] == UInt8(ascii: ":") else { return end }
        let port = text[(end + 1)...].prefix(while: isDigit)
        return port.isEmpty ? end : port.endIndex
    }

    private static func hostEnd(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        guard start < text.count, text[start] == UInt8(ascii: "[") else {
            let host = text[start...].prefix {
                isAlphanumeric($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
            }
            // Punctuation follows it.
            return host.lastIndex(where: isAlphanumeric).map { $0 + 1 }
        }
        let address = text[(start + 1)...].prefix(while: isOfNumber)
        guard !address.isEmpty, address.endIndex < text.count, text[address.endIndex] == UInt8(ascii: "]") else {
            return nil
        }
        return address.endIndex + 1
    }

    private static func isBefore(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"),
            UInt8(ascii: "\""), UInt8(ascii: "'"):
            true
        default: false
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "._=-/+".utf8.contains(byte) }

    /// Whether a byte may stand in an address of IPv6.
    private static func isOfNumber(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 6 || byte == UInt8(ascii: ":")
            || byte == UInt8(ascii: ".")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }
}
