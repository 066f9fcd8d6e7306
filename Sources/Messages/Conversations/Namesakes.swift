/// Tells conversations of equal titles apart by the part of their IDs in which they differ, such as the network of an IRC
/// channel.
package struct Namesakes: Hashable, Sendable {
    private var marks: [ConversationID: String] = [:]

    package init(_ conversations: [Conversation] = []) {
        let groups = Dictionary(grouping: conversations) { $0.title.lowercased() }
        for group in groups.values where group.count > 1 {
            for (id, mark) in Namesakes.marks(of: group.map(\.id)) { marks[id] = mark }
        }
    }

    /// Nil for a conversation whose title no other has.
    package subscript(id: ConversationID) -> String? { marks[id] }

    /// The title, with the mark in parentheses where it needs one.
    package func title(of conversation: Conversation) -> String {
        self[conversation.id].map { "\(conversation.title) (\($0))" } ?? conversation.title
    }

    /// The IDs without the words that all of them have at the beginning and at the end; the whole IDs where one of them has no
    /// other words.
    private static func marks(of ids: [ConversationID]) -> [(ConversationID, String)] {
        let words = ids.map { $0.rawValue.split { !$0.isLetter && !$0.isNumber } }
        let most = words.map(\.count).min() ?? 0
        func count(where isSame: (Int) -> Bool) -> Int { (0..<most).first { !isSame($0) } ?? most }
        let first = count { index in words.allSatisfy { $0[index] == words[0][index] } }
        let last = count { index in
            words.allSatisfy { $0[$0.count - 1 - index] == words[0][words[0].count - 1 - index] }
        }
        guard first + last < most else { return ids.map { ($0, $0.rawValue) } }
        return zip(ids, words).map { id, words in
            (id, String(id.rawValue[words[first].startIndex..<words[words.count - 1 - last].endIndex]))
        }
    }
}
