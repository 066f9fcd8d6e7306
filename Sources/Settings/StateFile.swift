internal import Files
internal import FoundationEssentials
import Glibc
import JSON
import Messages

/// A small file in the state folder that several processes share. It can be read at any time, because it is only
/// replaced as a whole, by a process that holds the lock. A device, a pipe or a folder in its place is not read.
struct StateFile: Sendable {
    /// Nil without a home.
    let folder: String?
    let name: String
    /// In bytes; a longer file is an error. Drafts may be as long as the messages that they become.
    var largest: Int64 = 256 << 20
    /// The longest wait for another process that holds the lock.
    var patience = Duration.seconds(2)

    /// The version that `content` accepts.
    static let version = 1

    var path: String { (folder ?? "") + "/" + name }

    /// The bytes of the file; nil when there is none.
    func read() throws(FileError) -> [UInt8]? {
        folder == nil ? nil : try Disk.read(path, limit: largest)
    }

    /// The bytes of a file that no other user can have written; from now on no other user can read it. Nil when there
    /// is none. Otherwise another user could put words into this user's mouth.
    private func readOwn() throws(FileError) -> [UInt8]? {
        guard let folder else { return nil }
        let file: OpenFile
        do throws(FileError) {
            file = try OpenFile(reading: path)
        } catch {
            guard error.code == ENOENT || error.code == ENOTDIR else { throw error }
            return nil
        }
        if let opened = try? OpenFile(folder: folder) { try opened.closeToOthers() }
        try file.closeToOthers()
        return try file.bytes(limit: largest)
    }

    /// The content of a file that no other user can have written; nil when there is none.
    /// - Parameter read: returns nil for a part that is not there.
    func content<Content>(
        _ read: (Bytes) -> (version: Int?, content: Content?)
    ) throws(FileError) -> Content? {
        guard let bytes = try readOwn() else { return nil }
        let (version, content) = bytes.withUnsafeBytes(read)
        guard let version else { throw FileError(.read, path, .damaged) }
        guard version <= StateFile.version else { throw FileError(.read, path, .newer) }
        guard let content else { throw FileError(.read, path, .damaged) }
        return content
    }

    /// Runs `body` while no other process does the same. Waits for others for two seconds at most: a process that was
    /// stopped would hold the lock for ever.
    func locked(_ body: () throws(FileError) -> Void) throws(FileError) {
        guard let folder else { throw FileError(.write, name, .homeless) }
        let lock: OpenFile
        do throws(FileError) {
            try Disk.makeFolder(folder)
            // A file of its own, because the other one is replaced, and not every file system can lock a folder.
            lock = try OpenFile.locked(path + ".lock", LockPatience(limit: patience))
        } catch {
            throw FileError(.write, path, error.cause)
        }
        try withExtendedLifetime(lock) { () throws(FileError) in try body() }
    }

    /// Replaces the contents of the file, completely or not at all. Call this while holding the lock.
    func replace(with bytes: [UInt8]) throws(FileError) { try Disk.replace(path, with: bytes) }

    /// The same with JSON that people can read.
    func replace(byJSON document: some Encodable) throws(FileError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(document) else { throw FileError(.read, path, .damaged) }
        try replace(with: Array(data) + [UInt8(ascii: "\n")])
    }

    /// Reads the file by `read`, and renames it if it is damaged. Call this while holding the lock.
    /// - Returns: nil for a damaged file, and one line for people about it.
    func known<Content>(
        _ read: () throws(FileError) -> Content
    ) throws(FileError) -> (content: Content?, problem: String?) {
        do throws(FileError) {
            return (try read(), nil)
        } catch {
            guard error.cause == .damaged else { throw error }
            return (nil, try setAside())
        }
    }

    /// Renames a damaged file to a name that is free.
    /// - Returns: one line for people that says so.
    private func setAside() throws(FileError) -> String {
        var other = name + ".broken"
        var number = 1
        while Disk.exists((folder ?? "") + "/" + other) {
            number += 1
            other = name + ".broken-\(number)"
        }
        try Disk.rename(path, to: (folder ?? "") + "/" + other)
        return "\(path) was damaged: a new one was begun, and the old one is kept as \(other)"
    }
}

extension FileError {
    /// One line for people about a file of the state folder.
    /// - Parameters:
    ///   - unread: the consequence when it cannot be read.
    ///   - unkept: the consequence when it cannot be written.
    func text(unread: String, unkept: String) -> String {
        switch (action, cause) {
        case (.read, .foreign): "\(path) belongs to another user: \(unread)"
        case (.write, .foreign): "\(path) is in a folder of another user: \(unkept)"
        case (_, .held(let holder)): "\(path) is locked by \(LockHolder.describe(holder)): for now, \(unkept)"
        case (_, .homeless): "there is no folder for \(path) (set HOME or XDG_STATE_HOME): \(unkept)"
        case (_, .damaged): "\(path) is damaged: \(unread)"
        case (_, .newer): "\(path) was written by a later version of Kedge: until this one is updated, \(unkept)"
        case (.read, _): "\(path) \(obstacle): \(unread)"
        case (.write, _): "\(path) cannot be written (\(reason)): \(unkept)"
        }
    }

    /// The reason why a file that is only read cannot be used; without its path.
    var obstacle: String {
        switch cause {
        case .irregular: "is not a regular file (move it away)"
        case .tooLarge(let limit): "is larger than \(limit >> 20) MiB (make it smaller)"
        default: "cannot be read (\(reason))"
        }
    }
}

/// A record in a state file, which belongs to one person in one archive.
protocol StateRecord: Encodable, Sendable {
    /// The names of the keys, in the order of `init`, separated by blanks.
    static var keys: String { get }
    var archive: String { get }
    var reader: String? { get }
    init(_ values: JSONFields) throws(JSONReader.Failure)
}

/// A state file that is a list of records, which holds all archives and all people: `{"version":1,"records":[…]}`. It is read again
/// before each change, so that several processes can change it.
struct StateRecords<Record: StateRecord>: Sendable {
    /// The real path of the archive whose records are wanted.
    let archive: String
    /// The person whose records are wanted; nil when it is not known.
    let reader: PersonID?
    private let file: StateFile
    /// The key of the list.
    private let list: String
    /// The consequences when it cannot be read, and when it cannot be written, for people.
    private let unread: String
    private let unkept: String

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

    /// True if a record belongs to this person in this archive.
    func isOwn(_ record: Record) -> Bool { isOf(reader, record) }

    /// True if a record belongs to a person in this archive. Paths and IDs are compared by their bytes.
    func isOf(_ reader: PersonID?, _ record: Record) -> Bool {
        record.archive.utf8.elementsEqual(archive.utf8) && record.reader.map { PersonID($0) } == reader
    }

    /// The records of all people in all archives. May wait for the disk.
    func load() -> (records: [Record], problem: String?) {
        do throws(FileError) { return (try records(), nil) } catch { return ([], text(error)) }
    }

    /// Changes the records as they are in the file now. May wait for the disk and for other processes.
    /// - Returns: the records after the change, nil when it is not on the disk; and a line for people about a problem.
    func change(_ change: (inout [Record]) -> Void) -> (records: [Record]?, problem: String?) {
        var records: [Record] = []
        var problem: String?
        do throws(FileError) {
            try file.locked { () throws(FileError) in
                let known = try file.known(self.records)
                (records, problem) = (known.content ?? [], known.problem)
                change(&records)
                try file.replace(byJSON: StateDocument(version: StateFile.version, list: list, records: records))
            }
            return (records, problem)
        } catch {
            return (nil, text(error))
        }
    }

    private func text(_ error: FileError) -> String { error.text(unread: unread, unkept: unkept) }

    private func records() throws(FileError) -> [Record] { try file.content(records) ?? [] }

    /// - Returns: nil for a part that is not there.
    private func records(_ bytes: Bytes) -> (version: Int?, content: [Record]?) {
        // Not by Foundation's decoder: its first value takes as long as all other reading from the state folder.
        let reader = JSONReader(names: "version " + list)
        guard let values = try? reader.object(bytes), let version = try? values.number(0) else { return (nil, nil) }
        var records: [Record] = []
        do throws(JSONReader.Failure) {
            var isWhole = true
            try JSONReader(names: Record.keys).array(try values.array(1), isStrict: true) { values in
                guard let record = try? Record(values) else {
                    isWhole = false
                    return false
                }
                records.append(record)
                return true
            }
            return (version, isWhole ? records : nil)
        } catch {
            return (version, nil)
        }
    }
}

/// The contents of a file of records.
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

/// Values that must be there: a missing one, or one of another kind, is an error.
extension JSONFields {
    func string(_ key: Int) throws(JSONReader.Failure) -> String { try bytes(key, .string).string }

    func number(_ key: Int) throws(JSONReader.Failure) -> Int {
        guard let number = Int(try bytes(key, .number).string) else { throw .wrongKind }
        return number
    }

    /// The JSON of an array.
    func array(_ key: Int) throws(JSONReader.Failure) -> Bytes { try bytes(key, .array) }

    /// The strings of an array of strings.
    func strings(_ key: Int) throws(JSONReader.Failure) -> [String] {
        try JSONReader(names: "").strings(try array(key), isStrict: true)
    }

    /// The value of a key, read by `read`; nil when it is missing or null.
    func optional<Value>(
        _ key: Int, _ read: (Int) throws(JSONReader.Failure) -> Value
    ) throws(JSONReader.Failure) -> Value? {
        kind(key) == .absent || kind(key) == .null ? nil : try read(key)
    }

    private func bytes(_ key: Int, _ kind: Kind) throws(JSONReader.Failure) -> Bytes {
        guard self.kind(key) == kind else { throw .wrongKind }
        return bytes(key)
    }
}
