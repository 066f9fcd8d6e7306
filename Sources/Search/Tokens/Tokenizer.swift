/// Splits text into words for searching. All of Kedge uses it, so that a scan and an index agree.
///
/// - A word is a run of letters, marks and digits; everything else separates words: `don't` and `snake_case` are two
///   words each.
/// - A character of a script without blanks between words (Han, kana, Hangul, Thai, Lao, Khmer, Myanmar) is a word by
///   itself, and so is an emoji. A flag is one.
/// - Words are folded, see `Folding`: case and diacritics do not matter.
///
/// Takes time in proportion to the text. Invalid UTF-8 separates words.
package struct Tokenizer {
    private var bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var start = 0
    private var end = 0
    private var state = State.none
    /// The current word, folded, in UTF-8. Never empty.
    package private(set) var folded: [UInt8] = []

    private enum State { case none, word, whole, indicator }

    /// - Parameter bytes: UTF-8 that stays valid as long as the tokenizer is used.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Begins another text. A tokenizer for millions of texts keeps its memory between them.
    package mutating func read(_ text: UnsafeBufferPointer<UInt8>) {
        bytes = text
        (position, start, end) = (0, 0, 0)
    }

    /// The range of the current word, with the marks and the invisible characters that belong to it.
    package var range: Range<Int> { start..<end }

    /// Moves to the next word; false when there is none.
    package mutating func next() -> Bool {
        repeat {
            folded.removeAll(keepingCapacity: true)
            state = .none
            while position < bytes.count, take() {}
            if state == .none { return false }
        } while folded.isEmpty
        return true
    }

    /// Takes the character at the position, unless it belongs to the next word. Returns false at the end of a word.
    private mutating func take() -> Bool {
        let byte = bytes[position]
        if byte >= 0x80 { return takeScalar() }
        guard Tokenizer.isWord(byte) else {
            position += 1
            return state == .none
        }
        guard begin(.word) else { return false }
        let first = position
        repeat { position += 1 } while position < bytes.count && Tokenizer.isWord(bytes[position])
        let known = folded.count
        folded.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[first..<position]))
        folded.withUnsafeMutableBufferPointer { folded in
            // Sets the bit that makes a letter lower-case; digits have it already.
            for index in known..<folded.count { folded[index] |= 0x20 }
        }
        end = position
        return true
    }

    /// Whether a byte is an ASCII letter or digit. The table of bits fits into two registers.
    @inline(__always)
    private static func isWord(_ byte: UInt8) -> Bool {
        let bits: UInt64 = byte < 64 ? 0x03FF_0000_0000_0000 : 0x07FF_FFFE_07FF_FFFE
        return byte < 0x80 && bits >> UInt64(byte & 63) & 1 == 1
    }

    private mutating func takeScalar() -> Bool {
        guard let (scalar, length) = ScalarDecoder.scalar(in: bytes, at: position) else {
            position += 1
            return state == .none
        }
        switch Folding.kind(of: scalar) {
        case .separator:
            position += length
            return state == .none
        case .invisible:
            position += length
            if state != .none { end = position }
            return true
        case .mark:
            if state == .none {
                position += length
                return true
            }
        case .letter:
            guard begin(.word) else { return false }
        case .character, .emoji:
            guard state == .none, begin(.whole) else { return false }
        case .indicator:
            if state == .indicator { state = .whole } else if state != .none || !begin(.indicator) { return false }
        }
        Folding.append(scalar, to: &folded)
        position += length
        end = position
        return true
    }

    /// Begins a word, or continues one of the same kind. Returns false when a word of another kind is open.
    private mutating func begin(_ wanted: State) -> Bool {
        if state == .none {
            state = wanted
            start = position
        }
        return state == wanted
    }
}

/// Decodes UTF-8 scalar by scalar, and detects invalid bytes.
enum ScalarDecoder {
    /// Nil when the bytes are not well-formed there (table 3-7 of the Unicode Standard).
    static func scalar(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> (Unicode.Scalar, length: Int)? {
        let lead = UInt32(bytes[start])
        let length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
        guard length > 0, start + length <= bytes.count else { return nil }
        if length == 1 { return Unicode.Scalar(lead).map { ($0, 1) } }
        var value = lead & (0x7F >> UInt32(length))
        for offset in 1..<length {
            let next = UInt32(bytes[start + offset])
            guard next & 0xC0 == 0x80 else { return nil }
            value = value << 6 | next & 0x3F
        }
        // A scalar written longer than necessary is not well-formed; surrogates are not scalars.
        guard length == 2 || value >= (length == 3 ? 0x800 : 0x10000) else { return nil }
        return Unicode.Scalar(value).map { ($0, length) }
    }
}
