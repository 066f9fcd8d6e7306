import Display
import Messages

/// Reactions and reply counts. They stand at the end of the last row of the text if they fit there as a whole, else in a row of
/// their own below the message.
enum MessageMeta {
    /// A part that can be clicked.
    enum Part: Hashable {
        /// This emoji, with the number of people who have reacted with it.
        case reaction(String)
        /// The number of replies.
        case replies
    }

    /// The most emoji that are counted one by one: more than fit into a row.
    private static let mostReactions = 1_000

    /// As much as a row has room for, in fewer words where that is little.
    /// - Parameters:
    ///   - columns: of the text before it.
    ///   - now: nil to leave out times.
    static func text(of message: Message, after columns: Int, grid: Grid, now: Timestamp?) -> CleanText? {
        guard !message.reactions.isEmpty || ReplySummary.isNeeded(for: message) else { return nil }
        let room = grid.textColumns - columns - (columns > 0 ? gap : 0)
        let forms = forms(of: message, now: now)
        return forms.first { $0.columns <= room } ?? forms.last?.truncated(to: room)
    }

    /// The reaction or the number of replies at a column of the message's texts; nil where neither is drawn.
    /// - Parameter isAtLeft: whether they have a row of their own; else they end with the texts.
    static func part(
        at column: Int, of message: Message, after columns: Int, grid: Grid, now: Timestamp?, isAtLeft: Bool
    ) -> Part? {
        guard let text = text(of: message, after: columns, grid: grid, now: now) else { return nil }
        let column = isAtLeft ? column : column - (grid.textColumns - text.columns)
        if hasReplies(text, at: column, of: message, now: now) { return .replies }
        return reaction(in: text, at: column, of: message).map { .reaction($0) }
    }

    /// Whether the number of replies, with which the drawn text ends, is at a column of it.
    private static func hasReplies(_ text: CleanText, at column: Int, of message: Message, now: Timestamp?) -> Bool {
        guard let forms = ReplySummary(of: message, now: now).forms,
            let drawn = [forms.full, forms.count, forms.short, "↵"].first(where: text.string.hasSuffix)
        else { return false }
        return (text.columns - CleanText(drawn).columns..<text.columns).contains(column)
    }

    /// The emoji that is drawn, with the number of people who have reacted with it, at a column of the drawn text.
    private static func reaction(in text: CleanText, at column: Int, of message: Message) -> String? {
        let labels = labels(of: message)
        // The form that is drawn begins with all of them, or says less.
        guard !labels.isEmpty,
            let gap = ["  ", " "].first(where: { text.string.hasPrefix(CleanText(labels.joined(separator: $0)).string) }
            )
        else { return nil }
        var end = 0
        for (reaction, label) in zip(message.reactions, labels) {
            let start = end
            end += CleanText(label).columns
            if (start..<end).contains(column) { return reaction.emoji }
            end += gap.count
        }
        return nil
    }

    private static func labels(of message: Message) -> [String] {
        message.reactions.prefix(mostReactions).map { $0.count > 1 ? "\($0.emoji) \($0.count)" : $0.emoji }
    }

    /// The least blanks between a text and them.
    private static let gap = 2

    /// Whether all reactions and the number of replies fit after a text of these columns. It does not depend on the time, so
    /// that no row comes or goes with it.
    static func fit(_ message: Message, after columns: Int, grid: Grid) -> Bool {
        guard let form = forms(of: message, now: nil).first else { return true }
        return columns + gap + form.columns <= grid.textColumns
    }

    private static func forms(of message: Message, now: Timestamp?) -> [CleanText] {
        let replies = ReplySummary(of: message, now: now).forms
        let full = labels(of: message)
        let all = message.reactions.reduce(0) { $0 + $1.count }
        let most = message.reactions.max { $0.count < $1.count }
        let sum = most.map { most in
            let count = most.count
            return count < all ? "\(most.emoji) \(count)+" : count > 1 ? "\(most.emoji) \(count)" : most.emoji
        }
        let forms: [[String?]] = [
            [full.joined(separator: "  "), replies?.full], [full.joined(separator: "  "), replies?.count],
            [full.joined(separator: " "), replies?.short], [sum, replies?.short], [replies?.short ?? sum],
            [most?.emoji ?? "↵"],
        ]
        return forms.map { parts in CleanText(parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "  ")) }
            .filter { !$0.isEmpty }
    }
}
