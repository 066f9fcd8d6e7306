/// The part of a conversation that is read.
package enum ReadState: Hashable, Sendable {
    /// Everything up to and including this message: a person has seen it, or it was the last one when the archive was first
    /// opened.
    case upTo(MessageID)
    /// Nothing: the conversation did not exist when the archive was first opened, and nobody has opened it since; or a person has
    /// marked all of it as unread.
    case nothing
    /// Everything: the state of the archive when it was first opened is not recorded yet.
    case unknown
}

/// A person's read positions in the conversations of an archive.
package struct ReadStates: Hashable, Sendable {
    /// The positions in opened conversations.
    package var positions: [ConversationID: ReadPosition]
    /// The last message of each conversation when the archive was first opened, which may be a thread reply; a
    /// conversation that was empty has none. Nil until it is recorded.
    package var baseline: [ConversationID: MessageID]?

    package init(
        positions: [ConversationID: ReadPosition] = [:], baseline: [ConversationID: MessageID]? = nil
    ) {
        self.positions = positions
        self.baseline = baseline
    }

    package subscript(id: ConversationID) -> ReadState {
        if let position = positions[id] { return position.message.map { .upTo($0) } ?? .nothing }
        guard let baseline else { return .unknown }
        return baseline[id].map { .upTo($0) } ?? .nothing
    }

    /// The unread thread replies of a conversation; nil if they were never recorded.
    package func threads(of id: ConversationID) -> ThreadMarks? { positions[id]?.threads }
}

/// A person's read position in a conversation.
package struct Reader: Hashable, Sendable {
    /// The messages that the person has read.
    package enum Scope: Hashable, Sendable {
        /// The conversation with its threads.
        case all
        case mainTimeline
        /// The replies to this message.
        case thread(MessageID)
    }

    package let person: Person
    /// The last message that was read.
    package let message: MessageID
    package let scope: Scope
    /// The index of the message in the main timeline; nil if it is not there, or if the store does not know it yet.
    package let index: Int?

    package init(_ person: Person, upTo message: MessageID, _ scope: Scope = .all, index: Int? = nil) {
        (self.person, self.message, self.scope, self.index) = (person, message, scope, index)
    }
}

/// The user's read position in a conversation.
package struct ReadPosition: Hashable, Sendable {
    /// The last message of the main timeline that was read; nil if the person has marked all of them as unread.
    package let message: MessageID?
    /// The index of the message in the main timeline; nil if the store did not know it.
    package let index: Int?
    /// The unread thread replies; nil if they were never recorded: then everything up to `message` counts as read.
    package var threads: ThreadMarks?
    /// The server's read position when it was last applied, so that the same report is not applied twice. Nil without a server.
    package var server: MessageID?
    /// True if the person has chosen this position. It then counts even if another process has read further since.
    package var isChosen = false

    package init(message: MessageID?, index: Int?, threads: ThreadMarks? = nil) {
        self.message = message
        self.index = index
        self.threads = threads
    }

    /// The same position without the server's.
    package var place: ReadPosition {
        var place = self
        place.server = nil
        return place
    }
}

/// The people to whom a server shows the user's read positions.
package enum ReadReceipt: String, CaseIterable, Sendable {
    /// The other people.
    case `public`
    /// Only the user's other clients.
    case `private`
    /// Nobody. The user's other clients still see the last message that was read, if the server stores that.
    case none
}

/// The unread thread replies that mention the reader or reply to the reader's messages. The main timeline does not show them, so
/// reading it to its end does not mark them as read.
package struct ThreadMarks: Hashable, Sendable {
    /// All replies up to this message have been checked.
    package var upTo: MessageID
    /// Those of the checked replies that mention the reader or reply to the reader, and whose threads the reader has not opened
    /// since.
    package var open: [ThreadReply]

    package init(upTo: MessageID, open: [ThreadReply] = []) {
        self.upTo = upTo
        self.open = open
    }
}

package struct ThreadReply: Hashable, Sendable {
    /// The root of the thread.
    package let thread: MessageID
    package let message: MessageID

    package init(thread: MessageID, message: MessageID) {
        self.thread = thread
        self.message = message
    }
}

/// The unread messages of a conversation.
package struct Unread: Hashable, Sendable {
    /// Unread messages of the main timeline, without the person's own.
    package var count: Int
    /// The messages among them that mention the person or reply to the person, such replies in threads, and all replies in
    /// threads that the person has started or written in.
    package var mentions: Int

    package init(count: Int = 0, mentions: Int = 0) {
        self.count = count
        self.mentions = mentions
    }

    package var isEmpty: Bool { count == 0 && mentions == 0 }

    package static func + (a: Unread, b: Unread) -> Unread {
        Unread(count: a.count + b.count, mentions: a.mentions + b.mentions)
    }

    package static func += (a: inout Unread, b: Unread) { a = a + b }
}

/// A message with a letter, by which the user returns to it. A lower-case letter is valid in its conversation; a capital in the
/// whole archive.
package struct Bookmark: Hashable, Sendable {
    package let letter: Character
    package let conversation: ConversationID
    package let message: MessageID

    /// - Returns: nil for a character that is not a letter.
    package init?(_ letter: Character, conversation: ConversationID, message: MessageID) {
        guard letter.isLetter else { return nil }
        self.letter = letter
        self.conversation = conversation
        self.message = message
    }

    package var isForArchive: Bool { letter.isUppercase }

    /// True if both have the same letter and the same scope, so that the later one replaces the other.
    package func replaces(_ other: Bookmark) -> Bool {
        letter == other.letter && (isForArchive || conversation == other.conversation)
    }
}

extension [Bookmark] {
    /// The bookmark for a letter in a conversation.
    package func first(_ letter: Character, in conversation: ConversationID) -> Bookmark? {
        first { $0.letter == letter && ($0.isForArchive || $0.conversation == conversation) }
    }
}
