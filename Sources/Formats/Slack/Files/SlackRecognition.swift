/// Looks whether a source is an export of Slack. Paths find the places to look at; the contents there decide.
struct SlackRecognition {
    private let source: Source

    init(_ source: Source) { self.source = source }

    /// How much of a file is read, and how many files of each folder.
    private static let read = 64 << 10
    private static let tried = 4
    /// The most files that are looked at for a dump.
    private static let mostDumps = 64

    var result: Recognition {
        let exports = SlackExport.all(in: source)
        var hasBrokenDays = false
        for export in exports {
            switch days(of: export) {
            case true?: return .certain
            case false?: hasBrokenDays = hasBrokenDays || export.hasIndex
            case nil: break
            }
        }
        if hasDump { return .certain }
        if hasBrokenDays { return .unsure("a Slack export whose days hold no messages of Slack") }
        if let export = exports.first(where: { isIndex($0) }) {
            let isWhole = SlackIndex.lists.contains { source.file(export.folder + $0.name) != nil }
            return .unsure(
                isWhole
                    ? "a Slack export without the folders of its channels"
                    : "a Slack export without channels.json and the folders of its channels")
        }
        // One that can be read stands here as the files of a dump.
        if source.files.contains(where: { $0.name == "slackdump.sqlite" }) {
            return .unsure("an archive of slackdump that cannot be read; `slackdump convert` may make an export of it")
        }
        return .no
    }

    /// Whether the days hold messages of Slack; nil if none of them holds anything.
    private func days(of export: SlackExport) -> Bool? {
        var answer: Bool?
        for files in export.days.values {
            for file in files.suffix(SlackRecognition.tried) {
                guard let bytes = try? source.read(file, count: SlackRecognition.read),
                    let isMessage = SlackRecognition.holdsMessage(bytes)
                else { continue }
                if isMessage { return true }
                answer = false
            }
        }
        return answer
    }

    /// Whether an array begins with a message of Slack; nil for an empty one.
    private static func holdsMessage(_ bytes: [UInt8]) -> Bool? {
        let padded = bytes + [UInt8](repeating: 0, count: 64)
        return padded.withUnsafeBytes { padded in
            let start = JSONRecords.start(of: padded, count: bytes.count)
            let records = UnsafeRawBufferPointer(rebasing: padded[start..<bytes.count])
            // Behind a record whose quotes do not match come others: the end of the bytes ends it.
            var splitter = RecordSplitter(records, isEnd: true)
            let tree = JSONTree()
            var answer: Bool?
            while let piece = splitter.next() {
                answer = answer ?? false
                guard case .record(let range) = piece,
                    let record = tree.parse(UnsafeRawBufferPointer(rebasing: records[range]), padding: 64)
                else { continue }
                if isMessage(record) { return true }
            }
            return answer
        }
    }

    private static func isMessage(_ record: JSONValue) -> Bool {
        guard let ts = record["ts"]?.bytes, ts.contains(UInt8(ascii: ".")), SlackTime(ts) != nil else { return false }
        return record["text"] != nil || record["user"] != nil || record["type"]?.bytes.map { $0 == "message" } == true
    }

    /// Whether index files are those of Slack: other programs have a `users.json` too.
    private func isIndex(_ export: SlackExport) -> Bool {
        guard export.hasIndex, export.days.isEmpty else { return false }
        for name in SlackIndex.peopleFiles + SlackIndex.lists.map(\.name) {
            guard let file = source.file(export.folder + name), let bytes = try? source.whole(file) else { continue }
            var isSlack = false
            _ = JSONRecords.forEach(in: bytes) { record in
                if let id = record["id"]?.bytes, let first = id.first, "CDGUW".utf8.contains(first), id.count >= 8,
                    id.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
                {
                    isSlack = true
                }
            }
            if isSlack { return true }
        }
        return false
    }

    private var hasDump: Bool {
        source.candidates(".json").prefix(SlackRecognition.mostDumps).contains {
            (try? SlackDump($0, in: source)) != nil
        }
    }
}
