internal import JSON
package import Messages

/// The bookmarks of a person in an archive: `bookmarks.json` in the state folder, which holds all archives, by their real paths,
/// and all people.
///
/// A failure here stops nothing: it is returned as one line for people.
package struct Bookmarks: Sendable {
    private let records: StateRecords<BookmarkRecord>

    /// - Parameters:
    ///   - folder: where the file is, or will be; nil without a home.
    ///   - archive: the real path of the archive.
    ///   - reader: the person who reads; nil when it is not known.
    package init(folder: String?, archive: String, reader: PersonID?) {
        records = StateRecords(
            folder: folder, name: "bookmarks.json", archive: archive, reader: reader,
            unread: "your bookmarks could not be read", unkept: "this bookmark cannot be saved")
    }

    /// May wait for the disk.
    package func load() -> (bookmarks: [Bookmark], problem: String?) {
        let (all, problem) = records.load()
        return (own(all), problem)
    }

    /// Sets a bookmark, in place of one with the same letter. May wait for the disk and for other processes.
    /// - Returns: all bookmarks then, nil when it was not set; and a problem.
    package func set(_ bookmark: Bookmark) -> (bookmarks: [Bookmark]?, problem: String?) {
        change { all in
            all.removeAll { records.isOwn($0) && $0.bookmark.map(bookmark.replaces) ?? false }
            all.append(BookmarkRecord(records.archive, records.reader, bookmark))
        }
    }

    /// Removes a bookmark. One that another process has set under its letter stays.
    /// - Returns: all bookmarks then, nil when it was not removed; and a problem.
    package func remove(_ bookmark: Bookmark) -> (bookmarks: [Bookmark]?, problem: String?) {
        change { all in all.removeAll { records.isOwn($0) && $0.bookmark == bookmark } }
    }

    private func change(_ change: (inout [BookmarkRecord]) -> Void) -> (bookmarks: [Bookmark]?, problem: String?) {
        let (all, problem) = records.change(change)
        return (all.map(own), problem)
    }

    private func own(_ all: [BookmarkRecord]) -> [Bookmark] { all.filter(records.isOwn).compactMap(\.bookmark) }
}

private struct BookmarkRecord: StateRecord {
    static let keys = "archive reader letter conversation message"

    let archive: String
    let reader: String?
    let letter: String
    let conversation: String
    let message: String

    init(_ values: JSONFields) throws(JSONReader.Failure) {
        archive = try values.string(0)
        reader = try values.optional(1, values.string)
        letter = try values.string(2)
        conversation = try values.string(3)
        message = try values.string(4)
    }

    init(_ archive: String, _ reader: PersonID?, _ bookmark: Bookmark) {
        self.archive = archive
        self.reader = reader?.rawValue
        letter = String(bookmark.letter)
        conversation = bookmark.conversation.rawValue
        message = bookmark.message.rawValue
    }

    /// The bookmark; nil if the record is not one that Kedge writes.
    var bookmark: Bookmark? {
        guard letter.count == 1, let letter = letter.first else { return nil }
        return Bookmark(letter, conversation: ConversationID(conversation), message: MessageID(message))
    }
}

/// The conversations of an archive that a person has muted: `muted.json` in the state folder, which holds all archives, by their
/// real paths, and all people.
///
/// A failure here stops nothing: it is returned as one line for people.
package struct MutedConversations: Sendable {
    private let records: StateRecords<MutedRecord>

    /// - Parameters:
    ///   - folder: where the file is, or will be; nil without a home.
    ///   - archive: the real path of the archive.
    ///   - reader: the person who reads; nil when it is not known.
    package init(folder: String?, archive: String, reader: PersonID?) {
        records = StateRecords(
            folder: folder, name: "muted.json", archive: archive, reader: reader,
            unread: "the muted conversations could not be read", unkept: "this change cannot be saved")
    }

    /// May wait for the disk.
    package func load() -> (muted: Set<ConversationID>, problem: String?) {
        let (all, problem) = records.load()
        return (own(all), problem)
    }

    /// May wait for the disk and for other processes.
    /// - Returns: all muted conversations then, nil when the change is not on the disk; and a problem.
    package func set(_ id: ConversationID, _ isMuted: Bool) -> (muted: Set<ConversationID>?, problem: String?) {
        let (all, problem) = records.change { all in
            all.removeAll { records.isOwn($0) && ConversationID($0.conversation) == id }
            if isMuted { all.append(MutedRecord(records.archive, records.reader, id)) }
        }
        return (all.map(own), problem)
    }

    private func own(_ all: [MutedRecord]) -> Set<ConversationID> {
        Set(all.filter(records.isOwn).map { ConversationID($0.conversation) })
    }
}

private struct MutedRecord: StateRecord {
    static let keys = "archive reader conversation"

    let archive: String
    let reader: String?
    let conversation: String

    init(_ values: JSONFields) throws(JSONReader.Failure) {
        archive = try values.string(0)
        reader = try values.optional(1, values.string)
        conversation = try values.string(2)
    }

    init(_ archive: String, _ reader: PersonID?, _ id: ConversationID) {
        (self.archive, self.reader, conversation) = (archive, reader?.rawValue, id.rawValue)
    }
}
