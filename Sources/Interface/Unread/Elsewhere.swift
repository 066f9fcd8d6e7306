import Display
import Messages
import Timeline

/// New messages of a conversation that is not on the screen.
struct NewElsewhere: Hashable, Sendable {
    private(set) var unread = Unread()
    /// The first one of the main timeline.
    private(set) var first: MessageID?
    /// Threads with replies that name the user or reply to him. The main timeline does not show these replies.
    private(set) var threads: [NewInThread] = []

    struct NewInThread: Hashable, Sendable {
        let thread: MessageID
        /// The first of these replies.
        let first: MessageID
        var mentions: Int
    }

    init() {}

    init(waiting replies: [ThreadReply]) {
        for reply in replies { add(reply, Unread(mentions: 1)) }
    }

    mutating func add(_ message: Message, _ unread: Unread) {
        if let thread = message.thread, !message.isMain {
            add(ThreadReply(thread: thread, message: message.id), unread)
        } else {
            self.unread += unread
            first = first ?? message.id
        }
    }

    private mutating func add(_ reply: ThreadReply, _ unread: Unread) {
        self.unread += unread
        if let index = threads.firstIndex(where: { $0.thread == reply.thread }) {
            threads[index].mentions += unread.mentions
        } else {
            threads.append(NewInThread(thread: reply.thread, first: reply.message, mentions: unread.mentions))
        }
    }

    /// The user has opened the conversation.
    mutating func see() {
        first = nil
        unread = Unread(mentions: threads.reduce(0) { $0 + $1.mentions })
    }

    /// The user has opened a thread.
    mutating func see(thread: MessageID) {
        for new in threads where new.thread == thread { unread.mentions -= new.mentions }
        threads.removeAll { $0.thread == thread }
    }
}

/// New messages of conversations that are not on the screen.
extension Model {
    mutating func receive(_ arrivals: [Arrival]) -> [Effect] {
        var effects: [Effect] = []
        for (id, some) in Dictionary(grouping: arrivals, by: \.conversation) where id != conversation?.id {
            effects += inSearch { $0.take(some.map(\.message), in: id, context: $1) }
        }
        let others = arrivals.filter { $0.isNew && $0.conversation != conversation?.id }
        if others.isEmpty { return effects }
        // A notice may not be true any more. A warning stays until it was read.
        if notice?.isWarning == false { notice = nil }
        let own = addressee
        for arrival in others {
            noteNewBelow(arrival)
            let unread = unread(of: arrival, for: own)
            switcher.note(arrival, unread)
            guard !unread.isEmpty else { continue }
            reading.elsewhere[arrival.conversation, default: NewElsewhere()].add(arrival.message, unread)
            if unread.mentions > 0, let sender = arrival.message.sender {
                let place = known(arrival.conversation).title
                let link = Link(conversation: arrival.conversation, message: arrival.message.id)
                let text = arrival.message.text.withoutSpoilers
                effects.append(.notify(from: "\(sender.name) in \(place)", text: text, link: link))
            }
        }
        if panel == .switcher { switcher.show() }
        return effects + askForTitles(of: others)
    }

    /// Notes a reply that concerns the user, in a thread of this conversation that he does not see.
    mutating func note(mention message: Message) {
        guard let id = conversation?.id, !message.isMain else { return }
        if reading.attention.isLooking, panes.contains(where: { $0.holds(message) }) {
            return reading.hasSeenReply = true
        }
        reading.elsewhere[id, default: NewElsewhere()].add(message, Unread(mentions: 1))
        if let thread = message.thread { reading.note(waiting: ThreadReply(thread: thread, message: message.id)) }
    }

    /// Counts the waiting replies of the opened conversation as if they had just arrived.
    mutating func tellOfThreads() {
        guard let id = conversation?.id, let open = reading.threads?.open else { return }
        reading.elsewhere[id] = open.isEmpty ? nil : NewElsewhere(waiting: open)
    }

    /// The user sees a part of a conversation.
    mutating func see(_ id: ConversationID, _ change: (inout NewElsewhere) -> Void) {
        guard var new = reading.elsewhere[id] else { return }
        change(&new)
        reading.elsewhere[id] = new.unread.isEmpty ? nil : new
    }

    /// Asks for the titles of conversations that were never listed.
    private mutating func askForTitles(of arrivals: [Arrival]) -> [Effect] {
        let isUnknown = arrivals.contains { switcher.summary(of: $0.conversation) == nil }
        // The list is being loaded, or was loaded before.
        guard isUnknown, panel != .switcher, !trail.seeksUnread, !trail.hasAskedForTitles else { return [] }
        trail.hasAskedForTitles = true
        return [.loadConversations(summaries: false, read: ReadStates())]
    }

    /// The number by which a message adds to the unread ones.
    private func unread(of arrival: Arrival, for own: Addressee?) -> Unread {
        let message = arrival.message
        guard message.sender?.id != me, message.presence == nil else { return Unread() }
        let isForUser = arrival.isInOwnThread || own?.isMeant(by: message) == true
        return Unread(count: message.isMain ? 1 : 0, mentions: isForUser ? 1 : 0)
    }

    /// The user, with the words by which other people address him.
    var addressee: Addressee? {
        me.map { me in
            let person = conversation?.members.first { $0.id == me } ?? knownWriter(me)
            return Addressee(person, highlight: preferences.highlight)
        }
    }

    /// `Dev: 1 new, mentions you`, `4 conversations: 12 new`; nil for none.
    var newElsewhere: Span? { newElsewhere { $0.phrase } }

    /// The same for a line with less room: `Dev: @1 1 new`.
    var newElsewhereInShort: Span? { newElsewhere { $0.label } }

    private func newElsewhere(_ text: (Unread) -> String) -> Span? {
        let shown = reading.elsewhere.map { ($0, reading.shown($1.unread, in: $0)) }.filter { !$1.isEmpty }
        guard let first = shown.first?.0 else { return nil }
        let sum = shown.reduce(into: Unread()) { $0 += $1.1 }
        let place = shown.count == 1 ? known(first).title : "\(shown.count) conversations"
        return Span(CleanText("\(place): \(text(sum))"), sum.style)
    }
}

extension Unread {
    /// `3 new`, `@1 3 new` if one names the user, `@1` for replies in threads alone.
    var label: String {
        let parts = [
            mentions > 0 ? "@\(mentions.grouped)" : nil, count > 0 ? "\(count.grouped) new" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    /// `3 new`, `1 new, mentions you`, `12 new, 2 mention you`
    var phrase: String {
        let isOne = mentions == 1 && count <= 1
        let mention = isOne ? "mentions you" : mentions == 1 ? "1 mentions you" : "\(mentions.grouped) mention you"
        let parts = [count > 0 ? "\(count.grouped) new" : nil, mentions > 0 ? mention : nil]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    var style: Style { Style(.unread, mentions > 0 ? .bold : []) }
}

extension Addressee {
    /// Whether a message of another person mentions this one or replies to him.
    /// - Parameter most: the bytes of the text that are looked at; nil for all.
    func isMeant(by message: Message, within most: Int? = nil) -> Bool {
        guard let sender = message.sender, sender.id != person.id, message.presence == nil else { return false }
        if case .message(let quoted?, _) = message.quote?.content, quoted.id == person.id { return true }
        return isMentioned(in: most.map(message.text.beginning) ?? message.text)
    }
}

extension Switcher {
    /// Counts a message of a conversation. While the list is open, its order stays.
    mutating func note(_ arrival: Arrival, _ unread: Unread) {
        guard let summary = summary(of: arrival.conversation) else { return }
        let message = arrival.message
        let isSpoken = message.kind != .system
        take(
            ConversationSummary(
                conversation: summary.conversation, count: summary.count + 1,
                presence: summary.presence + (message.presence == nil ? 0 : 1), first: summary.first ?? message.at,
                last: message.isMain ? message.at : summary.last,
                newest: message.isMain && (isSpoken || summary.spoken == nil) ? message : summary.newest,
                spoken: message.isMain && isSpoken ? message.at : summary.spoken,
                unread: summary.unread + unread))
    }
}
