import Messages

/// A conversation of any length: sender and text depend only on the index of a message.
enum Talk {
    static let conversation = Conversation(id: ConversationID("general"), title: "General", topic: "Where we talk")

    private static let texts = [
        "yes", "has anybody tried that with the new release?", "it works here, but only after a restart",
        "I had the same problem last week. In the end it was a stale lock file: remove it, and start again.",
        "明日の会議は午後三時からに変更されました。資料は共有フォルダにあります。", "thanks 🎉 that was it 👩‍💻",
        "```\nlet window = Timeline(ruler: ruler, height: 58)\nprint(window.count)\n```",
        "There are two ways to go about it: either the reader keeps an index beside the file and trusts it as long as "
            + "size and time of the file are what they were, or it scans from the end until it has found enough. The "
            + "first is fast and sometimes wrong, the second is slow and always right, and nobody has measured either.",
    ]

    static func id(_ index: Int) -> MessageID { MessageID("m-\(index)") }

    static func at(_ index: Int) -> Timestamp { Timestamp(milliseconds: 1_700_000_000_000 + Int64(index) * 40_000) }

    /// Nobody writes twice in a row for long.
    static func sender(_ index: Int) -> Person {
        let number = index / 2 * 7 % 23
        return Person(id: PersonID("p\(number)"), name: "Person \(number)")
    }

    static func text(_ index: Int) -> String { texts[(index * 5 + index / 8) % texts.count] }

    static func message(_ index: Int) -> Message {
        let answered = index % 10 == 9 ? index - 4 : nil
        return Message(
            id: id(index), at: at(index), sender: sender(index), text: text(index),
            quote: answered.map { Quote(id: id($0), content: .message(sender: sender($0), text: text($0))) },
            reactions: index % 20 == 3 ? [Reaction(emoji: "👍", people: [sender(index + 2)])] : [],
            cursor: Cursor(token: "\(index)"))
    }

    /// A page as a store returns it.
    static func page(_ range: Range<Int>, of total: Int, focus: Int? = nil) -> Page {
        func edge(_ inner: Int, _ outer: Int) -> Page.Edge {
            (0..<total).contains(outer) ? .more(Cursor(token: "\(inner)"), Neighbour(message(outer))) : .end
        }
        return Page(
            messages: range.map(message), older: edge(range.lowerBound, range.lowerBound - 1),
            newer: edge(range.upperBound - 1, range.upperBound), focus: focus.map(id),
            place: Place(index: range.lowerBound, total: total))
    }
}
