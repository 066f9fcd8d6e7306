internal import CUnicode

/// The role of a scalar in a word.
enum ScalarKind: UInt8 {
    /// Ends a word, and belongs to none.
    case separator
    /// Continues a word, or begins one.
    case letter
    /// Belongs to the character before it; after a separator, to the separator.
    case mark
    /// A character that is a word, with its marks: of a script without blanks between words.
    case character
    case emoji
    /// Two of them make a flag.
    case indicator
    /// Has no width and is ignored: skin tones, joiners, soft hyphens.
    case invisible
}

/// Makes `Éclair` and `eclair` the same word, scalar by scalar.
///
/// - Case, ligatures, full and half width: Unicode's NFKD of the case folding.
/// - Diacritics are dropped; marks that make another letter are kept (か and が, vowel signs of Devanagari and Thai).
/// - Letters that do not decompose, but are typed as plain letters, become those: ø, ł, æ.
enum Folding {
    /// Scalars below this one are in a table: alphabets, kana. (Most of the others are Han, which fold to themselves.)
    private static let tableEnd: UInt32 = 0x3100
    private static let table = Table()

    static func kind(of scalar: Unicode.Scalar) -> ScalarKind {
        switch scalar.value {
        case ..<tableEnd: table.kinds[Int(scalar.value)]
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3: .character
        default: computedKind(of: scalar)
        }
    }

    /// Appends the folded form in UTF-8, which is empty for a diacritic.
    static func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
        switch scalar.value {
        case ..<tableEnd: folded.append(contentsOf: table.folding(of: scalar.value))
        case 0x3400...0x4DBF, 0x4E00...0x9FFF: UTF8.encode(scalar).map { folded.append(contentsOf: $0) }
        default: appendComputed(scalar, to: &folded)
        }
    }

    /// The folded form, if it is in the table.
    @inline(__always)
    static func known(_ scalar: Unicode.Scalar) -> UnsafeRawBufferPointer? {
        scalar.value < tableEnd ? table.folding(of: scalar.value) : nil
    }

    /// The kinds and foldings of the first scalars, computed once, because Unicode's tables would take seconds for millions of
    /// scalars. It is never freed, so Swift does not count references to it.
    private struct Table: @unchecked Sendable {
        // Immutable after `init`.
        let kinds: UnsafePointer<ScalarKind>
        private let foldings: UnsafePointer<UInt8>
        /// For each scalar, the place where its folded form begins; and one more entry for the end of the last.
        private let starts: UnsafePointer<UInt32>

        init() {
            var kinds: [ScalarKind] = []
            var foldings: [UInt8] = []
            var starts: [UInt32] = []
            for scalar in (0..<tableEnd).map(Unicode.Scalar.init) {
                starts.append(UInt32(foldings.count))
                kinds.append(scalar.map(computedKind) ?? .separator)
                if let scalar { appendComputed(scalar, to: &foldings) }
            }
            starts.append(UInt32(foldings.count))
            self.kinds = Table.kept(kinds)
            self.foldings = Table.kept(foldings)
            self.starts = Table.kept(starts)
        }

        private static func kept<Element>(_ elements: [Element]) -> UnsafePointer<Element> {
            let memory = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
            memory.initialize(from: elements, count: elements.count)
            return UnsafePointer(memory)
        }

        @inline(__always)
        func folding(of value: UInt32) -> UnsafeRawBufferPointer {
            let (start, end) = (Int(starts[Int(value)]), Int(starts[Int(value) + 1]))
            return UnsafeRawBufferPointer(start: foldings + start, count: end - start)
        }
    }
}

// MARK: - Kinds

extension Folding {
    private static func computedKind(of scalar: Unicode.Scalar) -> ScalarKind {
        switch scalar.value {
        case 0x1F3FB...0x1F3FF: return .invisible
        case 0x1F1E6...0x1F1FF: return .indicator
        // Half-width voicing marks, which are letters in Unicode; vowels and finals of decomposed Hangul.
        case 0xFF9E...0xFF9F, 0x1161...0x11FF, 0xD7B0...0xD7FF: return .mark
        default: break
        }
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint { return .invisible }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return .mark
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
            return isUnspaced(scalar.value) ? .character : .letter
        case .decimalNumber, .otherNumber: return .letter
        case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
            if isUnspaced(scalar.value) { return .character }
            return properties.isEmoji && scalar.value > 0x7F ? .emoji : .separator
        default: return .separator
        }
    }

    /// True if a letter belongs to a script without blanks between words. In such a script, each character counts as a word, and
    /// a query becomes a phrase of them. The prolonged sound mark of kana also counts as a character, so that ラ finds ラーメン.
    private static func isUnspaced(_ value: UInt32) -> Bool {
        switch value {
        // Thai, Lao, Myanmar, Khmer.
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0xA9E0...0xA9FF, 0xAA60...0xAA7F, 0x1780...0x17FF: true
        // Han: radicals, numerals and iteration marks, ideographs with their extensions and compatibility forms.
        case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3021...0x3029, 0x3038...0x303C, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xF900...0xFAFF, 0x20000...0x3FFFF:
            true
        // Hiragana, Katakana with its half-width forms, Bopomofo.
        case 0x3041...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9D, 0x1AFF0...0x1B16F, 0x3105...0x312F, 0x31A0...0x31BF:
            true
        // Hangul: initials, letters for compatibility, syllables, half-width forms.
        case 0x1100...0x1160, 0xA960...0xA97F, 0x3131...0x318E, 0xAC00...0xD7A3, 0xFFA0...0xFFDC: true
        default: false
        }
    }
}

// MARK: - Folded forms

extension Folding {
    private static func appendComputed(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 18) { buffer in
            let count = cu_fold(scalar.value, buffer.baseAddress, buffer.count)
            for value in buffer[..<count] where !isDiacritic(value) {
                if let plain = plainLetters(for: value) {
                    folded.append(contentsOf: plain.utf8)
                } else if let scalar = Unicode.Scalar(value) {
                    UTF8.encode(scalar).map { folded.append(contentsOf: $0) }
                }
            }
        }
    }

    private static func isDiacritic(_ value: UInt32) -> Bool {
        switch value {
        // Combining diacritical marks with supplement, extensions, those for symbols, and half marks.
        case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        // Points of Hebrew.
        case 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7: true
        // Harakat of Arabic, and the signs of the Quran.
        case 0x0610...0x061A, 0x064B...0x065F, 0x0670, 0x06D6...0x06DC, 0x06DF...0x06E4, 0x06E7...0x06E8,
            0x06EA...0x06ED:
            true
        default: false
        }
    }

    private static func plainLetters(for value: UInt32) -> String? {
        switch value {
        case 0x00F8: "o"  // ø
        case 0x0142: "l"  // ł
        case 0x0111, 0x00F0: "d"  // đ, ð
        case 0x0127: "h"  // ħ
        case 0x0131: "i"  // ı
        case 0x0167: "t"  // ŧ
        case 0x00FE: "th"  // þ
        case 0x00E6: "ae"  // æ
        case 0x0153: "oe"  // œ
        default: nil
        }
    }

}
