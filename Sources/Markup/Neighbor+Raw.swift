internal import Display

/// Neighbors in a text that has not been scrubbed. They are what the screen would show there: a flag is two letters, and a tab
/// is a blank.
extension Neighbor {
    /// The number of bytes that are scrubbed: more than a character has with its combining marks.
    private static let reach = 32

    init(at offset: Int, inRaw bytes: UnsafeBufferPointer<UInt8>) {
        guard offset < bytes.count, Neighbor.isChanged(bytes[offset]) else {
            self.init(at: offset, in: bytes)
            return
        }
        let end = min(bytes.count, offset + Neighbor.reach)
        // A mark before it, on which a combining character stands.
        var shown = CleanText("*" + String(decoding: bytes[offset..<end], as: UTF8.self)).string
        self = shown.withUTF8 { Neighbor(at: 1, in: $0) }
    }

    init(before offset: Int, inRaw bytes: UnsafeBufferPointer<UInt8>) {
        guard offset > 0, Neighbor.isChanged(bytes[offset - 1]) else {
            self.init(before: offset, in: bytes)
            return
        }
        var start = max(0, offset - Neighbor.reach)
        while start < offset, bytes[start] & 0xC0 == 0x80 { start += 1 }
        var shown = CleanText(String(decoding: bytes[start..<offset], as: UTF8.self)).string
        self = shown.withUTF8 { Neighbor(before: $0.count, in: $0) }
    }

    /// Whether a byte belongs to a character that may be shown as another one.
    private static func isChanged(_ byte: UInt8) -> Bool { byte < 0x20 || byte >= 0x7F }
}
