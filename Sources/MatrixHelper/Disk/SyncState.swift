internal import Formats
internal import Glibc

/// How far an archive follows its server: the last token, and the response that is being written into the logs.
///
///     response → journal → logs → token
///
/// A process that is killed between two of these leaves a journal whose response the next one writes into the logs.
struct SyncState {
    struct Journal {
        /// The token that the response follows.
        let since: String?
        let body: ResponseBody
    }

    private let folder: String
    private var statePath: String { folder + "/sync.json" }
    private var journalPath: String { folder + "/journal" }
    private var firstPath: String { folder + "/first.json" }

    /// - Parameter folder: `matrix` in the archive.
    init(folder: String) { self.folder = folder }

    /// Up to which token the logs hold everything; nil before the first response.
    func token() throws(DiskFailure) -> String? { try SyncState.read(statePath) { $0["since"]?.string } }

    /// Whether the logs may hold more than everything up to their token: the first look at an account came after it.
    func isFirst() throws(DiskFailure) -> Bool { try SyncState.read(statePath) { $0["first"]?.isTrue } ?? false }

    /// The token at which a first look began that has not ended; nil without one.
    func first() throws(DiskFailure) -> String? { try SyncState.read(firstPath) { $0["since"]?.string } }

    private static func read<Value>(
        _ path: String, _ read: (JSONValue) -> Value?
    ) throws(DiskFailure) -> Value? {
        guard let bytes = try DiskFile.read(path, longest: 1 << 20) else { return nil }
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        return bytes.withUnsafeBytes { tree.parse($0).flatMap(read) }
    }

    /// The response that was written last; nil if there is none.
    func journal() throws(DiskFailure) -> Journal? {
        guard let file = try DiskFile.open(journalPath, longest: 1 << 30) else { return nil }
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        // The token of the server is not longer than this.
        let start = try DiskFile.read(file, journalPath, from: 0, count: 64 << 10)
        let end = start.firstIndex(of: 0x0A) ?? 0
        let body = try ResponseBody(file: file, from: end + 1)
        return start[..<end].withUnsafeBytes { line in
            guard let value = tree.parse(line), value.isObject else { return nil }
            return Journal(since: value["since"]?.string, body: body)
        }
    }

    func write(_ journal: Journal) throws(DiskFailure) {
        try DiskFile.replace(journalPath, with: [SyncState.line(journal.since)], and: journal.body)
    }

    /// Says that the first look at the account begins.
    func begin(with token: String) throws(DiskFailure) {
        try DiskFile.replace(firstPath, with: [SyncState.line(token)])
    }

    /// Says that the first look is given up.
    func forgetFirst() throws(DiskFailure) {
        guard unlink(firstPath) == 0 || errno == ENOENT else { throw DiskFailure(firstPath, code: errno) }
    }

    /// Says that the logs hold everything up to a token.
    /// - Parameter isFirst: whether the first look at the account ends with it.
    func commit(_ token: String, isFirst: Bool = false) throws(DiskFailure) {
        try DiskFile.replace(statePath, with: [SyncState.line(token, isFirst: isFirst)])
        if isFirst { unlink(firstPath) }
        // Without it the next start has less to read; with it, it finds that nothing is left to do.
        unlink(journalPath)
    }

    /// Forgets the token: everything is asked for as if for the first time.
    func forget() throws(DiskFailure) {
        guard unlink(statePath) == 0 || errno == ENOENT else { throw DiskFailure(statePath, code: errno) }
        try DiskFile.syncNames(of: folder)
    }

    private static func line(_ token: String?, isFirst: Bool = false) -> [UInt8] {
        Array("{\"since\":\(token.map(JSONString.text) ?? "null")\(isFirst ? ",\"first\":true" : "")}\n".utf8)
    }
}
