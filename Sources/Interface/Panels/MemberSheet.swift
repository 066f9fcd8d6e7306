import Display
import Messages
import Search

/// The topic and the members of a conversation; if the store does not know members, the people who have written in the
/// conversation.
struct MemberSheet: Sendable {
    struct Row: ListedRow {
        let person: Person
        /// The time of the person's newest message, if known.
        var last: Timestamp?
        var id: PersonID { person.id }
        var searched: String { "\(person.name) \(person.id)" }
    }

    private let conversation: Conversation
    private var list = RowList<Row>()
    /// The people who have written, the latest first.
    private var writers: [Row] = []
    /// True if older messages are still being read.
    private var isReading = false
    private var failure: String?

    /// - Parameter members: all members, if the server has reported them.
    init(_ conversation: Conversation, _ members: [Person]? = nil) {
        self.conversation = conversation
        isReading = conversation.lacksMembers && members == nil
        list.show((members ?? conversation.members).map { Row(person: $0) })
    }

    private var hasMembers: Bool { !conversation.members.isEmpty || conversation.lacksMembers }

    /// The rows of the topic, above the list.
    private func topic(_ size: Size) -> [Line] {
        guard let topic = conversation.topic, !topic.isEmpty, size.rows >= 8 else { return [] }
        let rows = wrap(CleanText(topic), columns: max(10, size.columns - 2), hanging: 0).prefix(size.rows / 4)
        return rows.map { [Span(" "), Span($0.text, .dim)] } + [.empty]
    }

    private func area(_ size: Size) -> PreviewLayout.Area {
        let (plain, topic) = (PreviewLayout.plain(size).list, topic(size).count)
        return PreviewLayout.Area(
            row: plain.row + topic, column: 0, columns: plain.columns, rows: max(1, plain.rows - topic))
    }
}

extension MemberSheet: Sheet {
    mutating func begin(in context: Context) -> [Outcome] {
        guard !hasMembers else { return isReading ? [.ask(.members(conversation.id))] : [] }
        isReading = true
        return [.ask(.writers(conversation.id, from: .latest))]
    }

    func awaitsRows(hasHeld: Bool) -> Bool { isReading && (hasHeld || list.rows.isEmpty) }

    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch list.handle(event, in: area(context.size)) {
        case .typed: return [.typed]
        case .left: return [.close]
        case .chosen:
            guard let person = list.selectedRow?.person else { return [.close] }
            let (sender, place) = (
                QueryFilters.quoted(person.id.rawValue), QueryFilters.quoted(conversation.id.rawValue)
            )
            return [.close, .search(.everywhere(words: "from:\(sender) in:\(place) "))]
        case .moved, .none, .other: return []
        }
    }

    mutating func receive(_ reply: Reply, in context: Context) -> [Outcome] {
        if case .members(let result) = reply {
            isReading = false
            switch result {
            case .success(let people):
                failure = nil
                list.show(people.map { Row(person: $0) })
            case .failure(let error): failure = error.reason
            }
            return []
        }
        guard case .writers(let result) = reply else { return [] }
        switch result {
        case .success(let batch):
            failure = nil
            let known = Set(writers.map(\.id))
            writers += batch.people.filter { !known.contains($0.0.id) }.map { Row(person: $0.0, last: $0.1) }
            isReading = !batch.isLast
            list.show(writers)
        case .failure(let error):
            failure = error.description
            isReading = false
        }
        return []
    }

    func frame(on screen: ListScreen, in context: Context, looks: Looks) -> Frame {
        let known = list.all.count
        let failure = failure.map(screen.failed)
        let answer: String
        if hasMembers {
            // The known members are not presented as all members.
            let count = isReading || failure != nil ? max(known, conversation.memberCount ?? 0) : known
            let members = "\(count.grouped) \(count == 1 ? "member" : "members")"
            answer = members + (known < count ? ", \(known.grouped) known" : "") + (failure.map { ": \($0)" } ?? "")
        } else {
            answer =
                failure.map { "not all read: \($0)" }
                ?? "\(known.grouped) who have written\(isReading ? " so far" : "")"
        }
        let title = CleanText(conversation.title).truncated(to: max(8, screen.size.columns / 3))
        let prompt = PromptLine(name: title + ": ", field: list.field, answer: answer, isWarning: failure != nil)
        let none: CleanText =
            isReading || failure != nil ? "reading…" : list.all.isEmpty ? "nobody has written here" : "no match"
        let rows = screen.lines(of: list, in: area(screen.size), otherwise: Span(none, .dim)) {
            row, columns in line(row, columns, screen, looks)
        }
        let topic = topic(screen.size)
        return screen.frame(
            prompt, Array((topic + rows).prefix(max(1, screen.size.rows - 2))), selected: nil, goal: "their messages")
    }

    private func line(_ row: Row, _ columns: Int, _ screen: ListScreen, _ looks: Looks) -> Line {
        var line: Line = []
        if let last = row.last { line.append(Span(screen.time(last).padded(to: screen.timeColumns + 2), .dim)) }
        line.append(Span(CleanText(row.person.name), looks.name(of: row.person.id)))
        if row.person.name != row.person.id.rawValue {
            line.append(Span("  " + CleanText(row.person.id.rawValue), .dim))
        }
        if row.person.id == looks.me { line.append(Span("  you", .dim)) }
        return line
    }
}
