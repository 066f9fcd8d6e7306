extension HTMLTag {
    /// Whether the tag has a class of this name.
    func hasClass(_ name: StaticString) -> Bool {
        guard let classes = attribute("class") else { return false }
        return classes.withUnsafeBytes { classes in
            classes.split(separator: 0x20).contains { Bytes(rebasing: $0) == name }
        }
    }

    /// The contents of the element that this tag begins: up to its end tag, or that of the whole text.
    func inside(_ html: Bytes) -> Range<Int> { range.upperBound..<(endTag(in: html)?.lowerBound ?? html.count) }

    /// The place after the element that this tag begins.
    func elementEnd(in html: Bytes) -> Int { endTag(in: html)?.upperBound ?? html.count }

    private func endTag(in html: Bytes) -> Range<Int>? {
        var scanner = HTMLScanner(html, from: range.upperBound)
        var depth = 1
        while let piece = scanner.next() {
            guard case .tag(let tag) = piece, tag.name == name else { continue }
            depth += tag.isEnd ? -1 : 1
            if depth == 0 { return tag.range }
        }
        return nil
    }
}
