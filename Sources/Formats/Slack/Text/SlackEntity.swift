/// The three characters that Slack escapes: `&amp;`, `&lt;`, `&gt;`.
enum SlackEntity {
    /// Appends text in which nothing but entities has a meaning.
    static func appendUnescaped(_ text: Bytes, to out: inout [UInt8]) {
        var at = 0
        while at < text.count {
            let length = append(text, at, &out)
            if length == 0 { out.append(text[at]) }
            at += max(1, length)
        }
    }

    /// Appends the character of an entity.
    /// - Returns: the length of the entity; 0 if there is none here.
    static func append(_ text: Bytes, _ at: Int, _ out: inout [UInt8]) -> Int {
        guard text[at] == UInt8(ascii: "&") else { return 0 }
        let rest = UnsafeRawBufferPointer(rebasing: text[at...])
        let (character, length): (UInt8, Int)
        if rest.starts(with: "&amp;") {
            (character, length) = (UInt8(ascii: "&"), 5)
        } else if rest.starts(with: "&lt;") {
            (character, length) = (UInt8(ascii: "<"), 4)
        } else if rest.starts(with: "&gt;") {
            (character, length) = (UInt8(ascii: ">"), 4)
        } else {
            return 0
        }
        out.append(character)
        return length
    }
}
