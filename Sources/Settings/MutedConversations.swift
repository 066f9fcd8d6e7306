package import Messages

/// The conversations of an archive that a person has muted: `muted.json` in the state folder, which holds all archives, by their
/// real paths, and all people.
///
/// A failure here stops nothing: it is returned as one line for people.
package struct MutedConversations: Sendable {
    private let records: StateRecords<MutedRecord>
    private let archive: String
    private let reader: PersonID?

    /// - Parameters:
    ///   - folder: where the file is, or will be; nil without a home.
    ///   - archive: the real path of the archive.
    ///   - reader: the person who reads; nil when it is not known.
    package init(folder: String?, archive: String, reader: PersonID?) {
        records = StateRecords(
            file: StateFile(folder: folder, name: "muted.json"), unread: "the muted conversations are not known",
            unkept: "this is not kept")
        self.archive = archive
        self.reader = reader
    }

    /// May wait for the disk.
    package func load() -> (muted: Set<ConversationID>, problem: String?) {
        let (all, problem) = records.load()
        return (own(all), problem)
    }

    /// May wait for the disk and for other processes.
    /// - Returns: all muted conversations then, nil when the change is not on the disk; and a problem.
    package func set(_ id: ConversationID, _ isMuted: Bool) -> (muted: Set<ConversationID>?, problem: String?) {
        let (all, problem) = records.change { records in
            records.removeAll { $0.isOf(archive, reader) && ConversationID($0.conversation) == id }
            if isMuted { records.append(MutedRecord(archive, reader, id)) }
        }
        return (all.map(own), problem)
    }

    private func own(_ records: [MutedRecord]) -> Set<ConversationID> {
        Set(records.filter { $0.isOf(archive, reader) }.map { ConversationID($0.conversation) })
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
