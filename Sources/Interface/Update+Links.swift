import Display
import Messages
import Timeline

/// The question which link of a message is meant.
struct LinkPrompt: Hashable, Sendable {
    let message: MessageID
    /// As they are shown and opened.
    let links: [String]
    var field = TextField()

    /// The link whose number has been typed.
    var chosen: String? {
        guard let number = Int(field.text), (1...links.count).contains(number) else { return nil }
        return links[number - 1]
    }

    /// What is shown beside the field.
    var answer: String {
        guard let chosen else {
            return field.isEmpty ? "1 to \(links.count), or ↑ ↓" : "no such link: 1 to \(links.count)"
        }
        let disguise = WebAddress.disguisedHost(of: chosen).map { "leads to \($0): " } ?? ""
        return disguise + chosen
    }

    /// The next one, or the one before.
    mutating func move(by step: Int) {
        let number = Int(field.text).map { min(max(0, $0), links.count + 1) + step } ?? (step > 0 ? 1 : links.count)
        field = TextField(String(min(max(1, number), links.count)))
    }
}

extension Body {
    /// A link in the text of a message.
    struct Link: Hashable {
        let line: Int
        /// Bytes of the line: the address, and all that stands for it.
        let place: Range<Int>
        let whole: Range<Int>
        let address: String
    }

    /// All links, in order: the first one has the number 1.
    var links: [Link] {
        lines.enumerated().flatMap { index, line in
            line.markup.links.map {
                Link(line: index, place: $0.address, whole: $0.whole, address: line.address($0.address))
            }
        }
    }

    var hasLinks: Bool { lines.contains { !$0.markup.links.isEmpty } }
}

extension Body.Line {
    /// What is drawn there, without what is put between characters only to be drawn.
    fileprivate func address(_ place: Range<Int>) -> String {
        let drawn = CleanText(text.string.whole(place).text).spelled
        return String(String.UnicodeScalarView(drawn.unicodeScalars.filter { $0 != "\u{200C}" }))
    }
}

extension Model {
    /// o: the only link of the selected message is opened at once; of several the number is asked for.
    mutating func openLink() -> [Effect] {
        guard let index = timeline.selectedIndex else { return [] }
        let entry = timeline.list[index]
        let links = entry.body.links.map(\.address)
        guard let first = links.first else {
            tell("this message has no link")
            return []
        }
        return links.count == 1 ? open(first, of: links, in: entry.id) : ask(for: links, in: entry.id)
    }

    /// Opens one link of a message; one that may be taken for another is shown first, with where it leads.
    mutating func open(_ link: String, of links: [String], in message: MessageID) -> [Effect] {
        guard WebAddress.disguisedHost(of: link) == nil else {
            return ask(for: links, in: message, number: links.firstIndex(of: link))
        }
        tell("opening \(link)")
        return [.openLink(link)]
    }

    private mutating func ask(for links: [String], in message: MessageID, number: Int? = nil) -> [Effect] {
        dropPending()
        let field = TextField(number.map { String($0 + 1) } ?? "")
        panel = .link(LinkPrompt(message: message, links: links, field: field))
        return []
    }

    mutating func actInLinkPrompt(_ action: Action) -> [Effect] {
        guard case .link(var prompt) = panel else { return [] }
        switch action {
        case .up, .down:
            prompt.move(by: action == .up ? -1 : 1)
            panel = .link(prompt)
            return []
        case .cancel, .fieldBackspace: break
        case .activate:
            if let chosen = prompt.chosen {
                panel = nil
                tell("opening \(chosen)")
                return [.openLink(chosen)]
            }
            guard prompt.field.isEmpty else { return [] }
        default: return []
        }
        panel = nil
        return []
    }
}

// MARK: - What the mouse finds in a message

extension Model {
    /// What of a message lies under a cell of the message area.
    enum Spot: Hashable {
        case quote
        case link(Int)
        case other
    }

    /// - Parameters:
    ///   - row: of the message area.
    ///   - column: of the screen.
    func spot(row: Int, column: Int) -> Spot {
        guard let index = timeline.layout.index(at: timeline.viewport.top + row), column >= grid.textStart else {
            return .other
        }
        let entry = timeline.list[index]
        let offset = row - timeline.screenRow(of: index)
        switch timeline.measure(of: index).rows[offset].content {
        case .quote: return .quote
        case .text(let wrapped, let line) where entry.body.lines[line].kind == .prose:
            let column = column - grid.textStart - wrapped.indent
            guard column >= 0, column < wrapped.text.columns else { return .other }
            // The beginning of the character that covers the column.
            let before = wrapped.text.prefix(columns: column).string.utf8.count
            let place = wrapped.start + before
            let link = entry.body.links.firstIndex { $0.line == line && $0.whole.contains(place) }
            return link.map(Spot.link) ?? .other
        default: return .other
        }
    }

    /// A click on a quote follows it; a second one, which comes with a double click, does not lead further.
    mutating func followQuote(row: Int, column: Int) -> [Effect]? {
        guard spot(row: row, column: column) == .quote else { return nil }
        hasFollowedClick = true
        return activate()
    }

    /// A double click on a link opens it.
    mutating func openLink(row: Int, column: Int) -> [Effect]? {
        guard case .link(let number) = spot(row: row, column: column), let index = timeline.selectedIndex else {
            return nil
        }
        let entry = timeline.list[index]
        let links = entry.body.links.map(\.address)
        return open(links[number], of: links, in: entry.id)
    }
}

// MARK: - Numbers

extension LinkPrompt {
    /// The numbers of the links of a row, in place of the first characters of their addresses: so they take no room.
    /// - Returns: the row with them, and where they stand in it.
    func numbered(_ row: WrappedRow, line: Int, links: [Body.Link]) -> (row: WrappedRow, labels: [Range<Int>]) {
        var bytes = Array(row.text.string.utf8)
        var labels: [Range<Int>] = []
        for (index, link) in links.enumerated() where link.line == line {
            let start = link.place.lowerBound - row.start
            let label = Array("[\(index + 1)]".utf8)
            // An address begins with ASCII: "http://" has room for every number that is worth reading.
            guard bytes.indices.contains(start), label.count <= 7 else { continue }
            let end = min(start + label.count, bytes.count)
            bytes.replaceSubrange(start..<end, with: label.prefix(end - start))
            labels.append(start..<end)
        }
        guard !labels.isEmpty else { return (row, []) }
        var numbered = row
        numbered.text = CleanText(String(decoding: bytes, as: UTF8.self))
        return (numbered, labels)
    }
}
