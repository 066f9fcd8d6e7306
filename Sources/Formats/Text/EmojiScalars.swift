/// Emoji that services name by their scalars.
enum EmojiScalars {
    /// The characters of `1f44d-1f3fc`; nil for anything else.
    static func decoded(_ unicode: Bytes) -> [UInt8]? {
        var emoji = String.UnicodeScalarView()
        for part in unicode.split(separator: UInt8(ascii: "-")) {
            guard let value = UInt32(UnsafeRawBufferPointer(rebasing: part).string, radix: 16), value >= 0x20,
                let scalar = Unicode.Scalar(value)
            else { return nil }
            emoji.append(scalar)
        }
        return emoji.isEmpty ? nil : Array(String(emoji).utf8)
    }
}
