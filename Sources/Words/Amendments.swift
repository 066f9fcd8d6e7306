/// What all messages say now, as far as it is not what their own lines say.
struct Amendments {
    /// By the rows of messages, rising.
    private let byMessage: [Amendment]
    /// By the rows of edits, rising; without deletions.
    private let byText: [Amendment]
    private var messages = RowSet()

    /// - Parameter lists: each rising by message; a later one counts.
    init(_ lists: [[Amendment]]) {
        byMessage = Amendments.merged(lists)
        byText = byMessage.filter { $0.text != 0 && $0.text != $0.message }.sorted { $0.text < $1.text }
        for amendment in byMessage { messages.insert(amendment.message) }
    }

    static func merged(_ lists: [[Amendment]]) -> [Amendment] {
        if lists.count <= 1 { return lists.first ?? [] }
        var latest: [(amendment: Amendment, list: Int)] = []
        for (number, list) in lists.enumerated() { latest += list.map { ($0, number) } }
        latest.sort { ($0.amendment.message, $0.list) < ($1.amendment.message, $1.list) }
        var merged: [Amendment] = []
        for (amendment, _) in latest {
            if merged.last?.message == amendment.message { merged.removeLast() }
            merged.append(amendment)
        }
        return merged
    }

    /// The row of the record whose text a message has; 0 when it is deleted.
    func text(of message: Int64) -> Int64 {
        guard messages.contains(message) else { return message }
        var (low, high) = (0, byMessage.count)
        while low < high {
            let middle = low + (high - low) / 2
            if byMessage[middle].message < message { low = middle + 1 } else { high = middle }
        }
        return low < byMessage.count && byMessage[low].message == message ? byMessage[low].text : message
    }

    /// The message that has the text of an edit now; nil when none has.
    func message(withTextOf edit: Int64) -> Int64? {
        var (low, high) = (0, byText.count)
        while low < high {
            let middle = low + (high - low) / 2
            if byText[middle].text < edit { low = middle + 1 } else { high = middle }
        }
        return low < byText.count && byText[low].text == edit ? byText[low].message : nil
    }

    /// Gives all messages that have, or had, another text than their own line says.
    func forEachMessage(_ body: (Int64) -> Void) {
        for amendment in byMessage { body(amendment.message) }
    }
}
