internal import CSimdjson

/// Texts of Messenger and Instagram.
enum MessengerText {
    /// The text whose bytes of UTF-8 were each written as a character. Text that was not written so stays as it is.
    static func decoded(_ text: Bytes) -> [UInt8] {
        guard text.contains(where: { $0 >= 0x80 }) else { return Array(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var at = 0
        while at < text.count {
            let byte = text[at]
            if byte < 0x80 {
                bytes.append(byte)
                at += 1
            } else if byte == 0xC2 || byte == 0xC3, at + 1 < text.count {
                bytes.append((byte & 3) << 6 | text[at + 1] & 0x3F)
                at += 2
            } else {
                // A character beyond U+00FF.
                return Array(text)
            }
        }
        let isUTF8 = bytes.withUnsafeBytes {
            csj_is_utf8($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
        }
        return isUTF8 ? bytes : Array(text)
    }

    /// The same without controls.
    static func shown(_ text: Bytes) -> [UInt8] {
        var bytes = decoded(text)
        bytes.removeAll { $0 < 32 && $0 != 9 && $0 != 10 || $0 == 127 }
        return bytes
    }
}
