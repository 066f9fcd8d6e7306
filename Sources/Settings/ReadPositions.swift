internal import JSON
package import Messages

/// The read positions of a person in the conversations of an archive: `read.json` in the state folder, which holds all archives, by
/// their real paths, and all people who read them here.
///
/// A failure here stops nothing: it is returned as one line for people.
package struct ReadPositions: Sendable {
    private let records: StateRecords<ReadRecord>
    /// The positions that this process last read or wrote.
    private var known: [ConversationID: ReadPosition] = [:]

    /// - Parameters:
    ///   - folder: where the file is, or will be; nil without a home.
    ///   - archive: the real path of the archive.
    ///   - reader: the person who reads; nil when it is not known.
    package init(folder: String?, archive: String, reader: PersonID?) {
        records = StateRecords(
            folder: folder, name: "read.json", list: "read", archive: archive, reader: reader,
            unread: "your read positions could not be read", unkept: "your read positions cannot be saved")
    }

    /// Reads the positions in this archive. May wait for the disk.
    package mutating func load() -> (positions: [ConversationID: ReadPosition], problem: String?) {
        let (all, problem) = records.load()
        guard problem == nil else { return (known, problem) }
        // Positions without a reader count for every reader who has none of their own.
        let mine = [nil, records.reader].flatMap { reader in all.filter { records.isOf(reader, $0) } }
        known = Dictionary(mine.map { ($0.id, $0.position) }, uniquingKeysWith: { $1 })
        return (known, nil)
    }

    /// Moves positions forward, and leaves everything else in the file as other processes have written it. May wait for
    /// the disk and for those processes.
    /// - Returns: the failure.
    package mutating func advance(_ new: [ConversationID: ReadPosition]) -> String? {
        var result = known
        let (all, problem) = records.change { all in
            for (id, position) in new {
                let index = all.firstIndex { records.isOwn($0) && $0.id == id }
                let current = index.map { all[$0].position }
                var next = position.isChosen ? position : further(position, than: current, in: id)
                next.isChosen = false
                next.server = position.server ?? current?.server
                result[id] = next
                guard next != current else { continue }
                let record = ReadRecord(records.archive, records.reader, id, next)
                if let index { all[index] = record } else { all.append(record) }
            }
        }
        if all != nil { known = result }
        return problem
    }

    /// The further of two positions: another process may have read further since this one read the file.
    private func further(_ new: ReadPosition, than current: ReadPosition?, in id: ConversationID) -> ReadPosition {
        guard let current, current != known[id], let there = current.index, let here = new.index, there > here else {
            return new
        }
        return current
    }
}

/// The file has a list of these, not a dictionary: dictionaries do not compare their keys by bytes, as IDs are compared.
private struct ReadRecord: StateRecord {
    static let keys = "archive reader conversation message index threadsUpTo open server"

    let archive: String
    let reader: String?
    let conversation: String
    /// Empty when nothing is read: earlier versions need a text here.
    let message: String
    let index: Int?
    /// The message up to which replies in threads were checked; missing in files of earlier versions.
    let threadsUpTo: String?
    /// Threads and replies, alternating.
    let open: [String]?
    let server: String?

    /// - Parameter values: the values of `keys`.
    init(_ values: JSONFields) throws(JSONReader.Failure) {
        archive = try values.string(0)
        reader = try values.optional(1, values.string)
        conversation = try values.string(2)
        message = try values.string(3)
        index = try values.optional(4, values.number)
        threadsUpTo = try values.optional(5, values.string)
        open = try values.optional(6, values.strings)
        server = try values.optional(7, values.string)
    }

    init(_ archive: String, _ reader: PersonID?, _ id: ConversationID, _ position: ReadPosition) {
        self.archive = archive
        self.reader = reader?.rawValue
        conversation = id.rawValue
        message = position.message?.rawValue ?? ""
        index = position.index
        threadsUpTo = position.threads?.upTo.rawValue
        let open = position.threads?.open.flatMap { [$0.thread.rawValue, $0.message.rawValue] } ?? []
        self.open = open.isEmpty ? nil : open
        server = position.server?.rawValue
    }

    var id: ConversationID { ConversationID(conversation) }
    var position: ReadPosition {
        var position = ReadPosition(
            message: message.isEmpty ? nil : MessageID(message), index: index, threads: threads)
        position.server = server.map { MessageID($0) }
        return position
    }

    private var threads: ThreadMarks? {
        guard let threadsUpTo else { return nil }
        let open = open ?? []
        let replies = stride(from: 0, to: open.count - 1, by: 2).map {
            ThreadReply(thread: MessageID(open[$0]), message: MessageID(open[$0 + 1]))
        }
        return ThreadMarks(upTo: MessageID(threadsUpTo), open: replies)
    }
}
