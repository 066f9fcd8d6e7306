internal import Files
internal import FoundationEssentials
import Glibc
package import Messages

/// The unsent texts in the conversations of an archive, and the posts that may or may not have arrived. They are in
/// `drafts.json` in the state folder, which holds all archives, by their real paths, and all people who write in them
/// here.
///
/// Each text and post belongs to the process in which it was written. Another process takes it over only when that process has
/// ended, so that two never send it, and none removes what another one shows. Several processes may have written in one place (a
/// conversation, a thread, an edit): the process that takes their texts over gets them all, joined by an empty line.
package struct Drafts: Sendable {
    private let file: StateFile
    private let archive: String
    private let writer: PersonID?
    private let process: Int32
    private let isRunning: @Sendable (Int32) -> Bool
    /// True if the last call of `keep` has written to the disk.
    package private(set) var isKept = true
    /// The posts that this process has taken over from others, and the texts, until it writes them itself.
    private var taken: Set<String> = []
    private var takenTexts: [TextRecord] = []

    /// - Parameters:
    ///   - folder: where the file is, or will be; nil without a home.
    ///   - archive: the real path of the archive.
    ///   - writer: the person who writes; nil when it is not known.
    ///   - process: this process.
    ///   - isRunning: returns true if the process with this number is running.
    package init(
        folder: String?, archive: String, writer: PersonID?, process: Int32 = getpid(),
        isRunning: @escaping @Sendable (Int32) -> Bool = LockHolder.isRunning
    ) {
        file = StateFile(folder: folder, name: "drafts.json")
        self.archive = archive
        self.writer = writer
        self.process = process
        self.isRunning = isRunning
    }

    /// Takes over the texts and posts in this archive that no other process has any more. May wait for the disk.
    package mutating func load() -> (drafts: [ConversationID: Draft], problem: String?) {
        var drafts: [ConversationID: Draft] = [:]
        do throws(FileError) {
            let document = try document()
            takenTexts = document.drafts.filter { $0.isOf(archive, writer) && isFree($0.owner) }
            for record in takenTexts {
                record.add(to: &drafts[ConversationID(record.conversation), default: Draft()])
            }
            for record in document.outbox where isOfArchive(record) && isFree(record.head.owner) {
                taken.insert(record.head.id)
                if let post = record.post {
                    drafts[ConversationID(record.head.conversation), default: Draft()].outbox.append(post)
                }
            }
            return (drafts, nil)
        } catch {
            return (drafts, Drafts.text(error))
        }
    }

    /// Replaces the drafts of some conversations, and leaves everything else in the file as other processes have
    /// written it. When it returns nil, everything is on the disk. May wait for the disk and for those processes.
    /// - Returns: the failure.
    package mutating func keep(_ new: [ConversationID: Draft]) -> String? {
        var problem: String?
        let file = file
        isKept = false
        do throws(FileError) {
            try file.locked { () throws(FileError) in problem = try write(new) }
            isKept = true
        } catch {
            problem = Drafts.text(error)
        }
        return problem
    }

    private mutating func write(_ new: [ConversationID: Draft]) throws(FileError) -> String? {
        let known = try file.known(self.document)
        let owner = owner
        var document = known.content ?? Document()
        var takenTexts = takenTexts
        for (id, draft) in new {
            document.outbox.removeAll { ConversationID($0.head.conversation) == id && isOurs($0, owner) }
            document.drafts.removeAll { record in
                ConversationID(record.conversation) == id && record.isOf(archive, writer)
                    && (record.owner == owner || takenTexts.contains(record))
            }
            takenTexts.removeAll { ConversationID($0.conversation) == id }
            document.drafts += texts(of: draft, in: id, owner)
            document.outbox += draft.outbox.map { PostRecord(archive, id, owner, $0) }
        }
        try file.replace(byJSON: document)
        self.takenTexts = takenTexts
        return known.problem
    }

    /// The records of a draft, without empty texts.
    private func texts(of draft: Draft, in id: ConversationID, _ owner: Owner) -> [TextRecord] {
        let main = TextRecord(archive, writer, owner, id, draft.text, draft.purpose)
        let replies = draft.replies.map { TextRecord(archive, writer, owner, id, thread: $0, $1.text, $1.purpose) }
        let edits = draft.edits.map { TextRecord(archive, writer, owner, id, edits: $0, $1.text, seen: $1.seen) }
        return ([main] + replies + edits).filter { !$0.text.isEmpty }
    }

    private func isOurs(_ record: PostRecord, _ owner: Owner) -> Bool {
        isOfArchive(record) && (record.head.owner == owner || taken.contains(record.head.id))
    }

    /// This process. The system is asked for it when it is needed: mostly there are no drafts at the start.
    private var owner: Owner { Owner(process: process, started: LockHolder.start(of: process)) }

    /// True if this process owns a record, or none does.
    private func isFree(_ other: Owner) -> Bool {
        if other.process == process, other == owner { return true }
        guard let process = other.process, isRunning(process) else { return true }
        // A later process may have got the number of one that has ended.
        guard let started = other.started, let now = LockHolder.start(of: process) else { return false }
        return started != now
    }

    private func isOfArchive(_ record: PostRecord) -> Bool { record.head.archive.utf8.elementsEqual(archive.utf8) }

    private func document() throws(FileError) -> Document {
        try file.content { bytes in
            let (decoder, data) = (JSONDecoder(), Data(bytes))
            guard let label = try? decoder.decode(Label.self, from: data) else { return (nil, nil) }
            return (label.version, try? decoder.decode(Document.self, from: data))
        } ?? Document()
    }

    private static func text(_ error: FileError) -> String {
        error.text(unread: "your drafts could not be read", unkept: "your drafts cannot be saved")
    }

    private struct Label: Decodable { let version: Int }

    private struct Document: Codable {
        var version = StateFile.version
        var drafts: [TextRecord] = []
        var outbox: [PostRecord] = []
    }
}

/// The process that has written a record. Records of earlier versions of Kedge name none, or no time.
private struct Owner: Codable, Equatable {
    let process: Int32?
    /// See `LockHolder.start`.
    let started: Int64?
}

private struct TextRecord: Codable, Equatable {
    let archive: String
    let writer: String?
    let conversation: String
    /// The root of the thread; nil for the main timeline.
    let thread: String?
    let text: String
    let replyTo: String?
    /// The message whose text this is to replace.
    let edits: String?
    /// For an edit: the text of that message when the edit was begun.
    let seen: String?
    private let process: Int32?
    private let started: Int64?

    var owner: Owner { Owner(process: process, started: started) }

    init(
        _ archive: String, _ writer: PersonID?, _ owner: Owner, _ id: ConversationID, thread: MessageID? = nil,
        edits: MessageID? = nil, _ text: String, _ purpose: Draft.Purpose = .message, seen: String? = nil
    ) {
        self.archive = archive
        self.writer = writer?.rawValue
        conversation = id.rawValue
        self.thread = thread?.rawValue
        self.text = text
        self.edits = edits?.rawValue
        self.seen = seen
        (process, started) = (owner.process, owner.started)
        if case .reply(let id) = purpose { replyTo = id.rawValue } else { replyTo = nil }
    }

    func isOf(_ archive: String, _ writer: PersonID?) -> Bool {
        self.archive.utf8.elementsEqual(archive.utf8) && self.writer.map { PersonID($0) } == writer
    }

    func add(to draft: inout Draft) {
        if let edits {
            let text = joined(to: draft.edits[MessageID(edits)]?.text)
            draft.edits[MessageID(edits)] = Draft.Edit(text, seen: seen)
        } else if let thread {
            let text = joined(to: draft.replies[MessageID(thread)]?.text)
            draft.replies[MessageID(thread)] = Draft.Reply(text: text, purpose: purpose)
        } else {
            (draft.text, draft.purpose) = (joined(to: draft.text), purpose)
        }
    }

    /// The text that another process has left in the same place, followed by this one.
    private func joined(to other: String?) -> String {
        guard let other, !other.isEmpty, other != text else { return text }
        return other + "\n\n" + text
    }

    private var purpose: Draft.Purpose {
        replyTo.map { .reply(MessageID($0)) } ?? .message
    }
}

private struct PostRecord: Codable {
    struct Head: Codable {
        let archive: String
        let conversation: String
        let process: Int32?
        let started: Int64?
        let id: String
        /// In milliseconds since 1970.
        let at: Int64
        let from: String
        let action: Bool?
        let seen: String?

        var owner: Owner { Owner(process: process, started: started) }
    }

    let head: Head
    private let fields: PostFields

    init(_ archive: String, _ conversation: ConversationID, _ owner: Owner, _ post: Post) {
        head = Head(
            archive: archive, conversation: conversation.rawValue, process: owner.process, started: owner.started,
            id: post.id.rawValue, at: post.at.milliseconds, from: post.sender.rawValue,
            action: post.isAction ? true : nil, seen: post.seen)
        fields = PostFields(post.content)
    }

    // The fields of both stand in one object.

    init(from decoder: any Decoder) throws {
        (head, fields) = (try Head(from: decoder), try PostFields(from: decoder))
    }

    func encode(to encoder: any Encoder) throws {
        try head.encode(to: encoder)
        try fields.encode(to: encoder)
    }

    /// The post; nil if this version does not know its type.
    var post: Post? {
        fields.content.map {
            Post(
                id: MessageID(head.id), at: Timestamp(milliseconds: head.at), sender: PersonID(head.from), content: $0,
                isAction: head.action ?? false, seen: head.seen)
        }
    }
}
