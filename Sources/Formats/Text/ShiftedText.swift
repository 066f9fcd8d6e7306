/// Raised and lowered text, which a terminal has no look for: digits and signs of their own where Unicode has them (`x²`, `H₂O`), else
/// the marks that people type (`e^(i pi)`, `a_max`).
enum ShiftedText {
    private static let raised: [Character: Character] = Dictionary(
        uniqueKeysWithValues: zip("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ"))
    private static let lowered: [Character: Character] = Dictionary(
        uniqueKeysWithValues: zip("0123456789+-=()aeox", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓ"))

    /// Blanks around it stay as they are.
    static func of(_ bytes: [UInt8], isRaised: Bool) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return bytes }
        let inner = text[first...last]
        let (signs, mark) = isRaised ? (raised, "^") : (lowered, "_")
        let shifted = String(inner.compactMap { signs[$0] })
        let isOne = inner.allSatisfy { $0.isLetter || $0.isNumber } || inner.first == "(" || inner.first == "["
        let shown = shifted.count == inner.count ? shifted : mark + (isOne ? String(inner) : "(\(inner))")
        return Array((text[..<first] + shown + text[text.index(after: last)...]).utf8)
    }
}
