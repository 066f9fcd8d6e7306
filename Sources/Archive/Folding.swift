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

/// A later line that changes how a message is shown.
struct Overrule: Equatable {
    enum Action: Equatable {
        case edit(String)
        case delete
        case react(String, isRemoved: Bool)
        /// People answered in its thread, so often, and when they last did.
        case replies(Int, last: Timestamp)
    }

    let target: MessageID
    let sender: PersonID?
    let action: Action
    /// Of the last of them where it stands for several lines.
    let place: LinePlace
}

/// What is to be shown of a message when all of the log is read.
struct FoldedMessage: Equatable {
    struct Reaction: Equatable {
        let emoji: String
        let people: [PersonID]
    }

    let stored: StoredMessage
    /// Empty when deleted.
    let text: String
    let isEdited: Bool
    let isDeleted: Bool
    let reactions: [Reaction]
    let replyCount: Int
    /// When the last of them in the order of the log was sent.
    let lastReply: Timestamp?

    /// - Parameter overrules: of this message, in the order of the log. Only those behind the message count; an edit or
    ///   a deletion only from its author.
    init(_ message: StoredMessage, _ overrules: [Overrule]) {
        stored = message
        let later = overrules.filter { $0.target == message.id && $0.place > message.place }
        let author = later.filter { $0.sender == message.sender && message.sender != nil }
        let edit = author.last { if case .edit = $0.action { true } else { false } }
        isDeleted = author.contains { $0.action == .delete }
        isEdited = edit != nil && !isDeleted
        (replyCount, lastReply) = FoldedMessage.replies(later)
        reactions = isDeleted ? [] : FoldedMessage.reactions(later)
        if isDeleted {
            text = ""
        } else if case .edit(let newText) = edit?.action {
            text = newText
        } else {
            text = message.text
        }
    }

    private static func replies(_ overrules: [Overrule]) -> (count: Int, last: Timestamp?) {
        overrules.reduce((0, nil)) { known, overrule in
            guard case .replies(let count, let last) = overrule.action else { return known }
            return (known.0 + count, last)
        }
    }

    /// For each emoji and person the last state wins; emoji and people stand in the order of their first use.
    private static func reactions(_ overrules: [Overrule]) -> [Reaction] {
        var emojis: [String] = []
        var uses: [String: (people: [PersonID], isPresent: [PersonID: Bool])] = [:]
        for overrule in overrules {
            guard case .react(let emoji, let isRemoved) = overrule.action, let person = overrule.sender else {
                continue
            }
            if uses[emoji] == nil { emojis.append(emoji) }
            let known = uses[emoji, default: ([], [:])].isPresent.updateValue(!isRemoved, forKey: person)
            if known == nil { uses[emoji]?.people.append(person) }
        }
        return emojis.compactMap { emoji in
            guard let use = uses[emoji] else { return nil }
            let present = use.people.filter { use.isPresent[$0] == true }
            return present.isEmpty ? nil : Reaction(emoji: emoji, people: present)
        }
    }
}
