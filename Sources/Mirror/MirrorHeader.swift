internal import Formats

/// Identifies the source of a mirror. Written into the mirror.
struct MirrorHeader: Equatable {
    /// The canonical path of the source.
    var path: String
    /// The ID of its format.
    var format: String
    /// Identifies the format, its version and the zone.
    var key: String
    /// A hash of the list of the source's files; nil until the mirror is complete.
    var listing: UInt64?
    /// Stamps of a complete mirror: of all its files, and of all but the conversations' own files.
    var stamp: UInt64 = 0
    var labels: UInt64 = 0
    /// The stamp of the people's files.
    var people: UInt64 = 0
    /// A hash of the contents of those files (`MirrorFiles.content`).
    var content: UInt64 = 0
    /// The IDs of conversations by their aliases.
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

    /// Nil unless the text is a complete header.
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
    /// The bytes of a feed.
    func size(of feed: Feed) -> Int64 { max(0, (feed.end ?? file(feed.file)?.size ?? 0) - feed.start) }

    /// A hash of the list of files with their sizes and times.
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
