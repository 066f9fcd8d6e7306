import Display
import Messages

/// Draws the picture of a message, between its name and the keys.
struct PictureView {
    private let viewer: PictureViewer
    private let size: Size
    private let notice: Span?
    private let keymap: Keymap
    private let dim = Style(.standard, .dim)

    init(_ viewer: PictureViewer, size: Size, notice: Span?, keymap: Keymap) {
        (self.viewer, self.size, self.notice, self.keymap) = (viewer, size, notice, keymap)
    }

    var frame: Frame {
        let room = PictureViewer.room(size)
        var lines = [title] + Array(repeating: Line.empty, count: max(0, room.rows))
        var placed: PlacedPicture?
        switch viewer.state {
        case .loading: write("loading…", dim, into: &lines)
        case .coming(let received): write(CleanText("fetching… \(viewer.file.share(received))"), dim, into: &lines)
        case .failed(let reason): write(CleanText(reason), Style(.warning), into: &lines)
        case .shown(let picture):
            let position = ScreenPosition(
                row: 1 + max(0, room.rows - picture.size.rows) / 2,
                column: max(0, room.columns - picture.size.columns) / 2)
            placed = PlacedPicture(picture, at: position)
        }
        if size.rows >= PictureViewer.barRows { lines.append(status) }
        return Frame(size: size, lines: lines, picture: placed)
    }

    /// Writes into the row in the middle, below the title.
    private func write(_ text: CleanText, _ style: Style, into lines: inout [Line]) {
        guard lines.count > 1 else { return }
        lines[1 + (lines.count - 1) / 2] = Line([Span(text, style)]).truncated(to: size.columns).centered(
            in: size.columns)
    }

    private var title: Line {
        guard let file = viewer.file else { return .empty }
        var left: Line = [Span(" "), Span(CleanText(file.name), Style(.standard, .bold))]
        if let bytes = file.size { left.append(Span(CleanText("  " + ByteCount.label(bytes)), dim)) }
        let count = viewer.count
        let right: Line = count > 1 ? [Span(CleanText("\(viewer.index + 1) of \(count) "), dim)] : .empty
        return left.justified(with: right, columns: size.columns).on(.bar)
    }

    private var status: Line {
        let left = Line([Span(" ")] + [notice].compactMap { $0 })
        let keys = [(Action.openLink, "open file")] + (viewer.count > 1 ? [(.down, "next")] : []) + [(.cancel, "back")]
        let hints = keys.reduce(Line.empty) { line, key in
            guard let name = keymap.key(key.0)?.description else { return line }
            return line + [Span(CleanText(name), Style(.standard, .bold)), Span(CleanText(" \(key.1)  "), dim)]
        }
        return left.justified(with: hints, columns: size.columns).padded(to: size.columns).on(.bar)
    }
}
