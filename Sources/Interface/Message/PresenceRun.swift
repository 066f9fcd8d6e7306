import Display
import Messages

/// Successive presence lines of one day as one item of the timeline: one row, or a row for each line when it is
/// unfolded.
struct PresenceRun: Equatable, Sendable {
    /// The lines, at least one.
    let lines: [Message]
    private let ids: Set<MessageID>

    /// The most Unicode scalars of a line, so that a long line does not push the others off the screen.
    private static let longestLine = 500

    init(_ lines: [Message]) {
        self.lines = lines
        ids = Set(lines.map(\.id))
    }

    func holds(_ id: MessageID) -> Bool { ids.contains(id) }

    /// The index of a line.
    func index(of id: MessageID) -> Int? { holds(id) ? lines.firstIndex { $0.id == id } : nil }

    /// The same run with another version of a line.
    func replacing(_ message: Message) -> PresenceRun {
        PresenceRun(lines.map { $0.id == message.id ? message : $0 })
    }

    func appending(_ more: [Message]) -> PresenceRun { PresenceRun(lines + more) }

    /// The number of messages that continue the run, among those that follow it directly.
    func continuation(in messages: [Message], zone: Zone) -> Int {
        guard let last = lines.last else { return 0 }
        let day = zone.civil(last.at).date
        var before = last
        return messages.prefix { message in
            defer { before = message }
            return Presence.continues(before.presence, message.presence) && zone.civil(message.at).date == day
        }.count
    }

    /// The run as one message, whose text has a line for each of its lines. A line begins with the time if its minute differs
    /// from that of the line before.
    func message(zone: Zone) -> Message {
        let clocks = lines.map { zone.clock(zone.civil($0.at)) }
        let texts = lines.indices.map { index in
            let isNew = index > 0 && clocks[index] != clocks[index - 1]
            return (isNew ? clocks[index] + " " : "") + PresenceRun.text(of: lines[index])
        }
        let first = lines[0]
        return Message(
            id: first.id, at: first.at, sender: nil, kind: .system, presence: first.presence,
            text: texts.joined(separator: "\n"), cursor: first.cursor)
    }

    /// The text of a line without line ends.
    private static func text(of line: Message) -> String {
        if line.isDeleted { return "message deleted" }
        let text = line.text.beginning(longestLine).split(whereSeparator: \.isNewline).joined(separator: " ")
        if !text.isEmpty { return text }
        let name = PresenceRun.name(of: line).string
        return switch line.presence?.change {
        case .join, nil: "\(name) joined"
        case .leave: "\(name) left"
        case .nick(let new): "\(name) is now \(CleanText(new.beginning(ShownName.longest)))"
        case .mode: "\(name) changed a mode"
        }
    }

    private static func name(of line: Message) -> CleanText { line.sender.map(ShownName.of) ?? "?" }

    /// The old name in the text of a change of name. The sender may have the new one by now.
    private static func oldName(in line: Message, before new: String) -> CleanText? {
        let end = " is now " + new
        guard line.text.hasSuffix(end) else { return nil }
        let name = CleanText(String(line.text.dropLast(end.count)).beginning(ShownName.longest))
        return name.columns > 0 ? name : nil
    }

    // MARK: - In one row

    /// `+3 ana, ben, cy  −1 dan  eve → eve_  2 modes`, with fewer names if there is less room; without room for names
    /// `+3 −1  1 new name  2 modes`.
    func summary(columns: Int) -> CleanText {
        let parts = Parts(lines)
        for count in [Int.max, 16, 12, 9, 7, 5, 4, 3, 2, 1] {
            let text = parts.text(naming: count)
            if text.columns <= columns { return text }
        }
        return parts.short.truncated(to: columns)
    }

    private struct Parts {
        private var joined: [CleanText] = []
        private var left: [CleanText] = []
        private var renamed: [CleanText] = []
        private var counts = (joins: 0, leaves: 0, nicks: 0, modes: 0, others: 0)

        init(_ lines: [Message]) {
            for line in lines {
                guard let presence = line.presence, !line.isDeleted else {
                    counts.others += 1
                    continue
                }
                let name = PresenceRun.name(of: line)
                switch presence.change {
                case .join:
                    counts.joins += 1
                    joined.append(name)
                case .leave:
                    counts.leaves += 1
                    left.append(name)
                case .nick(let new):
                    counts.nicks += 1
                    renamed.append(
                        (PresenceRun.oldName(in: line, before: new) ?? name) + " → "
                            + CleanText(new.beginning(ShownName.longest)))
                case .mode: counts.modes += 1
                }
            }
        }

        /// - Parameter most: the most names of each kind.
        func text(naming most: Int) -> CleanText {
            var parts: [CleanText] = []
            if counts.joins > 0 { parts.append("+\(counts.joins.grouped) " + Parts.names(joined, most)) }
            if counts.leaves > 0 { parts.append("−\(counts.leaves.grouped) " + Parts.names(left, most)) }
            if counts.nicks > 0 { parts.append(Parts.names(renamed, most)) }
            return Parts.joined(parts + rest)
        }

        var short: CleanText {
            let sums = [
                counts.joins > 0 ? "+\(counts.joins.grouped)" : nil,
                counts.leaves > 0 ? "−\(counts.leaves.grouped)" : nil,
            ]
            let names = counts.nicks == 1 ? "1 new name" : "\(counts.nicks.grouped) new names"
            let signs = CleanText(sums.compactMap(\.self).joined(separator: " "))
            return Parts.joined((signs.isEmpty ? [] : [signs]) + (counts.nicks > 0 ? [CleanText(names)] : []) + rest)
        }

        private var rest: [CleanText] {
            var parts: [CleanText] = []
            if counts.modes > 0 { parts.append(counts.modes == 1 ? "1 mode" : "\(counts.modes.grouped) modes") }
            if counts.others > 0 { parts.append("\(counts.others.grouped) deleted") }
            return parts
        }

        /// The first names, each once.
        private static func names(_ all: [CleanText], _ most: Int) -> CleanText {
            var known: Set<String> = []
            var shown: [CleanText] = []
            for name in all where known.insert(name.string).inserted {
                if shown.count == most { return joined(shown, separator: ", ") + ", …" }
                shown.append(name)
            }
            return joined(shown, separator: ", ")
        }

        private static func joined(_ parts: [CleanText], separator: CleanText = "  ") -> CleanText {
            parts.dropFirst().reduce(parts.first ?? "") { $0 + separator + $1 }
        }
    }
}

/// The names of people, as rows show them.
enum ShownName {
    /// The most Unicode scalars of a name: more than fit on any screen.
    static let longest = 200

    /// The name of a person; the ID if nothing of the name is visible.
    static func of(_ person: Person) -> CleanText {
        let name = CleanText(person.name.beginning(longest))
        return name.columns > 0 ? name : CleanText(person.id.rawValue.beginning(longest))
    }

    /// The name in at most these columns: whole, else `Priya R.`, `Priya`, `PR`. If none of these fits, it is cut. A name shared
    /// by two people is followed by the ID, `Ben (@ben2:e.org)`: then only the ID is kept.
    static func fitted(_ name: CleanText, columns: Int) -> CleanText {
        guard name.columns > columns else { return name }
        if name.string.hasSuffix(")"), let start = name.string.ranges(of: " (@").last {
            return CleanText("@" + name.string[start.upperBound...].dropLast()).truncated(to: columns)
        }
        let words = name.string.split(separator: " ").filter { $0.first?.isLetter == true }
        guard let first = words.first, let last = words.last?.first else { return name.truncated(to: columns) }
        let initials = String(words.compactMap { $0.first })
        let forms = [words.count > 1 ? "\(first) \(last)." : String(first), String(first), initials].map {
            CleanText($0)
        }
        return forms.first { $0.columns <= columns && $0.columns > 1 } ?? name.truncated(to: columns)
    }
}
