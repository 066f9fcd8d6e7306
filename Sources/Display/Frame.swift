/// The contents of the screen at one moment.
package struct Frame: Hashable, Sendable {
    package let size: Size
    /// Exactly `size.rows` lines, each at most `size.columns` wide.
    package let lines: [Line]
    /// The place of the cursor, within `size`; nil when it is hidden.
    package let cursor: ScreenPosition?
    /// A picture over the lines, which are blank there; nil when there is none.
    package let picture: PlacedPicture?

    /// Cuts long lines, drops lines beyond the last row, adds empty lines, and hides a cursor or a picture that is off the
    /// screen.
    package init(size: Size, lines: [Line], cursor: ScreenPosition? = nil, picture: PlacedPicture? = nil) {
        let size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
        let kept = lines.prefix(size.rows).map { $0.prefix(columns: size.columns) }
        self.size = size
        self.lines = kept + Array(repeating: .empty, count: size.rows - kept.count)
        self.cursor = cursor.flatMap {
            (0..<size.rows).contains($0.row) && (0..<size.columns).contains($0.column) ? $0 : nil
        }
        self.picture = picture.flatMap { $0.fits(size) ? $0 : nil }
    }

    /// The rows without styles and trailing blanks, joined by newlines. For tests.
    package var text: String {
        lines.map { line in
            var row = line.text[...]
            while row.last == " " { row.removeLast() }
            return row
        }.joined(separator: "\n")
    }
}

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

/// The colour, attributes and background of a text. Each terminal shows them in its own way.
package struct Style: Hashable, Sendable {
    package var color: Color
    package var attributes: Attributes
    package var surface: Surface

    package static let plain = Style()
    /// The style of times, advice and all that stands beside the text.
    package static let dim = Style(.standard, .dim)

    package init(_ color: Color = .standard, _ attributes: Attributes = [], on surface: Surface = .screen) {
        self.color = color
        self.attributes = attributes
        self.surface = surface
    }

    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Attributes(rawValue: 1 << 0)
        package static let dim = Attributes(rawValue: 1 << 1)
        package static let italic = Attributes(rawValue: 1 << 2)
        package static let underline = Attributes(rawValue: 1 << 3)
        package static let reverse = Attributes(rawValue: 1 << 4)
    }
}

/// The meaning of a colour. The theme decides how it looks.
package enum Color: Hashable, Sendable {
    /// The foreground of plain text.
    case standard
    /// Selection, hits of a search, links.
    case accent
    /// Unread messages and mentions of the user.
    case unread
    /// Errors and warnings.
    case warning
    /// Code in a text.
    case code
    /// A sender's colour, taken modulo `nameCount`.
    case name(Int)

    /// The number of colours for names.
    package static let nameCount = 12
}

/// The background of text.
package enum Surface: Hashable, Sendable, CaseIterable {
    case screen
    /// The title and the status line. On a terminal with few colours they are reversed.
    case bar
    /// The selected message. On a terminal with few colours this is the background of the screen.
    case selection
}

/// A colour in parts of red, green and blue, each from 0 to 255.
package struct RGB: Hashable, Sendable {
    package let red: Int
    package let green: Int
    package let blue: Int

    package init(_ red: Int, _ green: Int, _ blue: Int) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// The brightness that people see, from 0 to 255.
    package var grey: Int { (299 * red + 587 * green + 114 * blue) / 1_000 }

    package var isLight: Bool { grey > 127 }

    /// The number of the grey that is nearest to a brightness, among the 24 greys of 256 colours.
    package static func numberOfGrey(_ brightness: Int) -> Int { 232 + min(23, max(0, (brightness - 8 + 5) / 10)) }

    /// The nearest of the 240 fixed ones of the 256 colours.
    package var number: Int {
        (16..<256).min { distance(to: RGB(number: $0)) < distance(to: RGB(number: $1)) } ?? 16
    }

    /// - Parameter number: an index from 16 on, among the 256 colours: a cube of colours, and greys.
    package init(number: Int) {
        if number >= 232 {
            let grey = 8 + (number - 232) * 10
            self.init(grey, grey, grey)
        } else {
            let levels = [0, 95, 135, 175, 215, 255]
            let index = max(0, number - 16)
            self.init(levels[index / 36], levels[index / 6 % 6], levels[index % 6])
        }
    }

    private func distance(to other: RGB) -> Int {
        let (red, green, blue) = (red - other.red, green - other.green, blue - other.blue)
        return red * red + green * green + blue * blue
    }
}

extension RGB {
    /// The colour in a terminal's report, such as `rgb:1c1c/1c1c/1c1c`; nil for any other text.
    package init?(report: some Collection<UInt8>) {
        let text = String(decoding: report, as: UTF8.self)
        guard let colon = text.firstIndex(of: ":"), ["rgb", "rgba"].contains(text[..<colon]) else { return nil }
        let parts = text[text.index(after: colon)...].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return nil }
        let values = parts.prefix(3).compactMap { part -> Int? in
            guard (1...4).contains(part.utf8.count), let value = Int(part, radix: 16) else { return nil }
            return value * 255 / (1 << (4 * part.utf8.count) - 1)
        }
        guard values.count == 3 else { return nil }
        self.init(values[0], values[1], values[2])
    }

    /// `#ff8700`; nil for any other text.
    package init?(hex text: String) {
        guard text.utf8.count == 7, text.first == "#", let value = Int(text.dropFirst(), radix: 16), value >= 0 else {
            return nil
        }
        self.init(value >> 16, value >> 8 & 0xFF, value & 0xFF)
    }
}
