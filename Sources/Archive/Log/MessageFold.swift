internal import Messages

/// Applies amendments to a message one by one. Keeps no lines, and of the edits only the last text.
struct MessageFold {
    let message: StoredMessage
    private(set) var newText: String?
    /// The number of bytes of the new text that are left out.
    private(set) var omitted = 0
    private(set) var isDeleted: Bool
    private(set) var replyCount = 0
    private(set) var lastReply: Timestamp?
    private(set) var lastTextChange: LinePlace?
    /// The emoji in the order of their first use, each in the spelling of its first reaction.
    private var emojis: [String] = []
    /// The uses of each emoji, by its key.
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
            // A person who removes a reaction without being named was one of the unnamed people.
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
        guard amendment.target == message.id, amendment.place > message.place, !hasNoEffect(amendment) else { return }
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

    /// True for an edit that would leave a message with nothing to show, such as one that replaces a text by a picture; and for
    /// an edit of an event, which nobody has written.
    private func hasNoEffect(_ amendment: Amendment) -> Bool {
        guard case .edit = amendment.action else { return false }
        return message.kind == .system || amendment.isBlank && message.attachments.isEmpty
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

/// A message with the effect of all edits, deletions, reactions and replies in the log.
struct FoldedMessage: Equatable {
    let stored: StoredMessage
    /// Empty if the message is deleted.
    var text: String
    /// The number of bytes of an edited text that are left out (see `ConversationReader.folded`).
    var omitted = 0
    let isEdited: Bool
    let isDeleted: Bool
    var reactions: [CountedReaction]
    let replyCount: Int
    /// The time of the last reply in the order of the log.
    let lastReply: Timestamp?
    /// The place of the last edit or deletion that has an effect.
    let lastTextChange: LinePlace?

    /// - Parameter amendments: amendments of this message, in the order of the log. Amendments before the message have no effect.
    ///   Nor have edits and deletions by anyone but the author, except deletions by a moderator.
    init(_ message: StoredMessage, _ amendments: [Amendment]) {
        var fold = MessageFold(message)
        for amendment in amendments { fold.add(amendment) }
        self.init(fold)
    }

    init(_ fold: MessageFold) {
        stored = fold.message
        isDeleted = fold.isDeleted
        isEdited = (fold.newText != nil || fold.message.isEdited) && !fold.isDeleted
        text = fold.isDeleted ? "" : fold.newText ?? fold.message.text
        omitted = fold.isDeleted ? 0 : fold.omitted
        (replyCount, lastReply) = (fold.replyCount, fold.lastReply)
        lastTextChange = fold.lastTextChange
        reactions = fold.isDeleted ? [] : fold.reactions
    }
}

/// A later line that changes how a message is displayed.
struct Amendment: Equatable {
    enum Action: Equatable {
        case edit(String)
        /// - Parameter isModeration: true if somebody with the right to delete messages of others deleted it.
        case delete(isModeration: Bool)
        case react(String, isRemoved: Bool)
        /// The number of replies in the message's thread, and the time of the last one.
        case replies(Int, last: Timestamp)

        /// True for an edit and a deletion: they change the text of the message.
        var isTextChange: Bool {
            switch self {
            case .edit, .delete: true
            case .react, .replies: false
            }
        }

        /// True for the deletion by a moderator, who need not be the author of the message.
        var isModeration: Bool { self == .delete(isModeration: true) }
    }

    let target: MessageID
    let sender: PersonID?
    let action: Action
    /// The place of the line; of the last line if the amendment sums up several replies.
    let place: LinePlace
    /// The number of bytes of the new text that are left out, to save memory.
    var omitted = 0
    /// True if the whole new text is blank. `action` may have only the beginning of the text.
    var isBlank = false

    /// The number of bytes of the new text that the amendment holds.
    var weight: Int { if case .edit(let text) = action { text.utf8.count } else { 0 } }

    /// The amendment with only the beginning of the new text.
    /// - Parameter count: the length in Unicode scalars.
    func cut(to count: Int) -> Amendment {
        guard case .edit(let text) = action else { return self }
        let beginning = text.beginning(count)
        return Amendment(
            target: target, sender: sender, action: .edit(beginning), place: place,
            omitted: omitted + text.utf8.count - beginning.utf8.count, isBlank: isBlank)
    }
}

/// A message as its own line gives it, without the effect of amendments.
struct StoredMessage: Equatable {
    let id: MessageID
    let at: Timestamp
    let sender: PersonID?
    var kind: Message.Kind = .text
    var presence: Presence?
    var text: String
    var replyTo: MessageID?
    var thread: MessageID?
    var isBroadcast = false
    var attachments: [Attachment] = []
    /// True if the line of the message itself says that the message was edited, as in exports.
    var isEdited = false
    /// True if the line of the message itself says that the message was deleted. Then there is no text.
    var isDeleted = false
    /// The reactions that the line of the message itself counts.
    var reactions: [CountedReaction] = []
    /// The ID that the program gave the message before the server did; nil for a message of another program.
    var transaction: MessageID?
    let place: LinePlace
}

extension StoredMessage {
    /// True if the main timeline contains the message.
    var isMain: Bool { thread == nil || isBroadcast }

    /// The approximate bytes of the message in memory.
    var weight: Int {
        let ids = [sender?.rawValue, replyTo?.rawValue, thread?.rawValue].reduce(id.rawValue.utf8.count) {
            $0 + ($1?.utf8.count ?? 0)
        }
        return reactions.reduce(Message.weight(text: text, attachments: attachments, names: ids)) { sum, reaction in
            reaction.people.reduce(sum + 64) { $0 + $1.rawValue.utf8.count + 16 }
        }
    }
}

/// An emoji under a message, and the people who reacted with it, in the order of their first use.
struct CountedReaction: Equatable {
    let emoji: String
    /// Fewer than `count` if an export or a server counts people without naming them.
    let people: [PersonID]
    /// The number of people, named or not.
    let count: Int

    /// - Parameter count: at least the number of people; nil if all are named.
    init(emoji: String, people: [PersonID], count: Int? = nil) {
        self.emoji = emoji
        self.people = people
        self.count = max(count ?? 0, people.count)
    }
}
