import Display
import Messages
import Timeline

extension Model {
    /// o: the only link or file of the selected message is opened at once; of several the number is asked for.
    mutating func openSelected() -> [Effect] {
        guard let index = timeline.selectedIndex else { return [] }
        let entry = timeline.list[index]
        let all = entry.openables
        guard let first = all.first else {
            tell("this message has no link and no file")
            return []
        }
        return all.count == 1 ? open(first, of: all, in: entry.id) : ask(for: all, in: entry.id)
    }

    /// Opens one link or file of a message; a link that may be taken for another is shown first, with where it leads.
    mutating func open(_ openable: Openable, of all: [Openable], in message: MessageID) -> [Effect] {
        guard openable.disguisedHost == nil else {
            return ask(for: all, in: message, number: all.firstIndex(of: openable))
        }
        return open(openable)
    }

    mutating func open(_ openable: Openable) -> [Effect] {
        guard let conversation else { return [] }
        tell("opening \(openable.name)")
        switch openable {
        case .link(let address): return [.openLink(address)]
        case .file(let attachment): return [.openFile(attachment, conversation.id)]
        }
    }

    private mutating func ask(for all: [Openable], in message: MessageID, number: Int? = nil) -> [Effect] {
        dropPending()
        let field = TextField(number.map { String($0 + 1) } ?? "")
        ask(LinkPrompt(message: message, openables: all, field: field))
        return []
    }
}

// MARK: - What the mouse finds in a message

extension Model {
    /// The part of a message that lies under a cell of the message area.
    enum Spot: Hashable {
        case quote
        /// The link or the file with this index.
        case openable(Int)
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
        switch timeline.measure(of: index).row(offset).content {
        case .quote: return .quote
        case .text(let wrapped, let line) where entry.body.line(line).kind == .prose:
            let column = column - grid.textStart - wrapped.indent
            guard column >= 0, column < wrapped.text.columns else { return .other }
            // The beginning of the character that covers the column.
            let before = wrapped.text.prefix(columns: column).string.utf8.count
            let place = wrapped.start + before
            let link = entry.body.links.firstIndex { $0.line == line && $0.whole.contains(place) }
            return link.map(Spot.openable) ?? .other
        case .attachment(let file): return .openable(entry.body.links.count + file)
        default: return .other
        }
    }

    /// A click on a quote follows it; a second one, which comes with a double click, does not lead further.
    mutating func openQuote(row: Int, column: Int) -> [Effect]? {
        guard spot(row: row, column: column) == .quote else { return nil }
        inputState.hasFollowedClick = true
        return activate()
    }

    /// A double click on a link or a file opens it.
    mutating func openSpot(row: Int, column: Int) -> [Effect]? {
        guard case .openable(let number) = spot(row: row, column: column), let index = timeline.selectedIndex else {
            return nil
        }
        let entry = timeline.list[index]
        let all = entry.openables
        return all.indices.contains(number) ? open(all[number], of: all, in: entry.id) : nil
    }
}
