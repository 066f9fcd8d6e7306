internal import Emoji
internal import JSON

/// Replaces short codes such as `:+1:` in Markdown. Code is unchanged.
enum ShortCodes {
    private static let longest = 64

    static func append(_ text: Bytes, to out: inout [UInt8]) {
        guard text.contains(UInt8(ascii: ":")) else { return out.append(contentsOf: text) }
        var at = 0
        var isCode = false
        while at < text.count {
            let byte = text[at]
            if byte == UInt8(ascii: "`") { isCode.toggle() }
            if byte == UInt8(ascii: ":"), !isCode, at == 0 || !Neighborhood.isAlphanumeric(text[at - 1]),
                let end = end(text, at), EmojiCodes.append(Bytes(rebasing: text[at + 1..<end]), to: &out)
            {
                at = end + 1
            } else {
                out.append(byte)
                at += 1
            }
        }
    }

    private static func end(_ text: Bytes, _ start: Int) -> Int? {
        var end = start + 1
        while end < text.count, end - start < longest,
            Neighborhood.isAlphanumeric(text[end]) || "_-+".utf8.contains(text[end])
        { end += 1 }
        return end < text.count && text[end] == UInt8(ascii: ":") && end > start + 1 ? end : nil
    }
}

/// Emoji that services identify by their scalars.
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
            guard let value = UInt32(Bytes(rebasing: part).string, radix: 16), value >= 0x20,
                let scalar = Unicode.Scalar(value)
            else { return nil }
            emoji.append(scalar)
        }
        return emoji.isEmpty ? nil : Array(String(emoji).utf8)
    }
}
