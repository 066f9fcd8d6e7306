extension WordWrapper {
    /// Whether a cluster is a space at which a row may break, and which is then not drawn. A space that carries a mark
    /// is drawn.
    static func isBlank(_ cluster: Cluster) -> Bool {
        guard !cluster.hasMarks else { return false }
        return switch cluster.base.value {
        case 0x20, 0x1680, 0x2000...0x2006, 0x2008...0x200A, 0x205F, 0x3000: true
        default: false
        }
    }

    /// Whether a row may break without a space: between wide characters, or a wide and a narrow one.
    static func canBreak(between left: Cluster, _ right: Cluster) -> Bool {
        (left.columns == 2 || right.columns == 2) && !isOpening(left.base) && !isClosing(right.base)
    }

    /// Whether this is a good place to break a word that is wider than a row, as in paths, addresses and queries.
    static func allowsBreakAfter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "/", "-", "_", ".", ",", "?", "&", "=": true
        default: false
        }
    }

    /// Whether a scalar must not end a row.
    private static func isOpening(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "(", "[", "{", "“", "‘", "«", "‹", "「", "『", "（", "［", "｛", "【", "〔", "〖", "〘", "〚",
            "《", "〈", "｟", "｢", "￥", "＄", "￡", "〝":
            true
        default: false
        }
    }

    /// Whether a scalar must not start a row: closing punctuation, small kana, marks of repetition and length.
    private static func isClosing(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ")", "]", "}", ",", ".", "!", "?", ":", ";", "%", "\"", "'", "…", "‥", "”", "’", "»", "›", "、", "。",
            "，", "．", "！", "？", "：", "；", "％", "」", "』", "）", "］", "｝", "】", "〕", "〗", "〙", "〛",
            "》", "〉", "｠", "｡", "､", "｣", "・", "･", "〜", "～", "゠", "々", "〻", "ー", "ｰ", "ゝ", "ゞ",
            "ヽ", "ヾ", "゛", "゜", "〟", "‼", "⁇", "⁈", "⁉",
            "ぁ", "ぃ", "ぅ", "ぇ", "ぉ", "っ", "ゃ", "ゅ", "ょ", "ゎ", "ゕ", "ゖ",
            "ァ", "ィ", "ゥ", "ェ", "ォ", "ッ", "ャ", "ュ", "ョ", "ヮ", "ヵ", "ヶ":
            true
        default: scalar.value >= 0x31F0 && scalar.value <= 0x31FF || scalar.value >= 0xFF67 && scalar.value <= 0xFF6F
        }
    }
}
