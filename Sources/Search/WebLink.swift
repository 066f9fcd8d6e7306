/// A link in a text: `http://` or `https://`, wherever it stands, or `www.` where a word begins, in whatever case, with a
/// letter, a digit or (behind a scheme) a bracket right behind it. What only looks like a host name (`example.com`) is none.
package enum WebLink {
    package static func isIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.indices.contains { start in
            switch text[start] | 0x20 {
            case UInt8(ascii: "h"): begins(text, start, "http://") || begins(text, start, "https://")
            case UInt8(ascii: "w"): (start == 0 || !isHost(text[start - 1])) && begins(text, start, "www.")
            default: false
            }
        }
    }

    /// - Parameter prefix: in lower case.
    private static func begins(
        _ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ prefix: StaticString
    ) -> Bool {
        let end = start + prefix.utf8CodeUnitCount
        guard end < text.count else { return false }
        for offset in 0..<prefix.utf8CodeUnitCount {
            let (byte, wanted) = (text[start + offset], prefix.utf8Start[offset])
            guard byte == wanted || (wanted >= UInt8(ascii: "a") && byte | 0x20 == wanted) else { return false }
        }
        return isHost(text[end]) || (text[end] == UInt8(ascii: "[") && text[end - 1] == UInt8(ascii: "/"))
    }

    private static func isHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...: true
        default: false
        }
    }
}
