import Display
import Messages

/// The question which link or file of a message is meant.
struct LinkPrompt: Hashable, Sendable {
    let message: MessageID
    let openables: [Openable]
    var field = TextField()

    /// The one whose number has been typed.
    private var chosen: Openable? {
        guard let number = Int(field.text), (1...openables.count).contains(number) else { return nil }
        return openables[number - 1]
    }

    /// `link`, `file`, or both.
    private var kind: String { Openable.kind(of: openables) }

    /// The number of the message's file with this index; files come after the links.
    func number(ofFile index: Int) -> Int? {
        let links = openables.count { if case .link = $0 { true } else { false } }
        return links + index < openables.count ? links + index + 1 : nil
    }

    /// Stands beside the field.
    private var answer: String {
        guard let chosen else {
            return field.isEmpty ? "1 to \(openables.count), or ↑ ↓" : "no such \(kind): 1 to \(openables.count)"
        }
        let disguise = chosen.disguisedHost.map { "leads to \($0): " } ?? ""
        return disguise + chosen.name
    }

    /// The next one, or the one before.
    private mutating func move(by step: Int) {
        let number =
            Int(field.text).map { min(max(0, $0), openables.count + 1) + step } ?? (step > 0 ? 1 : openables.count)
        field = TextField(String(min(max(1, number), openables.count)))
    }
}

extension LinkPrompt: Prompt {
    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch event {
        case .text(let characters):
            field.insert(characters.filter { ("0"..."9").contains($0) })
            return [.typed]
        case .edit(let action): return field.edit(action) ? [.typed] : []
        case .action(.up): move(by: -1)
        case .action(.down): move(by: 1)
        case .action(.cancel), .action(.fieldBackspace): return [.close]
        case .action(.activate):
            if let chosen { return [.close, .open(chosen)] }
            return field.isEmpty ? [.close] : []
        case .action, .settled, .mouse, .key: break
        }
        return []
    }

    func view(in context: Context) -> PanelView {
        let isWrong = !field.isEmpty && chosen == nil
        return .line(PromptLine(name: CleanText(kind + ": "), field: field, answer: answer, isWarning: isWrong))
    }
}

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
