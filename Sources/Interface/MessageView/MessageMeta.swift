import Display
import Messages

/// Reactions and reply counts. They stand at the end of the last row of the text. That row always has room for them, so that
/// they come and go without taking a row.
enum MessageMeta {
    /// The most emoji that are counted one by one: more than fit into a row.
    private static let mostReactions = 1_000

    /// As much as a row has room for, in fewer words where that is little.
    /// - Parameters:
    ///   - columns: of the text before it, at most what `room` returns.
    ///   - now: nil to leave out times.
    static func text(of message: Message, after columns: Int, grid: Grid, now: Timestamp?) -> CleanText? {
        guard !message.reactions.isEmpty || message.replyCount > 0 else { return nil }
        let room = grid.metaEnd - columns - 1
        let forms = forms(of: message, now: now)
        return forms.first { $0.columns <= room } ?? forms.last?.truncated(to: room)
    }

    /// The columns that the last row of a text may take, so that reactions and reply counts fit after it. It matters for code
    /// and on narrow screens, where rows use all columns.
    static func room(_ grid: Grid) -> Int {
        let columns = grid.metaEnd - Grid.metaColumns
        // On a very narrow screen the text is more important.
        return columns < 2 * Grid.metaColumns ? grid.metaEnd : columns
    }

    private static func forms(of message: Message, now: Timestamp?) -> [CleanText] {
        let replies = ReplySummary(of: message, now: now).forms
        let full = message.reactions.prefix(mostReactions).map { $0.count > 1 ? "\($0.emoji) \($0.count)" : $0.emoji }
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
