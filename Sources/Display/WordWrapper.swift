/// A row of wrapped text.
package struct WrappedRow: Hashable, Sendable {
    package var text: CleanText
    /// The UTF-8 offset of the row's first byte in the `string` of the wrapped text.
    package var start: Int
    /// Blank columns before the text, which are no part of it.
    package var indent: Int

    package init(text: CleanText, start: Int, indent: Int = 0) {
        self.text = text
        self.start = start
        self.indent = indent
    }

    /// The columns of the text and its indent.
    package var columns: Int { indent + text.columns }
}

/// Wraps a line into rows of at most `columns`, between words (less than one counts as one). Never empty.
///
/// Blanks at a break are not drawn; those before the first word are kept. A word wider than a row is broken between
/// clusters, after punctuation if that fills more than half of the row. Every other cluster is drawn exactly once, in
/// order, and `start` rises strictly from 0. A cluster of two columns becomes "?" in a row of one.
package func wrap(_ text: CleanText, columns: Int) -> [WrappedRow] {
    let limit = max(1, columns)
    if text.columns <= limit { return [WrappedRow(text: text, start: 0)] }
    return text.isASCII ? WordWrapper.rowsOfASCII(text, limit) : WordWrapper.rows(text, limit)
}

/// Wraps a line of code into rows of at most `columns` (less than one counts as one): anywhere between clusters,
/// keeping all blanks. Never empty. A cluster of two columns becomes "?" in a row of one.
package func hardWrap(_ text: CleanText, columns: Int) -> [WrappedRow] {
    let limit = max(1, columns)
    if text.columns <= limit { return [WrappedRow(text: text, start: 0)] }
    var rows: [WrappedRow] = []
    if text.isASCII {
        for start in stride(from: 0, to: text.columns, by: limit) {
            let end = min(start + limit, text.columns)
            rows.append(WrappedRow(text: text.slice(start..<end, columns: end - start), start: start))
        }
        return rows
    }
    var start = 0
    var end = 0
    var width = 0
    func finishRow() {
        if end > start { rows.append(row(of: text, start..<end, width, limit)) }
        start = end
        width = 0
    }
    for cluster in Clusters(text) {
        if width + cluster.columns > limit { finishRow() }
        width += cluster.columns
        end = cluster.bytes.upperBound
    }
    finishRow()
    return rows
}

/// Makes a row. Only a single cluster of two columns, in a row of one, can be too wide.
func row(of text: CleanText, _ bytes: Range<Int>, _ columns: Int, _ limit: Int) -> WrappedRow {
    WrappedRow(text: columns > limit ? "?" : text.slice(bytes, columns: columns), start: bytes.lowerBound)
}

/// Wraps a line like `wrap`, and indents all rows but the first by the width of the first `hang` bytes: the text of a
/// list item stays next to its mark. When that would leave less than half of the columns, nothing is indented.
/// - Parameter hang: UTF-8 bytes that end with a blank.
package func wrap(_ text: CleanText, columns: Int, hanging hang: Int) -> [WrappedRow] {
    let limit = max(1, columns)
    guard hang > 0, text.columns > limit else { return wrap(text, columns: limit) }
    let bytes = text.string.utf8.count
    let head = CleanText(Substring(text.string.utf8.prefix(hang)))
    let indent = head.columns
    guard hang < bytes, indent * 2 <= limit else { return wrap(text, columns: limit) }
    let rest = text.slice(hang..<bytes, columns: text.columns - indent)
    var rows = wrap(rest, columns: limit - indent)
    for index in rows.indices {
        rows[index].start += hang
        rows[index].indent = indent
    }
    rows[0] = WrappedRow(text: head + rows[0].text, start: 0)
    return rows
}

/// Finds the rows for `wrap` in one pass over the clusters.
struct WordWrapper {
    /// A place in the current row: an offset in the text, and the columns from the row's start to it.
    private struct Place {
        var offset: Int
        var columns: Int
    }

    private let text: CleanText
    private let limit: Int
    private var rows: [WrappedRow] = []
    private var rowStart = 0
    /// The columns of the row so far, with blanks at its end, which may exceed the limit.
    private var columns = 0
    /// The end of the last word of the row; nil when it has none yet.
    private var drawn: Place?
    /// The last place to break between words: where the row would end, and where the next one would start.
    private var candidate: (end: Place, resume: Place)?
    /// The last good place to break within a word.
    private var soft: Place?
    private var previous: Cluster?

    static func rows(_ text: CleanText, _ limit: Int) -> [WrappedRow] {
        var wrapper = WordWrapper(text, limit)
        for cluster in Clusters(text) { wrapper.add(cluster) }
        return wrapper.finish()
    }

    private init(_ text: CleanText, _ limit: Int) {
        self.text = text
        self.limit = limit
    }

    private mutating func add(_ cluster: Cluster) {
        if !Self.isBlank(cluster) {
            let place = Place(offset: cluster.bytes.lowerBound, columns: columns)
            noteBreak(before: cluster, at: place)
            makeRoom(for: cluster, at: place.offset)
            drawn = Place(offset: cluster.bytes.upperBound, columns: columns + cluster.columns)
            if Self.allowsBreakAfter(cluster.base) { soft = drawn }
        }
        columns += cluster.columns
        previous = cluster
    }

    private mutating func noteBreak(before cluster: Cluster, at place: Place) {
        guard let previous else { return }
        guard let drawn else {
            // Blanks before the first word stay in its row, unless they fill it.
            if columns >= limit {
                rows.append(WrappedRow(text: text.prefix(columns: limit), start: 0))
                startRow(at: place)
            }
            return
        }
        if Self.isBlank(previous) {
            candidate = (drawn, place)
        } else if Self.canBreak(between: previous, cluster) {
            candidate = (place, place)
        }
    }

    /// Ends rows until the cluster fits, or is alone in its row.
    private mutating func makeRoom(for cluster: Cluster, at offset: Int) {
        while columns + cluster.columns > limit && offset > rowStart {
            if let (end, resume) = candidate {
                endRow(at: end, resume: resume)
            } else if let soft, soft.columns * 2 > limit {
                endRow(at: soft, resume: soft)
            } else {
                let place = Place(offset: offset, columns: columns)
                endRow(at: place, resume: place)
            }
        }
    }

    private mutating func endRow(at end: Place, resume: Place) {
        rows.append(row(of: text, rowStart..<end.offset, end.columns, limit))
        startRow(at: resume)
    }

    private mutating func startRow(at place: Place) {
        rowStart = place.offset
        columns -= place.columns
        candidate = nil
        if let end = soft, end.offset > place.offset {
            soft = Place(offset: end.offset, columns: end.columns - place.columns)
        } else {
            soft = nil
        }
    }

    private mutating func finish() -> [WrappedRow] {
        let bytes = text.string.utf8.count
        if columns <= limit || drawn == nil {
            let rest = text.slice(rowStart..<bytes, columns: columns)
            rows.append(WrappedRow(text: rest.prefix(columns: limit), start: rowStart))
        } else if let drawn {
            rows.append(row(of: text, rowStart..<drawn.offset, drawn.columns, limit))
        }
        return rows
    }
}

extension WordWrapper {
    /// The hot path: it makes the same rows as for other text, but looks only at the words around the breaks.
    static func rowsOfASCII(_ text: CleanText, _ limit: Int) -> [WrappedRow] {
        let bytes = text.string.utf8.span
        var rows: [WrappedRow] = []
        rows.reserveCapacity(bytes.count / limit + 2)
        var start = 0
        // The row's first word. In the first row it may follow blanks, at which the row must not break.
        var word = afterBlanks(bytes, 0)
        while bytes.count - start > limit {
            let full = start + limit
            var end = full
            var resume: Int
            if word >= full {
                resume = word
            } else {
                while end > word && bytes[end] != blank { end -= 1 }
                if end > word {
                    resume = afterBlanks(bytes, end)
                    while bytes[end - 1] == blank { end -= 1 }
                } else {
                    end = softEnd(bytes, word, start, limit)
                    resume = end
                }
            }
            rows.append(WrappedRow(text: text.slice(start..<end, columns: end - start), start: start))
            if resume == bytes.count { return rows }
            start = resume
            word = resume
        }
        rows.append(WrappedRow(text: text.slice(start..<bytes.count, columns: bytes.count - start), start: start))
        return rows
    }

    private static var blank: UInt8 { UInt8(ascii: " ") }

    private static func afterBlanks(_ bytes: borrowing Swift.Span<UInt8>, _ start: Int) -> Int {
        var index = start
        while index < bytes.count && bytes[index] == blank { index += 1 }
        return index
    }

    /// The place to break a word that is wider than its row.
    private static func softEnd(
        _ bytes: borrowing Swift.Span<UInt8>, _ word: Int, _ start: Int, _ limit: Int
    ) -> Int {
        var end = start + limit
        while end > word && (end - start) * 2 > limit {
            if allowsBreakAfter(Unicode.Scalar(bytes[end - 1])) { return end }
            end -= 1
        }
        return start + limit
    }
}

extension WordWrapper {
    /// True if a cluster is a space at which a row may break, which is then not drawn. A space that carries a mark is
    /// drawn.
    static func isBlank(_ cluster: Cluster) -> Bool {
        guard !cluster.hasMarks else { return false }
        return switch cluster.base.value {
        case 0x20, 0x1680, 0x2000...0x2006, 0x2008...0x200A, 0x205F, 0x3000: true
        default: false
        }
    }

    /// True if a row may break without a space: between wide characters, or a wide and a narrow one.
    static func canBreak(between left: Cluster, _ right: Cluster) -> Bool {
        (left.columns == 2 || right.columns == 2) && !isOpening(left.base) && !isClosing(right.base)
    }

    /// True if this is a good place to break a word that is wider than a row, as in paths, addresses and queries.
    static func allowsBreakAfter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "/", "-", "_", ".", ",", "?", "&", "=": true
        default: false
        }
    }

    /// True if a scalar must not end a row.
    private static func isOpening(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "(", "[", "{", "“", "‘", "«", "‹", "「", "『", "（", "［", "｛", "【", "〔", "〖", "〘", "〚",
            "《", "〈", "｟", "｢", "￥", "＄", "￡", "〝":
            true
        default: false
        }
    }

    /// True if a scalar must not start a row: closing punctuation, small kana, marks of repetition and length.
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
