/// Emoji that services name by their scalars.
enum EmojiScalars {
    /// The characters of an element with the classes `emoji` and `emoji-1f1fa-1f1f8`, as Zulip writes it.
    static func named(by tag: HTMLTag) -> [UInt8]? {
        let (kind, begin): (StaticString, StaticString) = ("emoji", "emoji-")
        guard let classes = tag.encoded("class"), classes.starts(with: kind) else { return nil }
        for name in classes.split(separator: UInt8(ascii: " ")) {
            let name = Bytes(rebasing: name)
            if name.starts(with: begin) { return decoded(Bytes(rebasing: name[begin.utf8CodeUnitCount...])) }
        }
        return nil
    }

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
