internal import CSimdjson
internal import FoundationEssentials
import Glibc
internal import Locks
import Messages

/// A small file in the state folder that several processes share. It can be read at any time, because it is only
/// replaced as a whole, by a process that holds the lock. A device, a pipe or a folder in its place is not read.
struct StateFile: Sendable {
    /// Nil without a home.
    let folder: String?
    let name: String
    /// In bytes; a longer file is not read. Drafts may be as long as the messages that they become.
    var largest: Int64 = 256 << 20
    /// How long to wait for another process that holds the lock.
    var patience = Duration.seconds(2)

    var path: String { (folder ?? "") + "/" + name }

    /// The bytes of the file; nil when there is none.
    func read() throws(StateError) -> [UInt8]? { try read(closing: false) }

    /// The bytes of a file that no other user can have written; from now on no other user can read it. Nil when there
    /// is none. Otherwise another user could put words into this user's mouth.
    func readOwn() throws(StateError) -> [UInt8]? {
        guard let folder else { return nil }
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return try read(closing: true) }
        defer { close(descriptor) }
        try closeToOthers(descriptor, folder, 0o700)
        return try read(closing: true)
    }

    /// - Parameter isClosing: whether to make the file private.
    private func read(closing isClosing: Bool) throws(StateError) -> [UInt8]? {
        guard folder != nil else { return nil }
        // Without O_NONBLOCK, this would wait for a pipe that nobody writes to.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            // A socket cannot be opened.
            throw errno == ENXIO ? .irregular(path) : .unreadable(path, errno)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .unreadable(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .irregular(path) }
        guard status.st_size <= largest else { throw .tooLarge(path, largest) }
        if isClosing { try closeToOthers(file, path, 0o600) }
        return try bytes(of: file, expecting: Int(status.st_size))
    }

    /// All bytes of a file, up to a limit even if it grows meanwhile.
    private func bytes(of file: CInt, expecting size: Int) throws(StateError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(max(size, 1), 65_536))
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(path, errno) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= largest else { throw .tooLarge(path, largest) }
        }
    }

    private func closeToOthers(_ descriptor: CInt, _ path: String, _ mode: mode_t) throws(StateError) {
        do throws(PrivateFolder.Failure) {
            try PrivateFolder.closeToOthers(descriptor, path, mode)
        } catch {
            throw .unreadable(path, error.code)
        }
    }

    /// Runs `body` while no other process does the same. Waits for others for two seconds at most: a process that was
    /// stopped would hold the lock for ever.
    func locked(_ body: () throws(StateError) -> Void) throws(StateError) {
        guard let folder else { throw .homeless(name) }
        do throws(PrivateFolder.Failure) {
            try PrivateFolder.make(folder)
        } catch {
            throw .unwritable(path, error.code)
        }
        // A file of its own, because the other one is replaced, and not every file system can lock a folder.
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw .unwritable(path, errno) }
        defer { close(lock) }
        // The lock files of earlier versions may be open to others, who could then hold the lock.
        try? PrivateFolder.closeToOthers(lock, path, 0o600)
        try wait(for: lock, path)
        try body()
    }

    private func wait(for lock: CInt, _ path: String) throws(StateError) {
        do {
            try FileLock.take(lock, LockPatience(limit: patience))
        } catch FileLock.Failure.system(let code) {
            throw .unwritable(path, code)
        } catch FileLock.Failure.held(let holder) {
            throw .locked(path, holder: holder)
        } catch {
            throw .unwritable(path, EIO)
        }
    }

    /// Replaces the contents of the file, completely or not at all. Call this while holding the lock.
    func replace(with bytes: [UInt8]) throws(StateError) {
        let new = path + ".new"
        let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .unwritable(path, errno) }
        try? PrivateFolder.closeToOthers(file, new, 0o600)
        let failure = StateFile.write(bytes, to: file)
        close(file)
        if let failure {
            unlink(new)
            throw .unwritable(path, failure)
        }
        guard rename(new, path) == 0 else { throw .unwritable(path, errno) }
    }

    /// Renames a damaged file to a name that is free. Call this while holding the lock.
    /// - Returns: one line for people that says so.
    func setAside() throws(StateError) -> String {
        var other = name + ".broken"
        var number = 1
        while access((folder ?? "") + "/" + other, F_OK) == 0 {
            number += 1
            other = name + ".broken-\(number)"
        }
        guard rename(path, (folder ?? "") + "/" + other) == 0 else { throw .unwritable(path, errno) }
        return "\(path) was damaged: a new one was begun, and the old one is kept as \(other)"
    }

    /// Writes the bytes to the disk. Returns the error number, or nil when all of them are there.
    private static func write(_ bytes: [UInt8], to file: CInt) -> CInt? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return errno }
            rest = rest.dropFirst(count)
        }
        return fsync(file) == 0 ? nil : errno
    }
}

/// Why a file of the state folder cannot be used.
enum StateError: Error, Hashable {
    case unreadable(String, CInt)
    case unwritable(String, CInt)
    /// It is a folder, a device, a pipe or a socket.
    case irregular(String)
    /// It has more bytes than this number.
    case tooLarge(String, Int64)
    /// Another process holds the lock; nil when it is not known which.
    case locked(String, holder: LockHolder?)
    /// There is no folder for this file.
    case homeless(String)
    /// Kedge has not written its contents.
    case broken(String)
    /// A later version of Kedge has written it.
    case later(String)

    /// One line for people.
    /// - Parameters:
    ///   - unread: the consequence when it cannot be read.
    ///   - unkept: the consequence when it cannot be written.
    func text(unread: String, unkept: String) -> String {
        switch self {
        case .unreadable(let path, EPERM): "\(path) belongs to another user: \(unread)"
        case .unreadable(let path, _), .irregular(let path), .tooLarge(let path, _): "\(path) \(reason): \(unread)"
        case .unwritable(let path, EPERM): "\(path) is in a folder of another user: \(unkept)"
        case .unwritable(let path, let code): "\(path) cannot be written (\(StateError.name(code))): \(unkept)"
        case .locked(let path, let holder):
            "\(path) is locked by \(LockHolder.describe(holder)): for now, \(unkept)"
        case .homeless(let name): "there is no home for \(name) (set HOME or XDG_STATE_HOME): \(unkept)"
        case .broken(let path): "\(path) is damaged: \(unread)"
        case .later(let path): "\(path) was written by a later version of Kedge: until this one is updated, \(unkept)"
        }
    }

    /// Why a file that is only read cannot be used; without its path.
    var reason: String {
        switch self {
        case .unreadable(_, let code): "cannot be read (\(StateError.name(code)))"
        case .irregular: "is not a regular file (move it away)"
        case .tooLarge(_, let largest): "is larger than \(largest >> 20) MiB (make it smaller)"
        default: text(unread: "it is not read", unkept: "it is not written")
        }
    }

    private static func name(_ code: CInt) -> String { String(cString: strerror(code)) }
}

/// Reads the JSON of state files by simdjson: before its first value Foundation's decoder takes as long as all else that is
/// read from the state folder.
final class StateReader {
    /// The JSON is not as this program would have written it.
    struct Unexpected: Error {}

    private let parser: OpaquePointer?

    /// - Parameter names: of the wanted keys, separated by spaces. `StateValues` counts them from 0.
    init(names: String) { parser = csj_parser_create(names) }

    deinit { csj_parser_destroy(parser) }

    /// The values of an object: valid until the next call, while the bytes are there.
    func object(_ json: UnsafeRawBufferPointer) throws(Unexpected) -> StateValues {
        var values: UnsafePointer<csj_value>?
        let bytes = json.assumingMemoryBound(to: CChar.self).baseAddress
        guard let parser, csj_read_object(parser, bytes, json.count, json.count, &values) == CSJ_OK, let values else {
            throw Unexpected()
        }
        return StateValues(values: values)
    }

    /// Calls `body` with the values of each object of an array, and returns its results.
    func objects<Result>(
        _ json: UnsafeRawBufferPointer, _ body: @escaping (StateValues) throws(Unexpected) -> Result
    ) throws(Unexpected) -> [Result] {
        guard let parser else { throw Unexpected() }
        var results: [Result] = []
        var isExpected = true
        var take = { (values: StateValues) -> Bool in
            do throws(Unexpected) { results.append(try body(values)) } catch { isExpected = false }
            return isExpected
        }
        let status = withUnsafeMutablePointer(to: &take) { context in
            csj_read_array(
                parser, json.assumingMemoryBound(to: CChar.self).baseAddress, json.count, json.count, true,
                { context, values in
                    guard let context, let values else { return false }
                    return context.assumingMemoryBound(to: ((StateValues) -> Bool).self)
                        .pointee(StateValues(values: values))
                }, context)
        }
        guard status == CSJ_OK, isExpected else { throw Unexpected() }
        return results
    }

    /// The strings of an array.
    static func strings(_ json: UnsafeRawBufferPointer) throws(Unexpected) -> [String] {
        guard let parser = csj_parser_create("") else { throw Unexpected() }
        defer { csj_parser_destroy(parser) }
        var strings: [String] = []
        let status = withUnsafeMutablePointer(to: &strings) { context in
            csj_read_strings(
                parser, json.assumingMemoryBound(to: CChar.self).baseAddress, json.count, json.count, true,
                { context, bytes, length in
                    let text = String(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
                    context?.assumingMemoryBound(to: [String].self).pointee.append(text)
                }, context)
        }
        guard status == CSJ_OK else { throw Unexpected() }
        return strings
    }
}

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

/// The wanted values of one object of a state file, by the index of their key. A value of another kind than it is asked for is
/// an error; of one that may be missing, null is none.
struct StateValues {
    let values: UnsafePointer<csj_value>

    func string(_ key: Int) throws(StateReader.Unexpected) -> String {
        String(decoding: try bytes(key, CSJ_STRING), as: UTF8.self)
    }

    func integer(_ key: Int) throws(StateReader.Unexpected) -> Int {
        guard let number = Int(String(decoding: try bytes(key, CSJ_NUMBER), as: UTF8.self)) else {
            throw StateReader.Unexpected()
        }
        return number
    }

    /// The JSON of an array.
    func array(_ key: Int) throws(StateReader.Unexpected) -> UnsafeRawBufferPointer { try bytes(key, CSJ_ARRAY) }

    /// The value of a key, read by `read`; nil when it is missing or null.
    func optional<Value>(
        _ key: Int, _ read: (Int) throws(StateReader.Unexpected) -> Value
    ) throws(StateReader.Unexpected) -> Value? {
        values[key].kind == CSJ_ABSENT || values[key].kind == CSJ_NULL ? nil : try read(key)
    }

    private func bytes(_ key: Int, _ kind: csj_kind) throws(StateReader.Unexpected) -> UnsafeRawBufferPointer {
        guard values[key].kind == kind else { throw StateReader.Unexpected() }
        return UnsafeRawBufferPointer(start: values[key].bytes, count: values[key].length)
    }
}
