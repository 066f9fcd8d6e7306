/// Text in one style.
package struct Span: Hashable, Sendable {
    package var text: CleanText
    package var style: Style

    package init(_ text: CleanText, _ style: Style = .plain) {
        self.text = text
        self.style = style
    }
}

/// One row of the screen, or a piece of one.
package struct Line: Hashable, Sendable {
    package var spans: [Span]

    package static let empty = Line([])

    package init(_ spans: [Span]) {
        self.spans = spans
    }

    package init(_ text: CleanText, _ style: Style = .plain) {
        spans = [Span(text, style)]
    }

    package var columns: Int { spans.reduce(0) { $0 + $1.text.columns } }

    /// The text without its styles, for tests.
    package var text: String { spans.map(\.text.string).joined() }

    /// The same line in one style.
    package func styled(_ style: Style) -> Line { Line(spans.map { Span($0.text, style) }) }

    /// The same line on another background.
    package func on(_ surface: Surface) -> Line {
        Line(
            spans.map { span in
                var span = span
                span.style.surface = surface
                return span
            })
    }

    package mutating func append(_ span: Span) {
        spans.append(span)
    }

    package mutating func append(_ line: Line) {
        spans += line.spans
    }

    /// The first `limit` columns. Never splits a cluster, so it may be one column short.
    package func prefix(columns limit: Int) -> Line {
        var left = limit
        var kept: [Span] = []
        for span in spans {
            if span.text.columns > left {
                let text = span.text.prefix(columns: left)
                if !text.isEmpty { kept.append(Span(text, span.style)) }
                return Line(kept)
            }
            kept.append(span)
            left -= span.text.columns
        }
        return self
    }

    /// At most `limit` columns. When something is cut, "…" takes its place, in its style.
    package func truncated(to limit: Int) -> Line {
        guard columns > limit else { return self }
        guard limit > 0 else { return .empty }
        let ellipsis: CleanText = "…"
        var cut = prefix(columns: limit - ellipsis.columns)
        let place = cut.spans.last { !$0.text.isEmpty } ?? spans.first { !$0.text.isEmpty }
        cut.append(Span(ellipsis, place?.style ?? .plain))
        return cut
    }

    /// Exactly `limit` columns: truncated, or followed by spaces in the given style.
    package func padded(to limit: Int, style: Style = .plain) -> Line {
        var line = truncated(to: limit)
        let missing = limit - line.columns
        if missing > 0 { line.append(Span(.blanks(missing), style)) }
        return line
    }
}

extension Line: ExpressibleByArrayLiteral {
    package init(arrayLiteral spans: Span...) {
        self.init(spans)
    }
}
