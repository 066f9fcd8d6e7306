import Display
import Messages

/// Reactions and reply counts. They are at the end of the last row of the text if all fit there, else in a separate row below the
/// message, which shows as many reactions as fit, the most frequent first, and the number of hidden emoji.
enum MessageMeta {
    /// A part that can be clicked.
    enum Part: Hashable {
        /// This emoji, with the number of people who have reacted with it.
        case reaction(String)
        /// The number of hidden emoji.
        case more
        /// The number of replies.
        case replies
    }

    /// A part, the text that shows it, and the blanks before it.
    private struct Piece {
        let part: Part
        let text: CleanText
        var gap = 0
    }

    /// The most emoji to count one by one: more than fit into a row.
    private static let mostReactions = 1_000
    /// The most columns of a reaction that is a name.
    private static let longestName = 12
    /// The least number of blanks after the text.
    private static let gap = 2

    /// The parts that fit into a row, in shorter forms if there is little room.
    /// - Parameters:
    ///   - columns: the columns of the text before the parts.
    ///   - now: nil to leave out times.
    ///   - me: the user, whose own reactions are shown before others.
    static func text(
        of message: Message, after columns: Int, grid: Grid, now: Timestamp?, me: PersonID?
    ) -> CleanText? {
        let pieces = pieces(of: message, after: columns, grid: grid, now: now, me: me)
        if pieces.isEmpty { return nil }
        return pieces.reduce(CleanText.empty) { $0 + CleanText.blanks($1.gap) + $1.text }
    }

    /// The part at a column of the message's texts; nil where none is drawn.
    /// - Parameter isAtLeft: true if the parts have a row of their own; else they end with the texts.
    static func part(
        at column: Int, of message: Message, after columns: Int, grid: Grid, now: Timestamp?, me: PersonID?,
        isAtLeft: Bool
    ) -> Part? {
        let pieces = pieces(of: message, after: columns, grid: grid, now: now, me: me)
        var end = isAtLeft ? 0 : grid.textColumns - Self.columns(of: pieces)
        for piece in pieces {
            let start = end + piece.gap
            end = start + piece.text.columns
            if (start..<end).contains(column) { return piece.part }
        }
        return nil
    }

    /// True if all reactions and the number of replies fit after a text of these columns. This does not depend on the time, so
    /// that no row comes or goes as time passes.
    static func fit(_ message: Message, after columns: Int, grid: Grid) -> Bool {
        let replies = ReplySummary.forms(of: message, now: nil)?.count
        return columns + gap + Self.columns(of: spaced(labels(of: message), by: 2, replies)) <= grid.textColumns
    }

    private static func columns(of pieces: [Piece]) -> Int { pieces.reduce(0) { $0 + $1.gap + $1.text.columns } }

    private static func pieces(
        of message: Message, after columns: Int, grid: Grid, now: Timestamp?, me: PersonID?
    ) -> [Piece] {
        let room = max(1, grid.textColumns - columns - (columns > 0 ? gap : 0))
        let replies = ReplySummary.forms(of: message, now: now)
        let labels = labels(of: message)
        for (blanks, words) in [(2, replies?.full), (2, replies?.count), (1, replies?.short)] {
            let all = spaced(labels, by: blanks, words)
            if Self.columns(of: all) <= room { return all }
        }
        for words in [replies?.short, nil] {
            let some = spaced(
                most(of: message, labels, me, columns: room - (words.map { $0.count + gap } ?? 0)), by: 1, words)
            if Self.columns(of: some) <= room { return some }
        }
        let first =
            labels.isEmpty ? replies.map { _ in Piece(part: .replies, text: "↵") } : more(message.reactions.count)
        return first.map { [Piece(part: $0.part, text: $0.text.truncated(to: room))] } ?? []
    }

    /// As many labels as fit into the columns, the most frequent first, and the number of hidden ones. The user's own reactions
    /// are kept before any other.
    private static func most(of message: Message, _ labels: [Piece], _ me: PersonID?, columns: Int) -> [Piece] {
        let counts = message.reactions.prefix(mostReactions).map(\.count)
        let isOwn = message.reactions.prefix(mostReactions).map { $0.people.contains { $0.id == me } }
        let frequent = labels.indices.sorted { (-counts[$0], $0) < (-counts[$1], $1) }
        let wanted = frequent.filter { isOwn[$0] } + frequent.filter { !isOwn[$0] }
        var (kept, width): (Set<Int>, Int) = ([], 0)
        for index in wanted {
            let with = width + labels[index].text.columns + (kept.isEmpty ? 0 : 1)
            let rest = more(message.reactions.count - kept.count - 1).map { $0.text.columns + 1 } ?? 0
            // A shorter label may still fit.
            if with + rest <= columns { (kept, width) = (kept.union([index]), with) }
        }
        let rest = more(message.reactions.count - kept.count)
        return frequent.filter(kept.contains).map { labels[$0] } + (rest.map { [$0] } ?? [])
    }

    /// `+19`, the number of hidden emoji.
    private static func more(_ count: Int) -> Piece? {
        count > 0 ? Piece(part: .more, text: CleanText("+\(count.grouped)")) : nil
    }

    private static func labels(of message: Message) -> [Piece] {
        message.reactions.prefix(mostReactions).map { reaction in
            let name = CleanText(reaction.emoji).truncated(to: longestName)
            return Piece(
                part: .reaction(reaction.emoji),
                text: reaction.count > 1 ? name + CleanText(" \(reaction.count)") : name)
        }
    }

    /// The labels with blanks between them, followed by the words about replies.
    private static func spaced(_ labels: [Piece], by blanks: Int, _ words: String?) -> [Piece] {
        var pieces = labels
        for index in pieces.indices.dropFirst() { pieces[index].gap = blanks }
        if let words { pieces.append(Piece(part: .replies, text: CleanText(words), gap: pieces.isEmpty ? 0 : gap)) }
        return pieces
    }
}

/// The summary of a thread in three lengths. For the root: the number of replies, and the time of the last reply.
enum ReplySummary {
    /// `5 replies, last reply 3 hours ago`, `5 replies`, `5↵`; `thread reply` for a reply that was also sent to the
    /// main timeline; nil for a message without a thread, and for other replies.
    /// - Parameter now: nil to leave out times.
    static func forms(of message: Message, now: Timestamp?) -> (full: String, count: String, short: String)? {
        guard message.replyCount > 0 else {
            return isNeeded(for: message) ? ("thread reply", "thread reply", "↵") : nil
        }
        let count = counted(message.replyCount)
        let last = now.flatMap { now in message.lastReply.map { ", last reply " + $0.ago(from: now) } } ?? ""
        return (count + last, count, "\(message.replyCount.grouped)↵")
    }

    static func isNeeded(for message: Message) -> Bool {
        message.replyCount > 0 || message.isBroadcast && message.thread != nil
    }

    /// `1 reply`, `1,200 replies`
    static func counted(_ count: Int) -> String { count == 1 ? "1 reply" : "\(count.grouped) replies" }
}

extension Timestamp {
    /// `just now`, `5 minutes ago`, `3 hours ago`, `2 days ago`, `22 months ago`, `2 years ago`: rounded down. A time in the
    /// future is `just now`.
    fileprivate func ago(from now: Timestamp) -> String {
        let minutes = max(0, now.milliseconds / 60_000 - milliseconds / 60_000)
        return switch minutes {
        case 0: "just now"
        case ..<60: Timestamp.ago(minutes, "minute")
        case ..<(48 * 60): Timestamp.ago(minutes / 60, "hour")
        case ..<(60 * 1_440): Timestamp.ago(minutes / 1_440, "day")
        case ..<(730 * 1_440): Timestamp.ago(minutes / (30 * 1_440), "month")
        default: Timestamp.ago(minutes / (365 * 1_440), "year")
        }
    }

    private static func ago(_ count: Int64, _ unit: String) -> String { "\(count) \(unit)\(count == 1 ? "" : "s") ago" }
}
