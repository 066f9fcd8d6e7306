internal import Messages

/// Applies amendments to a message one by one. Keeps no lines, and of the edits only the last text.
struct MessageFold {
    let message: StoredMessage
    private(set) var newText: String?
    /// The bytes of that text that are left out.
    private(set) var omitted = 0
    private(set) var isDeleted: Bool
    private(set) var replyCount = 0
    private(set) var lastReply: Timestamp?
    private(set) var lastTextChange: LinePlace?
    /// Each emoji as it was written first.
    private var emojis: [String] = []
    /// By the keys of the emoji.
    private var uses: [String: Use] = [:]

    /// The people who used an emoji, in the order of their first use.
    private struct Use {
        /// The number of people who are counted but not named.
        var unnamed = 0
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
            // A person who takes back a reaction without being named was one of the others.
            if !isPresent { unnamed = max(0, unnamed - 1) }
            if places[hash] == nil { places[hash] = Int32(people.count) } else { others[person] = people.count }
            people.append(person)
            self.isPresent.append(isPresent)
        }
    }

    /// The fold starts with the state that the message's own line describes.
    init(_ message: StoredMessage) {
        self.message = message
        isDeleted = message.isDeleted
        for reaction in message.reactions { count(reaction) }
    }

    private mutating func count(_ reaction: CountedReaction) {
        let key = Reaction.key(reaction.emoji)
        if uses[key] == nil { emojis.append(reaction.emoji) }
        for person in reaction.people { uses[key, default: Use()].set(person, isPresent: true) }
        uses[key, default: Use()].unnamed += reaction.count - Set(reaction.people).count
    }

    /// - Parameter amendment: stands after all amendments added before, in the order of the log.
    mutating func add(_ amendment: Amendment) {
        guard amendment.target == message.id, amendment.place > message.place else { return }
        let isAuthor = message.sender != nil && amendment.sender == message.sender
        let counts = isAuthor || amendment.action.isModeration
        if counts, amendment.action.isTextChange {
            lastTextChange = max(lastTextChange ?? amendment.place, amendment.place)
        }
        switch amendment.action {
        case .edit(let text): if isAuthor { (newText, omitted) = (text, amendment.omitted) }
        case .delete: if counts { isDeleted = true }
        case .replies(let count, let last): (replyCount, lastReply) = (replyCount + count, last)
        case .react(let emoji, let isRemoved):
            guard let person = amendment.sender else { return }
            let key = Reaction.key(emoji)
            if uses[key] == nil { emojis.append(emoji) }
            uses[key, default: Use()].set(person, isPresent: !isRemoved)
        }
    }

    /// The reactions that remain: the last state of each emoji and person decides. Emoji and people are in the order of
    /// their first use, those of the message's own line first.
    var reactions: [CountedReaction] {
        emojis.compactMap { emoji in
            guard let use = uses[Reaction.key(emoji)] else { return nil }
            let isWhole = !use.isPresent.contains(false)
            let present = isWhole ? use.people : zip(use.people, use.isPresent).filter(\.1).map(\.0)
            let count = present.count + use.unnamed
            return count > 0 ? CountedReaction(emoji: emoji, people: present, count: count) : nil
        }
    }
}
