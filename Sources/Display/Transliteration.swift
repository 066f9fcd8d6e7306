/// ASCII for a terminal that does not read UTF-8: the nearest character for each, or a question mark.
package enum Transliteration {
    /// The character that stands for each column of another one.
    package static func ascii(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII { return scalar }
        if latin.contains(scalar.value) {
            return Unicode.Scalar(latinLetters[Int(scalar.value - latin.lowerBound)])
        }
        return others[scalar] ?? "?"
    }

    /// A text with the same number of columns. Drops controls that are not ASCII; keeps those of ASCII.
    package static func ascii(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let columns = scalar.isASCII ? 1 : max(0, Width.columns(of: scalar))
            result.append(contentsOf: repeatElement(ascii(scalar), count: columns))
        }
        return String(result)
    }

    /// Latin-1 and Latin Extended-A, from the no-break space on.
    private static let latin: ClosedRange<UInt32> = 0xA0...0x17F
    private static let latinLetters = Array(
        (" !cL$Y|S\"ca<--R-o+23'uP.,1o>????" + "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTs" + "aaaaaaaceeeeiiiidnooooo/ouuuuyty"
            + "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGg" + "GgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL"
            + "lLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSs" + "SsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs").utf8)

    /// The characters that Kedge draws, and punctuation.
    private static let others: [Unicode.Scalar: Unicode.Scalar] = {
        let pairs: [(ascii: Unicode.Scalar, characters: String)] = [
            ("-", "‐‑‒–—―−─━┄┅┈┉╌╍═"), ("|", "│║┆┇┊┋╎╏▏▎"), ("#", "┃█▉▊▋▓┫"), ("+", "┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╭╮╰╯┏┓┗┛┣┳┻╋"),
            (">", "▌▐►▶↳↪→⇒›"), ("<", "◄◀↵←⇐‹"), ("^", "↑⇑"), ("v", "↓⇓"), ("'", "‘’‚‛′"), ("\"", "“”„‟″"),
            (".", "…░·․‥"),
            ("*", "•∙●○◆◇★☆✓✔"), (":", "▒"), ("_", "▁▂▃"), ("~", "∼≈"), (" ", "\u{2002}\u{2003}\u{2009}\u{202F}"),
        ]
        var table: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (ascii, characters) in pairs { for scalar in characters.unicodeScalars { table[scalar] = ascii } }
        return table
    }()
}
