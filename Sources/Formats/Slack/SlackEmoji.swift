internal import Emoji

/// Writes the emoji that Slack names: `+1::skin-tone-2`, `party_parrot`.
enum SlackEmoji {
    /// Appends the emoji; a custom one as `:name:`.
    /// - Parameter unicode: its scalars in hexadecimal, as in `1f44d-1f3fc`, where Slack wrote them.
    static func append(_ name: Bytes, unicode: Bytes? = nil, to out: inout [UInt8]) {
        if let unicode, let emoji = decoded(unicode) {
            out += emoji.utf8
        } else if !EmojiCodes.append(name, to: &out) {
            out.append(UInt8(ascii: ":"))
            out += name
            out.append(UInt8(ascii: ":"))
        }
    }

    private static func decoded(_ unicode: Bytes) -> String? {
        var emoji = String.UnicodeScalarView()
        for part in unicode.split(separator: UInt8(ascii: "-")) {
            guard let value = UInt32(UnsafeRawBufferPointer(rebasing: part).string, radix: 16), value >= 0x20,
                let scalar = Unicode.Scalar(value)
            else { return nil }
            emoji.append(scalar)
        }
        return emoji.isEmpty ? nil : String(emoji)
    }
}
