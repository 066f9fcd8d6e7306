package import Messages

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
            unread: "the muted conversations are not known", unkept: "this is not kept")
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

    init(_ values: StateValues) throws(StateReader.Unexpected) {
        archive = try values.string(0)
        reader = try values.optional(1, values.string)
        conversation = try values.string(2)
    }

    init(_ archive: String, _ reader: PersonID?, _ id: ConversationID) {
        (self.archive, self.reader, conversation) = (archive, reader?.rawValue, id.rawValue)
    }
}
