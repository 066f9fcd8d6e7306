internal import Messages

/// Applies amendments to a message one by one. Keeps no lines, and of the edits only the last text.
struct MessageFold {
    let message: StoredMessage
    private(set) var newText: String?
    private(set) var isDeleted = false
    private(set) var replyCount = 0
    private(set) var lastReply: Timestamp?
    private(set) var lastTextChange: LinePlace?
    private var emojis: [String] = []
    private var uses: [String: Use] = [:]

    /// The people who used an emoji, in the order of their first use.
    private struct Use {
        var people: [PersonID] = []
        var isPresent: [Bool] = []
        /// The index of each person in the lists, by hash. If several people have the same hash, `places` has the first
        /// one and `others` the rest.
        var places: [IDHash: Int32] = [:]
        var others: [PersonID: Int] = [:]

        mutating func set(_ person: PersonID, isPresent: Bool) {
            let hash = IDHash(person)
            var place = places[hash].map(Int.init)
            if let known = place, people[known] != person { place = others[person] }
            if let place {
                self.isPresent[place] = isPresent
                return
            }
            if places[hash] == nil { places[hash] = Int32(people.count) } else { others[person] = people.count }
            people.append(person)
            self.isPresent.append(isPresent)
        }
    }

    init(_ message: StoredMessage) { self.message = message }

    /// - Parameter amendment: stands after all amendments added before, in the order of the log.
    mutating func add(_ amendment: Amendment) {
        guard amendment.target == message.id, amendment.place > message.place else { return }
        let isAuthor = message.sender != nil && amendment.sender == message.sender
        if isAuthor, amendment.action.isTextChange {
            lastTextChange = max(lastTextChange ?? amendment.place, amendment.place)
        }
        switch amendment.action {
        case .edit(let text): if isAuthor { newText = text }
        case .delete: if isAuthor { isDeleted = true }
        case .replies(let count, let last): (replyCount, lastReply) = (replyCount + count, last)
        case .react(let emoji, let isRemoved):
            guard let person = amendment.sender else { return }
            if uses[emoji] == nil { emojis.append(emoji) }
            uses[emoji, default: Use()].set(person, isPresent: !isRemoved)
        }
    }

    /// The reactions that remain: the last state of each emoji and person decides. Emoji and people are in the order of
    /// their first use.
    var reactions: [FoldedReaction] {
        emojis.compactMap { emoji in
            guard let use = uses[emoji], use.isPresent.contains(true) else { return nil }
            if !use.isPresent.contains(false) { return FoldedReaction(emoji: emoji, people: use.people) }
            let present = zip(use.people, use.isPresent).filter(\.1).map(\.0)
            return FoldedReaction(emoji: emoji, people: present)
        }
    }
}
