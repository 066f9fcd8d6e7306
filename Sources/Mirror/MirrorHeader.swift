internal import Formats
import Glibc
internal import Locks
internal import Messages

/// Of which source a mirror is, as it is written into the mirror.
struct MirrorHeader: Equatable {
    /// The canonical path of the source.
    var path: String
    /// The ID of its format.
    var format: String
    /// Stands for the format, its version and the zone.
    var key: String
    /// Stands for the list of the source's files; nil as long as the mirror is not complete.
    var listing: UInt64?
    /// Stand for the files of the mirror when it was complete: for all of them, and for those besides the conversations' own.
    var stamp: UInt64 = 0
    var labels: UInt64 = 0
    /// Stands for the files of the people alone.
    var people: UInt64 = 0
    /// Stands for what those files said (`MirrorFiles.content`).
    var content: UInt64 = 0
    /// IDs of conversations by other IDs.
    var aliases: [String: String] = [:]

    var text: String {
        var rows = [
            ["kedge-source", "2"], ["path", path], ["format", format], ["key", key],
            ["listing", listing.map { String($0, radix: 16) } ?? "-"],
            ["stamps"] + [stamp, labels, people, content].map { String($0, radix: 16) },
        ]
        rows += aliases.sorted { $0.key < $1.key }.map { ["alias", $0.key, $0.value] }
        return TextTable.text(rows)
    }

    init(path: String, format: String, key: String, listing: UInt64? = nil, aliases: [String: String] = [:]) {
        self.path = path
        self.format = format
        self.key = key
        self.listing = listing
        self.aliases = aliases
    }

    /// Nil unless the text is a whole header.
    init?(text: String) {
        guard var table = TextTable(sealed: text), table.next() == ["kedge-source", "2"], let path = table.next(),
            path.count == 2,
            let format = table.next(), format.count == 2, let key = table.next(), key.count == 2,
            let listing = table.next(), listing.count == 2, let stamps = table.next(), stamps.count == 5,
            let stamp = UInt64(stamps[1], radix: 16), let labels = UInt64(stamps[2], radix: 16),
            let people = UInt64(stamps[3], radix: 16), let content = UInt64(stamps[4], radix: 16)
        else { return nil }
        self.init(path: path[1], format: format[1], key: key[1], listing: UInt64(listing[1], radix: 16))
        (self.stamp, self.labels, self.people, self.content) = (stamp, labels, people, content)
        while let row = table.next(), row.count == 3 { aliases[row[1]] = row[2] }
    }
}

extension Source {
    /// Stands for the list of files with their sizes and times.
    var listing: UInt64 {
        var print = Fingerprint()
        for file in files {
            print.add(file.path)
            print.add(file.inode)
            print.add(file.size)
            print.add(file.modified)
        }
        return print.value
    }
}

/// Lets one process at a time change a mirror.
enum MirrorLock {
    /// The longest step takes a second or so; a process that is stopped meanwhile must not hold up the others for ever.
    private static let patience = LockPatience(limit: .seconds(60), stopped: .seconds(5))

    /// - Throws: `unavailable` if another process holds the lock too long, and the errors of `body`.
    static func hold<Result>(
        _ files: MirrorFiles, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let descriptor = open(files.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw MirrorFiles.error(errno, files.lock) }
        defer { close(descriptor) }
        do {
            try FileLock.take(descriptor, patience)
        } catch FileLock.Failure.held(let holder) {
            throw .unavailable("\(files.lock) is kept locked by \(LockHolder.describe(holder))")
        } catch {
            throw .unavailable("\(files.lock): cannot be locked")
        }
        return try body()
    }
}
