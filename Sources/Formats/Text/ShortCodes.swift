internal import Emoji

/// Replaces short codes such as `:+1:` in texts that are Markdown already. Code keeps them.
enum ShortCodes {
    private static let longest = 64

    static func append(_ text: Bytes, to out: inout [UInt8]) {
        guard text.contains(UInt8(ascii: ":")) else { return out.append(contentsOf: text) }
        var at = 0
        var isCode = false
        while at < text.count {
            let byte = text[at]
            if byte == UInt8(ascii: "`") { isCode.toggle() }
            if byte == UInt8(ascii: ":"), !isCode, at == 0 || !isWord(text[at - 1]), let end = end(text, at),
                EmojiCodes.append(Bytes(rebasing: text[at + 1..<end]), to: &out)
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
        while end < text.count, end - start < longest, isWord(text[end]) || "_-+".utf8.contains(text[end]) { end += 1 }
        return end < text.count && text[end] == UInt8(ascii: ":") && end > start + 1 ? end : nil
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
}
