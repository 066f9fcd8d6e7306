/// Official exports give addresses of files a token (`?t=xoxe-…`) with which anybody can read them.
enum SlackSecret {
    /// Removes such tokens from a text.
    static func remove(from text: inout [UInt8]) {
        var searched = 0
        while let place = find(in: text, from: searched) {
            var (start, end) = (place, place)
            // The name of the parameter, and the character before it.
            while start > 0, isLetter(text[start - 1]) { start -= 1 }
            if start > 0, text[start - 1] == UInt8(ascii: "?") || text[start - 1] == UInt8(ascii: "&") { start -= 1 }
            end += 1
            while end < text.count, isLetter(text[end]) || text[end] == UInt8(ascii: "-") { end += 1 }
            text.removeSubrange(start..<end)
            searched = start
        }
    }

    private static func find(in text: [UInt8], from start: Int) -> Int? {
        text.withUnsafeBytes { text in
            guard text.count >= 6 else { return nil }
            for place in start..<max(start, text.count - 5) where text[place] == UInt8(ascii: "=") {
                if UnsafeRawBufferPointer(rebasing: text[place...]).starts(with: "=xoxe-") { return place }
            }
            return nil
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
}
