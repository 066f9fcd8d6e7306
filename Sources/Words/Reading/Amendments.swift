internal import Search

/// The current texts of all messages that edits and deletions changed.
struct Amendments {
    /// Sorted by the rows of messages.
    private let byMessage: [WordAmendment]
    /// Sorted by the rows of edits; without deletions.
    private let byText: [WordAmendment]

    /// - Parameter lists: from the oldest to the newest, each sorted by the rows of messages. If several lists amend the same
    ///   message, the newest list counts.
    init(_ lists: [[WordAmendment]]) {
        // The older a list, the longer it is: it is walked through the fewer times the later it is merged.
        byMessage = lists.reversed().reduce([]) { Amendments.merged($1, $0) }
        byText = byMessage.filter { $0.text != 0 && $0.text != $0.message }.sorted { $0.text < $1.text }
    }

    /// Merges two lists sorted by message. For a message in both, the amendment of the second list counts.
    private static func merged(_ old: [WordAmendment], _ new: [WordAmendment]) -> [WordAmendment] {
        if new.isEmpty { return old }
        if old.isEmpty { return new }
        var merged: [WordAmendment] = []
        merged.reserveCapacity(old.count + new.count)
        var next = 0
        for amendment in old {
            while next < new.count, new[next].message < amendment.message {
                merged.append(new[next])
                next += 1
            }
            if next == new.count || new[next].message != amendment.message { merged.append(amendment) }
        }
        merged += new[next...]
        return merged
    }

    /// The last amendment of each message, sorted by the rows of messages.
    /// - Parameter amendments: oldest first.
    static func latest(of amendments: [WordAmendment]) -> [WordAmendment] {
        let sorted = amendments.enumerated().sorted {
            ($0.element.message, $0.offset) < ($1.element.message, $1.offset)
        }
        var latest: [WordAmendment] = []
        for (_, amendment) in sorted {
            if latest.last?.message == amendment.message { latest.removeLast() }
            latest.append(amendment)
        }
        return latest
    }

    /// The row of the record that holds the current text of a message; 0 when it is deleted.
    func text(of message: Int64) -> Int64 {
        let index = byMessage.partitioningIndex { $0.message >= message }
        return index < byMessage.count && byMessage[index].message == message ? byMessage[index].text : message
    }

    /// The messages whose current text is that of an edit. At most one of them is a message today; the others had its
    /// ID before, or are now repeats of it, and nothing has amended them since.
    func messages(withTextOf edit: Int64) -> some Sequence<Int64> {
        let index = byText.partitioningIndex { $0.text >= edit }
        return byText[index...].prefix { $0.text == edit }.lazy.map(\.message)
    }

    /// Calls `body` for every message whose text is, or was, not that of its own line.
    func forEachMessage(_ body: (Int64) -> Void) {
        for amendment in byMessage { body(amendment.message) }
    }

    /// Calls `body` for every message whose own line does not hold its current text, or that has none.
    func forEachOverruledMessage(_ body: (Int64) -> Void) {
        for amendment in byMessage where amendment.text != amendment.message { body(amendment.message) }
    }
}

/// The current text of a message that an edit or a deletion changed.
struct WordAmendment: Equatable, BitwiseCopyable {
    /// The row of the message.
    let message: Int64
    /// The row of the record that holds the current text: of an edit, or of the message itself when its edits are gone
    /// with their files; 0 for a deleted message.
    let text: Int64
}
