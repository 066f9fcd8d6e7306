internal import JSON
internal import Markup

/// Builds a text in Kedge's markup: `**bold**`, `[a text](https://…)`, fences, lines that begin with `> `.
///
/// Other formats mark ranges of a text, across lines and within words. Kedge's marks work only within one line and between words
/// (`a*b*c` is a product). So each line of a range gets its own marks, inside the blanks at its ends. Where Kedge would not
/// recognise marks, they are left out, because the text is more important than its look.
struct MarkedText {
    enum Look {
        case bold, italic, both, struck, underlined, spoiler

        /// True if the text would mean something else without its marks, so they are always written.
        fileprivate var isMeant: Bool { self == .struck || self == .spoiler }

        /// Kedge shows underlined text as italic. A spoiler keeps the marks that people type.
        fileprivate var mark: StaticString {
            switch self {
            case .bold: "**"
            case .both: "***"
            case .italic: "*"
            case .underlined: "_"
            case .struck: "~~"
            case .spoiler: "||"
            }
        }
    }

    private enum Break {
        case none
        /// A line feed follows, unless the text begins with one.
        case wanted
        case due
    }

    private(set) var bytes: [UInt8] = []
    private var lineBreak = Break.none
    /// The marks at the end of the text. They are removed if a letter follows, since Kedge would not recognise them.
    private var last: (open: Int, close: Int, count: Int)?

    var isEmpty: Bool { bytes.isEmpty }

    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        lineBreak = .none
        last = nil
    }

    // MARK: - Pieces

    /// Adds text as it is.
    mutating func add(_ text: Bytes) {
        guard !text.isEmpty else { return }
        beginPiece(text)
        // One more bar would open the spoiler before it.
        if text.first == MarkedText.bar, bytes.suffix(2).elementsEqual("||".utf8) { bytes.append(UInt8(ascii: " ")) }
        if last != nil, Neighborhood.beginsWithWord(text) { unmark() }
        last = nil
        bytes.append(contentsOf: text)
    }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(Bytes($0)) }
    }

    /// Adds text that has a look. A spoiler may contain marks, quotes and blocks of code.
    mutating func add(_ text: Bytes, _ look: Look) {
        guard look == .spoiler else { return forEachLine(text) { line, text in text.addMarked(line, look) } }
        var fences = Fences(isCode: false)
        var isFirst = true
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let kind = fences.next(String(decoding: line, as: UTF8.self))
            // A block of code cannot stand between bars: its lines become code within them.
            let line = kind == .fence ? line.drop { Neighborhood.isBlank($0) || $0 == UInt8(ascii: "`") } : line
            if kind == .fence, line.allSatisfy(Neighborhood.isBlank) { continue }
            if !isFirst { add("\n") }
            isFirst = false
            forEachLine(Bytes(rebasing: line)) { line, text in text.addHidden(line, isCode: kind != .prose) }
        }
    }

    /// Adds a text between the bars of a spoiler.
    mutating func addHidden(_ text: MarkedText) {
        guard !text.isEmpty else { return }
        text.bytes.withUnsafeBytes { add($0, .spoiler) }
        lineBreak = text.lineBreak
    }

    /// Adds code within a line; code of several lines gets marks in each of them.
    mutating func addCode(_ text: Bytes) {
        forEachLine(text) { line, text in text.addCode(line: line) }
    }

    private mutating func addCode(line: Bytes) {
        let ticks = Array(repeating: UInt8(ascii: "`"), count: MarkedText.longestRun(of: UInt8(ascii: "`"), line) + 1)
        let touches = line.first == UInt8(ascii: "`") || line.last == UInt8(ascii: "`")
        last = nil
        bytes += ticks
        if touches { bytes.append(UInt8(ascii: " ")) }
        bytes.append(contentsOf: line)
        if touches { bytes.append(UInt8(ascii: " ")) }
        bytes += ticks
    }

    /// Adds a text that leads to an address. The address stays visible.
    mutating func addLink(_ text: Bytes, to address: Bytes) {
        guard !address.isEmpty, !text.elementsEqual(address) else { return add(text) }
        forEachLine(text) { line, text in
            text.last = nil
            Marks.appendLink(address, label: line, to: &text.bytes)
        }
    }

    // MARK: - Blocks

    /// Adds a quote, in lines of its own.
    mutating func addQuote(_ text: Bytes) {
        guard let last = text.lastIndex(where: { $0 != UInt8(ascii: "\n") }) else { return add(text) }
        let text = Bytes(rebasing: text[...last])
        beginBlock()
        let start = bytes.count
        bytes.append(contentsOf: text)
        Marks.quote(&bytes, from: start)
        lineBreak = .wanted
    }

    /// Adds lines of code.
    mutating func addFence(_ text: Bytes, language: Bytes = .empty) {
        guard !text.isEmpty else { return }
        beginBlock()
        bytes.append("```")
        if language.count < 32, language.allSatisfy(Neighborhood.isOfLanguage) { bytes.append(contentsOf: language) }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: text)
        if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        bytes.append("```")
        lineBreak = .wanted
    }

    /// Adds a line. The text after it begins a new line.
    mutating func addLine(_ line: String) {
        guard !line.isEmpty else { return }
        if lineBreak == .none, !bytes.isEmpty { lineBreak = .due }
        add(line)
        lineBreak = .due
    }

    /// Begins a new line before the text that follows.
    mutating func endLine() {
        if !bytes.isEmpty { lineBreak = .due }
    }

    // MARK: - Parts

    private mutating func beginPiece(_ text: Bytes) {
        if lineBreak == .due || lineBreak == .wanted && text.first != UInt8(ascii: "\n") {
            bytes.append(UInt8(ascii: "\n"))
            last = nil
        }
        lineBreak = .none
    }

    private mutating func beginBlock() {
        last = nil
        if lineBreak != .none || !bytes.isEmpty && bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        lineBreak = .none
    }

    /// Calls `add` with each line that is not blank, without the blanks at its ends; copies blanks and line feeds.
    private mutating func forEachLine(_ text: Bytes, add addLine: (Bytes, inout MarkedText) -> Void) {
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
            var (from, to) = (start, end)
            while from < to, Neighborhood.isBlank(text[from]) { from += 1 }
            while to > from, Neighborhood.isBlank(text[to - 1]) { to -= 1 }
            add(Bytes(rebasing: text[start..<from]))
            if from < to {
                let line = Bytes(rebasing: text[from..<to])
                beginPiece(line)
                addLine(line, &self)
            }
            add(Bytes(rebasing: text[to..<min(end + 1, text.count)]))
            start = end + 1
        }
    }

    private mutating func addMarked(_ line: Bytes, _ look: Look) {
        // Two adjacent marks of the same character would be read as one longer mark.
        let mark: StaticString =
            switch look {
            case .italic where bytes.last == UInt8(ascii: "*"): "_"
            case .underlined where bytes.last == UInt8(ascii: "_"): "*"
            default: look.mark
            }
        let count = mark.utf8CodeUnitCount
        let byte = mark.utf8Start[0]
        let touches = bytes.last == byte || line.first == byte || line.last == byte
        guard look.isMeant || !touches && !Neighborhood.endsWithWord(bytes) else { return add(line) }
        let open = bytes.count
        bytes.append(mark)
        bytes.append(contentsOf: line)
        last = look.isMeant ? nil : (open, bytes.count, count)
        bytes.append(mark)
    }

    private static let bar = UInt8(ascii: "|")

    /// Adds a line between bars. A line whose own characters would open it becomes code.
    private mutating func addHidden(_ line: Bytes, isCode: Bool) {
        if bytes.last == MarkedText.bar || bytes.last == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: " ")) }
        bytes.append("||")
        if isCode || !MarkedText.staysHidden(line) { addCode(line: line) } else { bytes.append(contentsOf: line) }
        bytes.append("||")
        last = nil
    }

    /// True if bars hide all of a line, also if a backquote follows somewhere after it.
    private static func staysHidden(_ line: Bytes) -> Bool {
        guard line.count(where: { $0 == UInt8(ascii: "`") }) % 2 == 0 else { return false }
        let covered = Spoiler.covered("||" + String(decoding: line, as: UTF8.self) + "||")
        return covered.map { $0.allSatisfy { $0 == "|" || $0 == Spoiler.cover || $0.isWhitespace } } ?? false
    }

    private mutating func unmark() {
        guard let last else { return }
        bytes.removeSubrange(last.close..<last.close + last.count)
        bytes.removeSubrange(last.open..<last.open + last.count)
    }

    private static func longestRun(of byte: UInt8, _ text: Bytes) -> Int {
        var (longest, run) = (0, 0)
        for next in text {
            run = next == byte ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}
