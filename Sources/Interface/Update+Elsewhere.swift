import Display
import Messages
import Timeline

/// What comes into the conversations that one does not look at.
extension Model {
    mutating func receive(_ arrivals: [Arrival]) -> [Effect] {
        let others = arrivals.filter { $0.conversation != conversation?.id }
        if others.isEmpty { return [] }
        let own = ownPerson
        var effects: [Effect] = []
        for arrival in others {
            let unread = unread(of: arrival.message, for: own)
            switcher.note(arrival, unread)
            guard arrival.message.sender?.id != me else { continue }
            elsewhere[arrival.conversation, default: Unread()] += unread
            if unread.mentions > 0, let sender = arrival.message.sender {
                let place = known(arrival.conversation).title
                effects.append(.notify(from: "\(sender.name) in \(place)", text: arrival.message.text))
            }
        }
        if panel == .switcher { switcher.show() }
        return effects + askForTitles(of: others)
    }

    /// Conversations that were never listed are known by their IDs alone.
    private mutating func askForTitles(of arrivals: [Arrival]) -> [Effect] {
        let isUnknown = arrivals.contains { switcher.summary(of: $0.conversation) == nil }
        // What lists them is on its way, or has just been.
        guard isUnknown, panel != .switcher, !seeksUnread, !hasAskedForTitles else { return [] }
        hasAskedForTitles = true
        return [.loadConversations(summaries: false, read: [:])]
    }

    /// What a message adds to what is unread.
    private func unread(of message: Message, for own: Person?) -> Unread {
        guard message.sender?.id != me else { return Unread() }
        return Unread(count: message.isMain ? 1 : 0, mentions: own?.isMeant(by: message) == true ? 1 : 0)
    }

    /// The user by the name that others may use.
    var ownPerson: Person? {
        me.map { me in conversation?.members.first { $0.id == me } ?? knownWriter(me) }
    }

    /// `3 new in Dev`, `@1 12 new in 4 conversations`; nil when nothing is.
    var newElsewhere: Span? {
        let new = elsewhere.filter { $0.value.count > 0 || $0.value.mentions > 0 }
        guard let first = new.keys.first else { return nil }
        let sum = new.values.reduce(into: Unread()) { $0 += $1 }
        let place = new.count == 1 ? known(first).title : "\(new.count) conversations"
        return Span(CleanText("\(sum.told) in \(place)"), sum.style)
    }
}

extension Unread {
    /// `3 new`, and with an @ how many of them name the reader.
    var told: String {
        (mentions > 0 ? "@\(TitleBar.grouped(mentions)) " : "") + "\(TitleBar.grouped(count)) new"
    }

    var style: Style { Style(.accent, mentions > 0 ? .bold : []) }
}

extension Person {
    /// Whether a message of somebody else names this person or answers to him.
    func isMeant(by message: Message) -> Bool {
        guard let sender = message.sender, sender.id != id else { return false }
        if case .message(let quoted?, _) = message.quote?.content, quoted.id == id { return true }
        return isMentioned(in: message.text)
    }
}

extension Switcher {
    /// Something came into a conversation. The order of the list stays as it is while one looks at it.
    mutating func note(_ arrival: Arrival, _ unread: Unread) {
        guard let summary = summary(of: arrival.conversation) else { return }
        let message = arrival.message
        take(
            ConversationSummary(
                conversation: summary.conversation, count: summary.count + 1, first: summary.first ?? message.at,
                last: message.at, newest: message.isMain ? message : summary.newest, unread: summary.unread + unread))
    }
}
