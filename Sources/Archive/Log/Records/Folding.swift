internal import Messages

/// The place of a line in the log of a conversation.
struct LinePlace: Hashable, Comparable {
    /// 0 for the first segment.
    let segment: Int
    /// Of the line's first byte; -1 before all lines.
    let offset: Int64

    static func < (a: LinePlace, b: LinePlace) -> Bool { (a.segment, a.offset) < (b.segment, b.offset) }
}

/// A message as its own line says it, before anything is folded in.
struct StoredMessage: Equatable {
    let id: MessageID
    let at: Timestamp
    let sender: PersonID?
    var kind: Message.Kind = .text
    var text: String
    var replyTo: MessageID?
    var thread: MessageID?
    var isBroadcast = false
    var attachments: [Attachment] = []
    let place: LinePlace
}

extension StoredMessage {
    /// Bytes that it takes in memory, nearly.
    var weight: Int { Message.weight(text: text, attachments: attachments) }
}

/// A later line that changes how a message is shown.
struct Overrule: Equatable {
    enum Action: Equatable {
        case edit(String)
        case delete
        case react(String, isRemoved: Bool)
        /// People answered in its thread, so often, and when they last did.
        case replies(Int, last: Timestamp)

        /// Whether it changes what the message says.
        var isRewrite: Bool {
            switch self {
            case .edit, .delete: true
            case .react, .replies: false
            }
        }
    }

    let target: MessageID
    let sender: PersonID?
    let action: Action
    /// Of the last of them where it stands for several lines.
    let place: LinePlace
}

/// A message as it is shown after all edits and deletions in the log.
struct FoldedMessage: Equatable {
    struct Reaction: Equatable {
        let emoji: String
        let people: [PersonID]
    }

    let stored: StoredMessage
    /// Empty when deleted.
    var text: String
    let isEdited: Bool
    let isDeleted: Bool
    var reactions: [Reaction]
    let replyCount: Int
    /// When the last of them in the order of the log was sent.
    let lastReply: Timestamp?
    /// The last edit or deletion that counts.
    let lastRewrite: LinePlace?

    /// - Parameter overrules: of this message, in the order of the log. Only those after the message count; an edit or
    ///   a deletion only from its author.
    init(_ message: StoredMessage, _ overrules: [Overrule]) {
        var fold = MessageFold(message)
        for overrule in overrules { fold.add(overrule) }
        self.init(fold)
    }

    init(_ fold: MessageFold) {
        stored = fold.message
        isDeleted = fold.isDeleted
        isEdited = fold.newText != nil && !fold.isDeleted
        text = fold.isDeleted ? "" : fold.newText ?? fold.message.text
        (replyCount, lastReply) = (fold.replyCount, fold.lastReply)
        lastRewrite = fold.lastRewrite
        reactions = fold.isDeleted ? [] : fold.reactions
    }
}

/// Folds what the log says of a message into it, line by line: holds no line, and of the edits only the last text.
struct MessageFold {
    let message: StoredMessage
    private(set) var newText: String?
    private(set) var isDeleted = false
    private(set) var replyCount = 0
    private(set) var lastReply: Timestamp?
    private(set) var lastRewrite: LinePlace?
    private var emojis: [String] = []
    private var uses: [String: Use] = [:]

    /// Who used an emoji, in the order of their first use.
    private struct Use {
        var people: [PersonID] = []
        var isPresent: [Bool] = []
        /// By the hash of a person: where that is in the lists. Two persons with one hash are looked for in `others`.
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

    /// - Parameter overrule: comes after those that were added before, in the order of the log.
    mutating func add(_ overrule: Overrule) {
        guard overrule.target == message.id, overrule.place > message.place else { return }
        let isAuthor = message.sender != nil && overrule.sender == message.sender
        if isAuthor, overrule.action.isRewrite { lastRewrite = max(lastRewrite ?? overrule.place, overrule.place) }
        switch overrule.action {
        case .edit(let text): if isAuthor { newText = text }
        case .delete: if isAuthor { isDeleted = true }
        case .replies(let count, let last): (replyCount, lastReply) = (replyCount + count, last)
        case .react(let emoji, let isRemoved):
            guard let person = overrule.sender else { return }
            if uses[emoji] == nil { emojis.append(emoji) }
            uses[emoji, default: Use()].set(person, isPresent: !isRemoved)
        }
    }

    /// For each emoji and person the last state wins; emoji and people stand in the order of their first use.
    var reactions: [FoldedMessage.Reaction] {
        emojis.compactMap { emoji in
            guard let use = uses[emoji], use.isPresent.contains(true) else { return nil }
            if !use.isPresent.contains(false) { return FoldedMessage.Reaction(emoji: emoji, people: use.people) }
            let present = zip(use.people, use.isPresent).filter(\.1).map(\.0)
            return FoldedMessage.Reaction(emoji: emoji, people: present)
        }
    }
}
