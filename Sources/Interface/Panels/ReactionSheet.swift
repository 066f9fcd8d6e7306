import Display
import Messages

/// The people who have reacted to a message, by emoji, and the people who have read it.
struct ReactionSheet: Sendable {
    struct Row: ListedRow {
        /// Nil for the people who have read the message.
        let emoji: String?
        /// Nil for people without a name in the store.
        let person: Person?
        /// The number of people with this emoji, or of readers; only in the first row of each group.
        let count: Int?
        /// The number of people whom the store counts but does not name.
        var unnamed = 0

        var id: [String] { [emoji ?? "", person?.id.rawValue ?? ""] }
        var searched: String { "\(emoji ?? "read") \(person?.name ?? "") \(person?.id.rawValue ?? "")" }

        /// The emoji and its count with blanks around it; nil but in the first row of each group.
        fileprivate var head: (name: CleanText, count: CleanText)? {
            count.map { (CleanText(emoji ?? "read by"), CleanText("  \($0.grouped)  ")) }
        }
    }

    private let message: MessageID
    private let conversation: ConversationID
    private let readers: [Person]
    private var list = RowList<Row>()
    private var failure: String?

    /// - Parameters:
    ///   - message: the message as on the screen, with some of the people; the others are requested.
    ///   - readers: the people known to have read the message.
    init(_ message: Message, readBy readers: [Person] = [], in conversation: ConversationID) {
        (self.message, self.conversation, self.readers) = (message.id, conversation, readers)
        show(message)
    }

    private mutating func show(_ message: Message) {
        list.show(
            message.reactions.flatMap { reaction -> [Row] in
                var rows = reaction.people.enumerated().map { index, person in
                    Row(emoji: reaction.emoji, person: person, count: index == 0 ? reaction.count : nil)
                }
                let unnamed = reaction.count - reaction.people.count
                if unnamed > 0 {
                    let count = rows.isEmpty ? reaction.count : nil
                    rows.append(Row(emoji: reaction.emoji, person: nil, count: count, unnamed: unnamed))
                }
                return rows
            } + readers.enumerated().map { Row(emoji: nil, person: $1, count: $0 == 0 ? readers.count : nil) })
    }
}

extension ReactionSheet: Sheet {
    mutating func begin(in context: Context) -> [Outcome] { [.ask(.message(message, conversation))] }

    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch list.handle(event, in: PreviewLayout.plain(context.size).list) {
        case .typed: [.typed]
        case .left, .chosen: [.close]
        case .moved, .none, .other: []
        }
    }

    mutating func receive(_ reply: Reply, in context: Context) -> [Outcome] {
        guard case .message(let result) = reply else { return [] }
        switch result {
        case .success(let message):
            failure = nil
            show(message)
        case .failure(let error): failure = error.description
        }
        return []
    }

    func frame(on screen: ListScreen, in context: Context, looks: Looks) -> Frame {
        let reactions = list.all.filter { $0.emoji != nil }
        let emoji = Set(reactions.map(\.emoji)).count
        let people = reactions.reduce(0) { $0 + ($1.person == nil ? $1.unnamed : 1) }
        let counted = "\(people.grouped) \(people == 1 ? "reaction" : "reactions"), \(emoji) emoji"
        let read = readers.isEmpty ? [] : ["read by \(readers.count)"]
        let answer = ((reactions.isEmpty && !readers.isEmpty ? [] : [counted]) + read).joined(separator: ", ")
        let prompt = PromptLine(name: "Reactions: ", field: list.field, answer: answer)
        let widest = list.all.compactMap(\.head).map { $0.name.columns + $0.count.columns }.max() ?? 0
        let none: CleanText = list.all.isEmpty ? "nobody has reacted to this message" : "no match"
        let rows = screen.lines(
            of: list, in: PreviewLayout.plain(screen.size).list, otherwise: Span(none, .dim)
        ) { row, columns in line(row, head: min(max(12, widest), max(12, columns / 2)), looks) }
        let warning = failure.map { Span(CleanText("not all names: \(screen.failed($0))"), Style(.warning)) }
        return screen.frame(prompt, rows, selected: warning, opensNothing: true)
    }

    private func line(_ row: Row, head columns: Int, _ looks: Looks) -> Line {
        // On a narrow screen the name of the emoji is cut, and never the count.
        let head = row.head.map { $0.name.truncated(to: columns - $0.count.columns) + $0.count } ?? ""
        var line: Line = [Span(head.padded(to: columns), Style(.standard, .bold))]
        guard let person = row.person else {
            let others = row.unnamed == 1 ? "1 person" : "\(row.unnamed.grouped) people"
            return line + [Span(CleanText("\(others) without a name here"), .dim)]
        }
        line.append(Span(CleanText(person.name), looks.name(of: person.id)))
        if person.id == looks.me { line.append(Span("  you", .dim)) }
        if person.name != person.id.rawValue {
            line.append(Span("  " + CleanText(person.id.rawValue), .dim))
        }
        return line
    }
}
