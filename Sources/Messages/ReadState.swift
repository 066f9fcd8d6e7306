/// How far a conversation counts as read.
package enum ReadState: Hashable, Sendable {
    /// Up to and including this message: a person has seen it, or it was the last one when the archive was first
    /// opened.
    case upTo(MessageID)
    /// Nothing is read: the conversation did not exist when the archive was first opened, and nobody has opened it
    /// since; or a person has marked all of it as unread.
    case nothing
    /// Everything counts as read: the state of the archive when it was first opened is not noted yet.
    case unknown
}

/// How far a person has read in the conversations of an archive.
package struct ReadStates: Hashable, Sendable {
    /// For the conversations that were opened.
    package var positions: [ConversationID: ReadPosition]
    /// The last message of each conversation when the archive was first opened, which may be a thread reply; a
    /// conversation that was empty has none. Nil as long as that is not noted.
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

    /// The replies that wait in the threads of a conversation; nil when they were never noted.
    package func threads(of id: ConversationID) -> ThreadMarks? { positions[id]?.threads }
}

/// How far a person has read in a conversation.
package struct Reader: Hashable, Sendable {
    /// What the person has read.
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
    /// Its index in the main timeline; nil if it is none of that, or if the store does not know it yet.
    package let index: Int?

    package init(_ person: Person, upTo message: MessageID, _ scope: Scope = .all, index: Int? = nil) {
        (self.person, self.message, self.scope, self.index) = (person, message, scope, index)
    }
}

/// How far a person has read in a conversation.
package struct ReadPosition: Hashable, Sendable {
    /// The last message of the main timeline that was read; nil when the person has marked all of them as unread.
    package let message: MessageID?
    /// Its index in the main timeline; nil when the store did not know it.
    package let index: Int?
    /// The replies that wait in threads; nil when they were never noted: then everything up to `message` counts as
    /// read.
    package var threads: ThreadMarks?
    /// The message up to which the person had read for the server, when that was last taken into account: the same word of the
    /// server does not count twice. Nil without a server.
    package var server: MessageID?
    /// Whether the person has chosen it, so that it counts even if another process has read further since.
    package var isChosen = false

    package init(message: MessageID?, index: Int?, threads: ThreadMarks? = nil) {
        self.message = message
        self.index = index
        self.threads = threads
    }

    /// The same place, whatever the server has said.
    package var place: ReadPosition {
        var place = self
        place.server = nil
        return place
    }
}

/// The people whom a server tells how far the user has read in its conversations.
package enum ReadReceipt: String, CaseIterable, Sendable {
    /// The other people.
    case `public`
    /// The user's other clients alone.
    case `private`
    /// Nobody. The user's other clients still have the mark of the last message that was read, if the server keeps one.
    case none
}

/// The thread replies that wait for the reader: they name the reader, or reply to the reader's messages. The main
/// timeline does not show them, so reading it to its end does not cover them.
package struct ThreadMarks: Hashable, Sendable {
    /// All replies up to this message have been checked.
    package var upTo: MessageID
    /// The replies among them that name the reader or reply to the reader, and whose threads the reader has not opened
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

/// The messages of a conversation that are new to a person.
package struct Unread: Hashable, Sendable {
    /// Messages of the main timeline, without the person's own.
    package var count: Int
    /// The messages among them that name the person or reply to the person, such replies in threads, and all replies in threads that
    /// the person has begun or has written in.
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

/// A message under a letter, by which the user goes back to it. A lower-case letter is for its conversation; a capital is for the
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

    /// Whether both have the same letter in the same place, so that the one set later replaces the other.
    package func replaces(_ other: Bookmark) -> Bool {
        letter == other.letter && (isForArchive || conversation == other.conversation)
    }
}

extension [Bookmark] {
    /// The bookmark that a letter means in a conversation.
    package func first(_ letter: Character, in conversation: ConversationID) -> Bookmark? {
        first { $0.letter == letter && ($0.isForArchive || $0.conversation == conversation) }
    }
}
