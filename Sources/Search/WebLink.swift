/// Recognises the beginning of a web address, for all code that looks for one: `http://` or `https://` in any case,
/// with a letter, a digit or a bracket right after it.
///
/// `has:link` finds a text that contains such a beginning anywhere, or `www.` at the beginning of a word. A name
/// without either (`example.com`) is not a link. The links of a message, which `o` opens, begin in the same way, but
/// there are fewer: the whole address must be safe to open, see `WebAddress` of Markup.
package enum WebLink {
    package static func isIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.indices.contains { start in
            switch text[start] | 0x20 {
            case UInt8(ascii: "h"): host(in: text, ofAddressAt: start) != nil
            case UInt8(ascii: "w"):
                (start == 0 || !isHost(text[start - 1]))
                    && (end(of: "www.", in: text, at: start).map { isHost(text[$0]) } ?? false)
            default: false
            }
        }
    }

    /// Where the host of an address begins that begins at `start`; nil when no address begins there.
    package static func host(in text: UnsafeBufferPointer<UInt8>, ofAddressAt start: Int) -> Int? {
        guard let host = end(of: "http://", in: text, at: start) ?? end(of: "https://", in: text, at: start),
            isHost(text[host]) || text[host] == UInt8(ascii: "[")
        else { return nil }
        return host
    }

    /// The position after a prefix at `start`; nil when the prefix is not there, or when nothing follows it.
    /// - Parameter prefix: in lower case.
    private static func end(of prefix: StaticString, in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        let end = start + prefix.utf8CodeUnitCount
        guard end < text.count else { return nil }
        for offset in 0..<prefix.utf8CodeUnitCount {
            let (byte, wanted) = (text[start + offset], prefix.utf8Start[offset])
            guard byte == wanted || (wanted >= UInt8(ascii: "a") && byte | 0x20 == wanted) else { return nil }
        }
        return end
    }

    private static func isHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...: true
        default: false
        }
    }
}
