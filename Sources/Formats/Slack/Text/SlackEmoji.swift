internal import Emoji

/// Writes the emoji that Slack names: `+1::skin-tone-2`, `party_parrot`.
enum SlackEmoji {
    /// Appends the emoji; a custom one as `:name:`.
    /// - Parameter unicode: its scalars in hexadecimal, as in `1f44d-1f3fc`, where Slack wrote them.
    static func append(_ name: Bytes, unicode: Bytes? = nil, to out: inout [UInt8]) {
        if let unicode, let emoji = EmojiScalars.decoded(unicode) {
            out += emoji
        } else if !EmojiCodes.append(name, to: &out) {
            out.append(UInt8(ascii: ":"))
            out += name
            out.append(UInt8(ascii: ":"))
        }
    }
}
