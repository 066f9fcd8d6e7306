import Messages
import Search

/// The rows that match the typed letters.
extension Switcher {
    /// Without letters all rows stand in their order, under the titles of their spaces. With letters the best match stands first; among
    /// equal ones, the latest.
    func matching() -> (rows: [SwitcherRow], lines: [SwitcherLine]) {
        let pattern = FuzzyPattern(field.text)
        let words = field.text.split(whereSeparator: \.isWhitespace).count
        let all =
            invitations.map { SwitcherRow(content: .invitation($0)) }
            + order.compactMap { id in known[id].map { SwitcherRow(content: .conversation($0)) } }
        guard words > 0 else { return (all, lines(of: all)) }
        let scored = all.compactMap { row in Switcher.score(row, pattern, words: words) }
        // The offset keeps equal ones in their order.
        let sorted = scored.enumerated().sorted {
            ($1.element.score, $0.offset) < ($0.element.score, $1.offset)
        }
        let rows = joinable.map { [SwitcherRow(content: .address($0))] } ?? []
        let found = rows + sorted.map(\.element.row)
        return (found, found.indices.map { .row($0) })
    }

    /// A title of a space stands above its first row; rows with unread messages are under none.
    private func lines(of rows: [SwitcherRow]) -> [SwitcherLine] {
        var lines: [SwitcherLine] = []
        var last: Space?
        for (index, row) in rows.enumerated() {
            let space = row.conversation.flatMap { isUnread($0.id) ? nil : $0.space }
            if let space, space.id != last?.id { lines.append(.heading(space.title)) }
            last = space
            lines.append(.row(index))
        }
        return lines
    }

    /// The typed text, if it is the address of a room of which no conversation is known.
    private var joinable: String? {
        let words = field.text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard canJoin, words.count == 1, let text = words.first, Switcher.isAddress(text) else { return nil }
        let isKnown = known.values.contains {
            $0.conversation.title == text || $0.conversation.address?.hasSuffix("/" + text) == true
        }
        return isKnown ? nil : text
    }

    /// `#harbour:example.org`, `!AbC:example.org`, the longer IDs without a server, or a link of matrix.to.
    private static func isAddress(_ text: String) -> Bool {
        if text.hasPrefix("https://matrix.to/#/") || text.hasPrefix("matrix:r") { return true }
        let server = text.firstIndex(of: ":").map { text[$0...].dropFirst() } ?? ""
        if text.hasPrefix("#") { return text.count > 2 && !server.isEmpty }
        return text.hasPrefix("!") && (!server.isEmpty || text.count > 40)
    }

    /// A match in the title counts more than one in the topic or in a name. Topics and names are long, and almost any of them
    /// has the letters somewhere, so there the letters must stand in a row.
    private static func score(
        _ row: SwitcherRow, _ pattern: FuzzyPattern, words: Int
    ) -> (score: Int, row: SwitcherRow)? {
        let title: String
        var asides: [(part: SwitcherRow.Match.Part, text: String)] = []
        switch row.content {
        case .conversation(let summary):
            let conversation = summary.conversation
            title = conversation.title
            asides = [(.id, conversation.id.rawValue), (.topic, conversation.topic ?? "")]
            if let space = conversation.space { asides.append((.space, space.title)) }
            asides += conversation.members.map { (.people, $0.name) }
        case .invitation(let invitation):
            title = invitation.name
            if let sender = invitation.sender { asides.append((.people, sender.name)) }
        case .address: return nil
        }
        func matched(_ part: SwitcherRow.Match.Part, _ text: String, _ ranges: [Range<Int>]) -> SwitcherRow {
            SwitcherRow(content: row.content, match: SwitcherRow.Match(part: part, text: text, ranges: ranges))
        }
        if let match = pattern.match(title) { return (match.score * 2, matched(.title, title, match.ranges)) }
        let matches = asides.compactMap { part, text -> (score: Int, row: SwitcherRow)? in
            guard let match = pattern.match(text), match.ranges.count <= words else { return nil }
            return (match.score, matched(part, text, match.ranges))
        }
        return matches.max { $0.score < $1.score }
    }
}
