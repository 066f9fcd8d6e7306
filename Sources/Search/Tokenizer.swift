/// Splits text into words for searching. All of Kedge uses it, so that a scan and an index agree.
///
/// - A word is a run of letters, marks and digits; everything else separates words: `don't` and `snake_case` are two
///   words each.
/// - A character of a script without blanks between words (Han, kana, Hangul, Thai, Lao, Khmer, Myanmar) is one word, and so is
///   an emoji or a flag.
/// - Words are folded (see `Folding`): case and diacritics are ignored.
///
/// Takes time in proportion to the text. Invalid UTF-8 separates words.
package struct Tokenizer {
    private var bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var start = 0
    private var end = 0
    private var state = State.none
    /// The current word, folded, with space for a longer one.
    private var room = [UInt8](repeating: 0, count: 64)
    private var length = 0

    private enum State { case none, word, whole, indicator }

    /// - Parameter bytes: UTF-8 that stays valid as long as the tokenizer is used.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The range of the current word, with the marks and the invisible characters that belong to it.
    package var range: Range<Int> { start..<end }

    /// The current word, folded, in UTF-8. Never empty.
    package var folded: [UInt8] { Array(room[..<length]) }

    /// Calls `body` with the current word, folded, without an allocation.
    func withFolded<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        room.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<length])) }
    }

    /// Calls `body` with each word of a text, folded, without an allocation for each.
    package mutating func forEachWord(of text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeRawBufferPointer) -> Void) {
        bytes = text
        (position, start, end) = (0, 0, 0)
        while next() { withFolded(body) }
    }

    /// Moves to the next word; false if there is none.
    package mutating func next() -> Bool {
        repeat {
            length = 0
            state = .none
            while position < bytes.count, take() {}
            if state == .none { return false }
        } while length == 0
        return true
    }

    /// Adds the character at the position, unless it belongs to the next word. Returns false at the end of a word.
    @inline(__always)
    private mutating func take() -> Bool {
        let byte = bytes[position]
        if byte >= 0x80 { return takeScalar() }
        guard ASCIIWord.holds(byte) else {
            position += 1
            return state == .none
        }
        guard begin(.word) else { return false }
        takeLetters()
        end = position
        return true
    }

    /// Adds all ASCII letters and digits at the position, eight at a time while the text is long enough.
    private mutating func takeLetters() {
        while position + 8 <= bytes.count {
            let eight = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let count = ASCIIWord.prefix(of: eight)
            makeRoom(8)
            room.withUnsafeMutableBytes {
                $0.storeBytes(of: eight | ASCIIWord.lowerCase, toByteOffset: length, as: UInt64.self)
            }
            length += count
            position += count
            if count < 8 { return }
        }
        makeRoom(8)
        while position < bytes.count, ASCIIWord.holds(bytes[position]) {
            room[length] = bytes[position] | UInt8(truncatingIfNeeded: ASCIIWord.lowerCase)
            length += 1
            position += 1
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if let folded = Folding.known(scalar) {
            makeRoom(folded.count)
            room.withUnsafeMutableBytes {
                UnsafeMutableRawBufferPointer(rebasing: $0[length...]).copyMemory(from: folded)
            }
            length += folded.count
        } else {
            room.removeLast(room.count - length)
            Folding.append(scalar, to: &room)
            length = room.count
            grow(8)
        }
    }

    @inline(__always)
    private mutating func makeRoom(_ needed: Int) {
        if length + needed > room.count { grow(needed) }
    }

    private mutating func grow(_ needed: Int) {
        room.append(contentsOf: repeatElement(0, count: needed + length))
    }

    private mutating func takeScalar() -> Bool {
        guard let (scalar, count) = ScalarDecoder.scalar(in: bytes, at: position) else {
            position += 1
            return state == .none
        }
        switch Folding.kind(of: scalar) {
        case .separator:
            position += count
            return state == .none
        case .invisible:
            position += count
            if state != .none { end = position }
            return true
        case .mark:
            if state == .none {
                position += count
                return true
            }
        case .letter:
            guard begin(.word) else { return false }
        case .character, .emoji:
            guard state == .none, begin(.whole) else { return false }
        case .indicator:
            if state == .indicator { state = .whole } else if state != .none || !begin(.indicator) { return false }
        }
        append(scalar)
        position += count
        end = position
        return true
    }

    /// Begins a word, or continues one of the same kind. Returns false if the current word is of another kind.
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
    /// Nil if the bytes are not well-formed there (table 3-7 of the Unicode Standard).
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
        // A scalar that is encoded longer than necessary is not well-formed; surrogates are not scalars.
        guard length == 2 || value >= (length == 3 ? 0x800 : 0x10000) else { return nil }
        return Unicode.Scalar(value).map { ($0, length) }
    }
}

/// Distinguishes the ASCII letters and digits of words from other bytes.
enum ASCIIWord {
    /// The bit that makes a letter lower-case, in each of eight bytes; digits have it already.
    static let lowerCase: UInt64 = 0x2020_2020_2020_2020
    private static let high: UInt64 = 0x8080_8080_8080_8080

    /// True if a byte is an ASCII letter or digit. The table of bits fits in two registers.
    @inline(__always)
    static func holds(_ byte: UInt8) -> Bool {
        let bits: UInt64 = byte < 64 ? 0x03FF_0000_0000_0000 : 0x07FF_FFFE_07FF_FFFE
        return byte < 0x80 && bits >> UInt64(byte & 63) & 1 == 1
    }

    /// The number of letters and digits at the beginning of eight bytes.
    /// - Parameter eight: the bytes in the order of memory.
    @inline(__always)
    static func prefix(of eight: UInt64) -> Int {
        let bytes = UInt64(littleEndian: eight)
        let low = bytes & ~high
        // Each sum sets the high bit of the bytes that are not below a character.
        let letter = low | lowerCase
        let letters = (letter &+ from("a")) & ~(letter &+ from("{"))
        let digits = (low &+ from("0")) & ~(low &+ from(":"))
        let others = ~((letters | digits) & ~bytes) & high
        return others.trailingZeroBitCount / 8
    }

    @inline(__always)
    private static func from(_ character: Unicode.Scalar) -> UInt64 {
        UInt64(0x80 - character.value) &* 0x0101_0101_0101_0101
    }
}
