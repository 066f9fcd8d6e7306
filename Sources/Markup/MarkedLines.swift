internal import Display

/// The lines of unscrubbed text with their marks, for code that converts the text for other programs.
///
/// The marks are those on the screen: of the same sections, found by the same parser. Lines are parsed lazily, so a caller may
/// stop early.
package struct MarkedLines: Sequence, IteratorProtocol {
    private let text: UnsafeBufferPointer<UInt8>
    private let hasHeads: Bool
    private let sections: [TextSection]
    private var section = 0
    private var lines: RawLines
    private var fences = Fences(isCode: false)

    /// - Parameters:
    ///   - text: valid UTF-8.
    ///   - hasHeads: true if its lines may be quotes and items of lists; false for an action.
    package init(_ text: UnsafeBufferPointer<UInt8>, hasHeads: Bool) {
        (self.text, self.hasHeads) = (text, hasHeads)
        sections = TextSection.all(of: text)
        lines = RawLines(text, sections[0].bytes)
    }

    package mutating func next() -> MarkedLine? {
        while true {
            let bytes = sections[section].bytes
            while let line = lines.next() {
                // The empty line after the last line end belongs to the next section.
                if line.lowerBound == bytes.upperBound, hasLinesAfter { continue }
                return marked(line, goesOn: sections[section].goesOn && line.lowerBound == bytes.lowerBound)
            }
            guard section + 1 < sections.count else { return nil }
            section += 1
            lines = RawLines(text, sections[section].bytes)
            fences = Fences(isCode: sections[section].isCode)
        }
    }

    /// True if another section follows that begins with a new line.
    private var hasLinesAfter: Bool { section + 1 < sections.count && !sections[section + 1].goesOn }

    private mutating func marked(_ line: Range<Int>, goesOn: Bool) -> MarkedLine {
        let visible = VisibleLine(UnsafeBufferPointer(rebasing: text[line]))
        return visible.bytes.withUnsafeBufferPointer { bytes in
            let kind = goesOn ? fences.kindOfRest : fences.next(bytes[...])
            let isProse = kind == .prose
            let head = isProse && hasHeads && !goesOn ? LineHead(raw: bytes) : .none
            let markup = isProse ? Markup(raw: bytes, from: head.hang) : .none
            let start = kind == .fence ? Fences.end(of: bytes) : head.textStart
            let restored = visible.restored(markup)
            return MarkedLine(
                bytes: line, kind: kind, goesOn: goesOn, quotes: head.quotes,
                start: start > 0 ? visible.restored(start) : 0, markup: restored,
                addresses: restored.links.map { link in
                    let bytes = text[line].dropFirst(link.address.lowerBound).prefix(link.address.count)
                    let address = PipedText.line(String(decoding: bytes, as: UTF8.self))
                    return link.address == link.whole ? MarkedLines.withoutJoinersAtEnd(address) : address
                })
        }
    }

    /// The address without joiners at its end: they belong to the text around it, as for `WebLink`.
    private static func withoutJoinersAtEnd(_ address: String) -> String {
        var scalars = address.unicodeScalars
        while let last = scalars.last, last.value == 0x200C || last.value == 0x200D { scalars.removeLast() }
        return String(scalars)
    }
}
