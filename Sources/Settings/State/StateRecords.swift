internal import FoundationEssentials
import Messages

/// A line of a state file that belongs to one person in one archive.
protocol StateRecord: Encodable, Sendable {
    /// The names of the keys, in the order of `init`, separated by blanks.
    static var keys: String { get }
    var archive: String { get }
    var reader: String? { get }
    init(_ values: StateValues) throws(StateReader.Unexpected)
}

/// A state file that is a list of records, which holds all archives and all people: `{"version":1,"records":[…]}`. It is read
/// anew before each change, so that several processes can change it.
struct StateRecords<Record: StateRecord>: Sendable {
    /// The person and the archive, by its real path, whose records are asked for; a nil person is one who is not known.
    let archive: String
    let reader: PersonID?
    private let file: StateFile
    /// The key of the list.
    private let list: String
    /// The consequences when it cannot be read, and when it cannot be written, for people.
    private let unread: String
    private let unkept: String

    private static var version: Int { 1 }

    /// - Parameters:
    ///   - folder: where the file is, or will be; nil without a home.
    ///   - list: the key of the list of records.
    init(
        folder: String?, name: String, list: String = "records", archive: String, reader: PersonID?, unread: String,
        unkept: String
    ) {
        file = StateFile(folder: folder, name: name)
        (self.list, self.archive, self.reader) = (list, archive, reader)
        (self.unread, self.unkept) = (unread, unkept)
    }

    /// Whether a record belongs to this person in this archive.
    func isOwn(_ record: Record) -> Bool { isOf(reader, record) }

    /// Whether a record belongs to a person in this archive. Paths and IDs are compared by their bytes.
    func isOf(_ reader: PersonID?, _ record: Record) -> Bool {
        record.archive.utf8.elementsEqual(archive.utf8) && record.reader.map { PersonID($0) } == reader
    }

    /// The records of all people in all archives. May wait for the disk.
    func load() -> (records: [Record], problem: String?) {
        do throws(StateError) { return (try records(), nil) } catch { return ([], text(error)) }
    }

    /// Changes the records as they are in the file now. May wait for the disk and for other processes.
    /// - Returns: the records after the change, nil when it is not on the disk; and a line for people about a problem.
    func change(_ change: (inout [Record]) -> Void) -> (records: [Record]?, problem: String?) {
        var records: [Record] = []
        var problem: String?
        do throws(StateError) {
            try file.locked { () throws(StateError) in
                do throws(StateError) {
                    records = try self.records()
                } catch .broken {
                    problem = try file.setAside()
                }
                change(&records)
                try file.replace(with: encoded(records))
            }
            return (records, problem)
        } catch {
            return (nil, text(error))
        }
    }

    private func text(_ error: StateError) -> String { error.text(unread: unread, unkept: unkept) }

    private func records() throws(StateError) -> [Record] {
        guard let bytes = try file.readOwn() else { return [] }
        let (version, records) = bytes.withUnsafeBytes { self.records($0) }
        guard let version else { throw .broken(file.path) }
        guard version <= StateRecords.version else { throw .later(file.path) }
        guard let records else { throw .broken(file.path) }
        return records
    }

    /// - Returns: nil for a part that is not there.
    private func records(_ bytes: UnsafeRawBufferPointer) -> (version: Int?, records: [Record]?) {
        let reader = StateReader(names: "version " + list)
        // It owns the memory that the values point to.
        defer { withExtendedLifetime(reader) {} }
        guard let values = try? reader.object(bytes), let version = try? values.integer(0) else { return (nil, nil) }
        do throws(StateReader.Unexpected) {
            let list = try values.array(1)
            return (
                version,
                try StateReader(names: Record.keys).objects(list) { values throws(StateReader.Unexpected) in
                    try Record(values)
                }
            )
        } catch {
            return (version, nil)
        }
    }

    private func encoded(_ records: [Record]) throws(StateError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            let document = StateDocument(version: StateRecords.version, list: list, records: records)
            return Array(try encoder.encode(document)) + [UInt8(ascii: "\n")]
        } catch {
            throw .broken(file.path)
        }
    }
}

/// The contents of such a file.
private struct StateDocument<Record: Encodable>: Encodable {
    let version: Int
    let list: String
    let records: [Record]

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(version, forKey: Key(stringValue: "version"))
        try container.encode(records, forKey: Key(stringValue: list))
    }
}
