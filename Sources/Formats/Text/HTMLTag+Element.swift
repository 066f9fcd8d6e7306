extension HTMLTag {
    /// Whether the tag has a class of this name.
    func hasClass(_ name: StaticString) -> Bool {
        guard let classes = encoded("class") else { return false }
        var start = 0
        for end in 0...classes.count where end == classes.count || classes[end] <= 0x20 {
            if Bytes(rebasing: classes[start..<end]) == name { return true }
            start = end + 1
        }
        return false
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
