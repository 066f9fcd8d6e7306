internal import JSON
/// Finds IDs of people in a text (`@ana:example.org`), between blanks, marks, brackets or quotation marks.
enum PersonMention {
    /// The number of bytes before an ID to check for the end of a word: more than one character with its combining marks.
    private static let reach = 32

    /// The bytes of the next ID that begins in a part of the text.
    static func next(in text: UnsafeBufferPointer<UInt8>, _ part: Range<Int>) -> Range<Int>? {
        for start in part where text[start] == UInt8(ascii: "@") && isBeginning(text, start) {
            var end = start + 1
            while end < text.count, isOfName(text[end]) { end += 1 }
            guard end > start + 1, end < text.count, text[end] == UInt8(ascii: ":") else { continue }
            guard let end = serverEnd(text, end + 1), end - start <= 255 else { continue }
            if isEnd(text, end) { return start..<end }
        }
        return nil
    }

    /// True if a part of the text has the word `@room`, which is no ID.
    static func callsRoom(_ text: UnsafeBufferPointer<UInt8>, _ part: Range<Int>) -> Bool {
        let word = Array("@room".utf8)
        return part.contains { start in
            guard text[start] == word[0], text.count - start >= word.count, isBeginning(text, start),
                text[start..<start + word.count].elementsEqual(word)
            else { return false }
            let end = start + word.count
            let isID = end + 1 < text.count && text[end] == UInt8(ascii: ":") && isOfName(text[end + 1])
            return isEnd(text, end) && !isID
        }
    }

    /// True if an ID may begin here: not within a word, an e-mail address, a path, or the quote of a reply.
    private static func isBeginning(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        guard place > 0 else { return true }
        if "/@:.-+=<".utf8.contains(text[place - 1]) { return false }
        return !Neighborhood.endsWithWord(Array(text[max(0, place - reach)..<place]))
    }

    /// True if an ID may end here: in the middle of a name, it would be the ID of somebody else.
    private static func isEnd(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        guard place < text.count else { return true }
        return text[place] != UInt8(ascii: "@") && !Neighborhood.beginsWithWord(Bytes(rebasing: Bytes(text)[place...]))
    }

    /// The end of a server's name, optionally with a port; nil if none begins there.
    private static func serverEnd(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        guard let end = hostEnd(text, start) else { return nil }
        guard end < text.count, text[end] == UInt8(ascii: ":") else { return end }
        let port = text[(end + 1)...].prefix(while: isDigit)
        return 1...5 ~= port.count ? port.endIndex : end
    }

    private static func hostEnd(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        guard start < text.count, text[start] == UInt8(ascii: "[") else { return nameEnd(text, start) }
        let address = text[(start + 1)...].prefix(while: isOfNumber)
        guard !address.isEmpty, address.endIndex < text.count, text[address.endIndex] == UInt8(ascii: "]") else {
            return nil
        }
        return address.endIndex + 1
    }

    /// The end of a host's name: words between dots. A number alone is not a host: `@types/node:20` is a package.
    private static func nameEnd(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        var host = text[start...].prefix {
            Neighborhood.isAlphanumeric($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
        }
        // Punctuation at the end belongs to the text.
        while let last = host.last, !Neighborhood.isAlphanumeric(last) { host.removeLast() }
        guard let first = host.first, Neighborhood.isAlphanumeric(first), !host.allSatisfy(isDigit) else { return nil }
        let isWhole = zip(host, host.dropFirst()).allSatisfy {
            $0 != UInt8(ascii: ".") || Neighborhood.isAlphanumeric($1)
        }
        return isWhole ? host.endIndex : nil
    }

    /// True if a byte may occur in a person's name. Names from IRC contain brackets.
    private static func isOfName(_ byte: UInt8) -> Bool {
        Neighborhood.isAlphanumeric(byte) || "._=-/+[]{}|^".utf8.contains(byte)
    }

    /// True if a byte may occur in an IPv6 address.
    private static func isOfNumber(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 6 || byte == UInt8(ascii: ":")
            || byte == UInt8(ascii: ".")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
