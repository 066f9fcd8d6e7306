import Display
import Messages

/// The pictures of a message, one at a time over the whole screen. Pictures are not drawn among the messages: their rows would
/// have to be known before the file is read, and would change with each font and each resize.
struct PictureViewer: Hashable, Sendable {
    enum State: Hashable, Sendable {
        case loading
        /// The number of bytes of the file received so far.
        case coming(Int64)
        case shown(Picture)
        case failed(String)
    }

    private(set) var state = State.loading
    private var files: [MessageFile] = []
    private(set) var index = 0
    /// The number of the last request. Results of earlier ones are dropped.
    private var number = 0
    private var retries = Retries()
    /// The cells for the picture at the last request.
    private var room = Size(columns: 0, rows: 0)

    private var shown: MessageFile? { files.indices.contains(index) ? files[index] : nil }
    var file: Attachment? { shown?.attachment }
    var count: Int { files.count }

    /// The rows of the title and of the status line.
    static let barRows = 2
    /// The least useful cells for a picture.
    private static let least = Size(columns: 10, rows: 3)

    /// The cells of a picture on a screen of this size.
    static func room(_ size: Size) -> Size { Size(columns: size.columns, rows: size.rows - barRows) }

    mutating func open(_ files: [MessageFile], on size: Size) -> [Outcome] {
        (self.files, index) = (files, 0)
        return load(size)
    }

    /// Requests the picture at the present size of the screen.
    mutating func load(_ size: Size) -> [Outcome] {
        number += 1
        let room = PictureViewer.room(size)
        guard let shown else { return [] }
        guard room.columns >= PictureViewer.least.columns, room.rows >= PictureViewer.least.rows else {
            state = .failed("the screen is too small for a picture")
            return []
        }
        state = .loading
        (self.room, retries) = (room, Retries())
        return [.effect(.ask(.picture(shown, room: room), .picture(number)))]
    }

    /// Handles a file that could not be fetched: requests it again, unless that would fail too.
    mutating func fail(_ number: Int, _ error: StoreError) -> [Outcome] {
        guard number == self.number else { return [] }
        let again = retries.fail(error, .picture(number))
        let words = retries.words
        state = .failed(words.isEmpty ? error.reason : "\(error.reason) · \(words)")
        return again.map { [.effect($0)] } ?? []
    }

    /// Requests the file again after the pause.
    mutating func retry(_ number: Int) -> [Outcome] {
        guard number == self.number, let shown else { return [] }
        return [.effect(.ask(.picture(shown, room: room), .picture(number)))]
    }

    mutating func note(_ received: Int64, of number: Int) {
        if number == self.number { state = .coming(received) }
    }

    mutating func receive(_ number: Int, _ result: Result<Picture, EffectError>) {
        guard number == self.number else { return }
        switch result {
        case .success(let picture): state = .shown(picture)
        case .failure(let failure): state = .failed(failure.reason)
        }
    }

    private mutating func move(by step: Int, _ size: Size) -> [Outcome] {
        guard files.indices.contains(index + step) else { return [] }
        index += step
        return load(size)
    }
}

extension PictureViewer: Component {
    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch event {
        case .action(let action): return carryOut(action, context.size)
        case .text, .edit, .settled, .mouse, .key: return []
        }
    }

    private mutating func carryOut(_ action: Action, _ size: Size) -> [Outcome] {
        switch action {
        case .cancel, .activate, .quit, .picture: [.close]
        case .openLink: shown.map { Openable.file($0.attachment, of: $0.message).opened(in: $0.conversation) } ?? []
        case .down, .pageDown, .findNext, .rightPane: move(by: 1, size)
        case .up, .pageUp, .findPrevious, .leftPane: move(by: -1, size)
        default: []
        }
    }
}

/// Draws the picture of a message, between its name and the keys.
struct PictureView {
    let viewer: PictureViewer
    let size: Size
    let notice: Span?
    let keymap: Keymap

    var frame: Frame {
        let room = PictureViewer.room(size)
        var lines = [title] + Array(repeating: Line.empty, count: max(0, room.rows))
        var placed: PlacedPicture?
        switch viewer.state {
        case .loading: write("loading…", .dim, into: &lines)
        case .coming(let received): write(CleanText("fetching… \(viewer.file.share(received))"), .dim, into: &lines)
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

    /// Writes a text into the middle row, below the title.
    private func write(_ text: CleanText, _ style: Style, into lines: inout [Line]) {
        guard lines.count > 1 else { return }
        lines[1 + (lines.count - 1) / 2] = Line([Span(text, style)]).truncated(to: size.columns).centered(
            in: size.columns)
    }

    private var title: Line {
        guard let file = viewer.file else { return .empty }
        var left: Line = [Span(" "), Span(CleanText(file.name), Style(.standard, .bold))]
        if let bytes = file.size { left.append(Span(CleanText("  " + ByteCount.label(bytes)), .dim)) }
        let count = viewer.count
        let right: Line = count > 1 ? [Span(CleanText("\(viewer.index + 1) of \(count) "), .dim)] : .empty
        return left.justified(with: right, columns: size.columns).on(.bar)
    }

    private var status: Line {
        let left = Line([Span(" ")] + [notice].compactMap { $0 })
        let keys = [(Action.openLink, "open file")] + (viewer.count > 1 ? [(.down, "next")] : []) + [(.cancel, "back")]
        let hints = keys.reduce(Line.empty) { line, key in
            guard let name = keymap.key(key.0)?.description else { return line }
            return line + [Span(CleanText(name), Style(.standard, .bold)), Span(CleanText(" \(key.1)  "), .dim)]
        }
        return left.justified(with: hints, columns: size.columns).padded(to: size.columns).on(.bar)
    }
}
