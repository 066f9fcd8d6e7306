/// A dump by slackdump: one file a conversation or thread, `{channel_id, name, thread_ts?, messages: […]}`.
struct SlackDump {
    let file: SourceFile
    let id: String
    let name: String
    /// The byte after the bracket of its messages.
    let start: Int64

    /// The messages come after these fields.
    private static let longestHead = 4_096

    /// Nil for any other file.
    init?(_ file: SourceFile, in source: Source) throws(SourceError) {
        guard file.size >= 20 else { return nil }
        let head = try source.read(file, count: SlackDump.longestHead)
        let key = Array("\"messages\"".utf8)
        guard let place = head.indices.first(where: { head[$0] == key[0] && head[$0...].starts(with: key) }) else {
            return nil
        }
        var at = place + key.count
        while at < head.count, head[at] == UInt8(ascii: ":") || head[at] <= 0x20 { at += 1 }
        guard at < head.count, head[at] == UInt8(ascii: "[") else { return nil }
        let fields = head[..<at] + Array("null}".utf8) + [UInt8](repeating: 0, count: 64)
        let tree = JSONTree()
        let found: (String, String)? = fields.withUnsafeBytes { bytes in
            let start = JSONRecords.start(of: bytes, count: bytes.count)
            let document = UnsafeRawBufferPointer(rebasing: bytes[start..<(bytes.count - 64)])
            guard let value = tree.parse(document, padding: 64), let id = value["channel_id"]?.string, !id.isEmpty
            else {
                return nil
            }
            return (id, value["name"]?.string ?? "")
        }
        guard let found else { return nil }
        self.file = file
        (id, name) = found
        start = Int64(at + 1)
    }

    /// All dumps of a source, the oldest first.
    static func all(in source: Source) throws(SourceError) -> [SlackDump] {
        var found: [SlackDump] = []
        for file in source.candidates(".json") {
            if let dump = try SlackDump(file, in: source) { found.append(dump) }
        }
        return found.sorted { ($0.file.modified, $0.file.path) < ($1.file.modified, $1.file.path) }
    }
}
