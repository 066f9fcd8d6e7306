import Display
import Messages
import Timeline

/// New messages of a conversation that is not on the screen.
struct NewElsewhere: Hashable, Sendable {
    private(set) var unread = Unread()
    /// The first new message of the main timeline.
    private(set) var first: MessageID?
    /// Threads with new replies for the user. The main timeline does not show these replies.
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

    /// Forgets the messages of the main timeline, since the user has opened the conversation.
    mutating func see() {
        first = nil
        unread = Unread(mentions: threads.reduce(0) { $0 + $1.mentions })
    }

    /// Forgets a thread that the user has opened.
    mutating func see(thread: MessageID) {
        for new in threads where new.thread == thread { unread.mentions -= new.mentions }
        threads.removeAll { $0.thread == thread }
    }
}

extension Unread {
    /// `3 new`; `@1 3 new` if one message is for the user; `@1` for a reply in a thread alone.
    var label: String {
        let parts = [
            mentions > 0 ? "@\(mentions.grouped)" : nil, count > 0 ? "\(count.grouped) new" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    /// `3 new`; `12 new, 2 for you` if two mention the user or reply to the user; `1 for you` for a reply in a thread alone.
    var phrase: String {
        let parts = [
            count > 0 ? "\(count.grouped) new" : nil, mentions > 0 ? "\(mentions.grouped) for you" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    var style: Style { Style(.unread, mentions > 0 ? .bold : []) }
}

extension Addressee {
    /// True if a message of another person mentions this person or replies to this person.
    /// - Parameter most: the bytes of the text to search; nil for all.
    func isMeant(by message: Message, within most: Int? = nil) -> Bool {
        guard let sender = message.sender, sender.id != person.id, message.presence == nil else { return false }
        if case .message(let quoted?, _) = message.quote?.content, quoted.id == person.id { return true }
        return isMentioned(in: most.map(message.text.beginning) ?? message.text)
    }
}

/// New messages of others below the screen that the user has not seen.
struct NewBelow: Hashable, Sendable {
    /// The first of these messages, in order.
    private(set) var ids: [MessageID] = []
    private var known: Set<MessageID> = []
    /// The number of messages that are not in `ids`.
    private var more = 0

    /// The most messages to store. Others are only counted, so that a flood takes no memory.
    private static let most = 1_000

    var count: Int { ids.count + more }
    /// The first unseen message.
    var first: MessageID? { ids.first }

    func contains(_ id: MessageID) -> Bool { known.contains(id) }

    /// Counts a message; a stored one only once, even if it is added again.
    mutating func add(_ id: MessageID) {
        if known.contains(id) { return }
        guard ids.count < NewBelow.most else {
            more += 1
            return
        }
        known.insert(id)
        ids.append(id)
    }

    /// Removes messages that are gone.
    mutating func removeAll(where isGone: (MessageID) -> Bool) {
        ids.removeAll(where: isGone)
        known = Set(ids)
    }

    /// Marks a message on the screen and all messages before it as seen.
    /// - Returns: true if it was one of the new ones.
    mutating func see(upTo id: MessageID) -> Bool {
        guard known.contains(id), let index = ids.firstIndex(of: id) else { return false }
        known.subtract(ids[...index])
        ids.removeFirst(index + 1)
        return true
    }
}

/// The user's attention to the screen, and the first message that came without it.
///
/// Most terminals report changes of their focus. For the others, only keys show that the user is there: a message that
/// came after the last key may have been seen or not.
struct Attention: Sendable {
    /// True if the terminal has the focus; nil until it has reported that.
    var hasFocus: Bool?
    /// True if the program was stopped, or another program had the terminal, and the user has done nothing since.
    private var isInterrupted = false
    /// The first message of another person that came since the user was last known to look.
    private(set) var first: MessageID?
    /// True if the line of unread messages should be placed above `first`, as soon as nothing moves before the eyes of the user.
    var wantsLine = false

    /// True if the end of the conversation counts as read when it is on the screen.
    var isLooking: Bool { !isInterrupted && (hasFocus ?? (first == nil)) }

    /// True if the user certainly does not look.
    var isAway: Bool { isInterrupted || hasFocus == false }

    /// - Parameter isCovered: true if the messages are not on the screen.
    mutating func arrive(_ id: MessageID, isCovered: Bool, wantsLine: Bool) {
        guard first == nil, isCovered || isInterrupted || hasFocus != true else { return }
        (first, self.wantsLine) = (id, wantsLine)
    }

    /// Forgets the arrivals of the last conversation.
    mutating func forgetArrivals() { (first, wantsLine) = (nil, false) }

    /// Records that the user has used a key or the mouse.
    mutating func look() {
        isInterrupted = false
        forgetArrivals()
        // The wheel works without the focus, so a lost focus proves nothing until the next report.
        if hasFocus == false { hasFocus = nil }
    }

    mutating func interrupt() { isInterrupted = true }
}
