package import Files
internal import Formats
internal import Glibc
internal import JSON

/// The progress of an archive at its server: the last token, and the response that is being written into the logs.
///
///     response → journal → logs → token
///
/// A process that is killed between two of these leaves a journal whose response the next one writes into the logs.
package struct SyncState {
    /// A response that is being written into the logs.
    package struct Journal {
        /// The token that the response follows.
        package let since: String?
        package let body: ResponseBody

        package init(since: String?, body: ResponseBody) { (self.since, self.body) = (since, body) }
    }

    private let folder: String
    private var statePath: String { folder + "/sync.json" }
    private var journalPath: String { folder + "/journal" }
    private var firstPath: String { folder + "/first.json" }

    /// - Parameter folder: the folder of the network in the archive.
    package init(folder: String) { self.folder = folder }

    /// The token up to which the logs hold everything; nil before the first response.
    package func token() throws(FileError) -> String? { try SyncState.read(statePath) { $0["since"]?.string } }

    /// True if the logs may hold events after their token, from the first look at the account.
    package func isFirst() throws(FileError) -> Bool {
        try SyncState.read(statePath) { $0["first"]?.isTrue } ?? false
    }

    /// The token at which a first look began that has not ended; nil without one.
    package func first() throws(FileError) -> String? { try SyncState.read(firstPath) { $0["since"]?.string } }

    private static func read<Value>(
        _ path: String, _ read: (JSONValue) -> Value?
    ) throws(FileError) -> Value? {
        guard let bytes = try DiskFile.read(path, longest: 1 << 20) else { return nil }
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        return bytes.withUnsafeBytes { tree.parse($0).flatMap(read) }
    }

    /// The response in the journal; nil if there is none.
    package func journal() throws(FileError) -> Journal? {
        guard Disk.exists(journalPath) else { return nil }
        let file = try OpenFile(reading: journalPath, follows: false)
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        // The token of the server is not longer than this.
        let start = try file.bytes(at: 0, count: 64 << 10)
        let end = start.firstIndex(of: 0x0A) ?? 0
        let body = try withExtendedLifetime(file) { (file) throws(FileError) in
            try ResponseBody(file: file.descriptor, from: end + 1)
        }
        return start[..<end].withUnsafeBytes { line in
            guard let value = tree.parse(line), value.isObject else { return nil }
            return Journal(since: value["since"]?.string, body: body)
        }
    }

    /// Writes a response into the journal. It is on the disk when this returns.
    package func write(_ journal: Journal) throws(FileError) {
        try DiskFile.replace(journalPath, with: [SyncState.line(journal.since)], and: journal.body)
    }

    /// Records that the first look at the account begins.
    package func begin(with token: String) throws(FileError) {
        try DiskFile.replace(firstPath, with: [SyncState.line(token)])
    }

    /// Records that the first look is given up.
    package func forgetFirst() throws(FileError) { try DiskFile.remove(firstPath) }

    /// Records that the logs hold everything up to a token.
    /// - Parameter isFirst: true if the first look at the account ends with this token.
    package func commit(_ token: String, isFirst: Bool = false) throws(FileError) {
        try DiskFile.replace(statePath, with: [SyncState.line(token, isFirst: isFirst)])
        if isFirst { unlink(firstPath) }
        // Without the journal the next start has less to read; if it stays, that start finds nothing left to do.
        unlink(journalPath)
    }

    /// Forgets the token: everything is asked for as if for the first time.
    package func forget() throws(FileError) {
        try DiskFile.remove(statePath)
        try OpenFile(folder: folder).syncNames()
    }

    private static func line(_ token: String?, isFirst: Bool = false) -> [UInt8] {
        let fields: JSONText = ["since": JSONText(ifAny: token) ?? .null, "first": isFirst ? true : nil]
        return fields.line
    }
}
