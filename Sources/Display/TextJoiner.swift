/// Decides which invisible characters of a text belong to the characters next to them. A text without them is another
/// text: Persian loses its spelling, a family of one emoji falls into three people, a heart loses its colour.
///
/// - U+200C and U+200D (the non-joiner and the joiner) after a letter with its marks, U+200D before a letter of a script whose
///   letters join, and U+200D between two emoji. U+180E after a letter of Mongolian.
/// - A separator of words or a mark of direction, such as U+200B and U+200F, after a letter of a script that may join its letters.
/// - One variation selector after a visible character, and a tag of a flag (England's) if the flag is whole.
///
/// All others are loose. They show nothing, so they could hide something.
struct TextJoiner {
    /// The most scalars after an invisible one that a rule looks at: those of the longest flag.
    static let reach = 8

    /// The last scalar that was kept.
    private var last: Unicode.Scalar?
    /// True for a letter, and for a mark that belongs to the letter before it.
    private var isOnLetter = false
    /// The tags left of a flag that is known to be whole; 0 outside such a flag.
    private var tagsLeft = 0

    mutating func pass(_ scalar: Unicode.Scalar) {
        last = scalar
        switch scalar.value {
        case ..<0x80: isOnLetter = (scalar.value | 0x20) &- 0x61 < 26
        // Most text beyond ASCII needs no lookup in the tables.
        case 0x3041..<0x3097, 0x4E00..<0xA000: isOnLetter = true
        case 0x2010..<0x2028: isOnLetter = false
        case 0x200C, 0x200D, 0x180E: break
        default:
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark: break
            default: isOnLetter = TextJoiner.isLetter(scalar)
            }
        }
    }

    /// True if an invisible scalar stays.
    /// - Parameter next: the scalars after it.
    mutating func keeps(_ scalar: Unicode.Scalar, before next: () -> [Unicode.Scalar]) -> Bool {
        switch scalar.value {
        case 0x200C: return isOnLetter && !isAfterJoiner
        // Khmer and Thai separate words by zero-width spaces, and Hebrew and Arabic texts have marks of direction. After a Latin
        // letter they would only make a name look like another one.
        case 0x061C, 0x200B, 0x200E, 0x200F, 0x2060: return TextJoiner.isSeen(after: last)
        case 0x180E: return last.map { (0x1820..<0x18B0).contains($0.value) } ?? false
        case 0x200D:
            if isAfterJoiner { return false }
            // Abbreviations end with a joiner: ه‍. And a letter at the beginning of a word may have one before it.
            if isOnLetter { return true }
            guard let first = next().first else { return false }
            if let last, TextJoiner.isEmojiPart(last), TextJoiner.isEmoji(first) { return true }
            return TextJoiner.joins(first)
        case 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0x180B...0x180D, 0x180F:
            return last.map { TextJoiner.takesVariation($0, scalar) } ?? false
        case 0xE0020...0xE007F:
            if tagsLeft == 0, last == "\u{1F3F4}" { tagsLeft = TextJoiner.tags([scalar] + next()) }
            guard tagsLeft > 0 else { return false }
            tagsLeft -= 1
            return true
        default:
            tagsLeft = 0
            return false
        }
    }

    private var isAfterJoiner: Bool { last == "\u{200C}" || last == "\u{200D}" || last == "\u{180E}" }

    /// True if terminals get a joiner or non-joiner that follows this scalar: after a letter of a script that may join its letters.
    /// Elsewhere nobody would see it, and a name could look like another one.
    static func isSeen(after last: Unicode.Scalar?) -> Bool {
        guard let last, last.value >= 0x590 else { return false }
        return isLetter(last)
    }

    /// A letter, or a mark.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark:
            !scalar.properties.isDefaultIgnorableCodePoint
        default: false
        }
    }

    /// True if emoji are joined to it: one of them, with its skin tone, selector or tags.
    private static func isEmojiPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xFE0F, 0x20E3, 0xE007F: true
        default: isEmoji(scalar)
        }
    }

    /// True if a scalar is an emoji. Half of a flag is none: nothing joins it.
    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x80 && !(0x1F1E6...0x1F1FF).contains(scalar.value) && scalar.properties.isEmoji
    }

    /// A letter of a script whose letters join: Arabic and its neighbours, those of India, Mongolian.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x600..<0x1100, 0x1700..<0x1A00, 0xA800..<0xA900, 0x10A00..<0x12000, 0x1E900..<0x1E960:
            scalar.properties.isAlphabetic && isLetter(scalar)
        default: false
        }
    }

    /// True if a selector chooses a form of a character: each script has its own.
    private static func takesVariation(_ scalar: Unicode.Scalar, _ selector: Unicode.Scalar) -> Bool {
        switch selector.value {
        case 0x180B...0x180F: (0x1820..<0x18B0).contains(scalar.value)
        case 0xE0100...: scalar.properties.isIdeographic
        default:
            switch scalar.value {
            case ..<0x80: scalar.properties.isEmoji
            default: !scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isWhitespace
            }
        }
    }

    /// The number of tags at the beginning, if they name a flag: letters and digits, and the tag that ends them.
    private static func tags(_ scalars: [Unicode.Scalar]) -> Int {
        let name = scalars.prefix { (0xE0030...0xE0039).contains($0.value) || (0xE0061...0xE007A).contains($0.value) }
        guard (3...6).contains(name.count), scalars.dropFirst(name.count).first?.value == 0xE007F else { return 0 }
        return name.count + 1
    }
}
