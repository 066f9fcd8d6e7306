/// The head of a file of DiscordChatExporter: everything before its messages.
struct DiscordHead {
    var guild = (id: "", name: "")
    var channel = (id: "", type: "", name: "", topic: "")
    /// The category of a channel; the parent of a thread.
    var parent = (id: "", name: "")
    var exportedAt = ""
    /// The byte after the bracket of the messages; nil if the file ends before it.
    var start: Int64?

    private static let longest = 64 << 10

    init() {}

    /// Nil for any other file.
    init?(_ file: SourceFile, in source: Source) throws(SourceError) {
        let head = try source.read(file, count: DiscordHead.longest)
        let key = Array("\"messages\"".utf8)
        guard DiscordHead.beginsWithGuild(head) else { return nil }
        var at = Source.firstOffset(of: key, in: head).map { $0 + key.count } ?? head.count
        while at < head.count, head[at] == UInt8(ascii: ":") || head[at] <= 0x20 { at += 1 }
        guard at < head.count, head[at] == UInt8(ascii: "[") else {
            // The export stopped at once.
            guard file.size < Int64(DiscordHead.longest),
                Source.firstOffset(of: Array("\"channel\"".utf8), in: head) != nil
            else { return nil }
            return
        }
        let fields = head[..<at] + Array("null}".utf8) + [UInt8](repeating: 0, count: 64)
        let tree = JSONTree()
        let isRead = fields.withUnsafeBytes { bytes in
            let start = JSONRecords.start(of: bytes, count: bytes.count)
            guard let value = tree.parse(Bytes(rebasing: bytes[start..<(bytes.count - 64)]), padding: 64) else {
                return false
            }
            return read(value)
        }
        guard isRead else { return nil }
        start = Int64(at + 1)
    }

    private static func beginsWithGuild(_ head: [UInt8]) -> Bool {
        head.withUnsafeBytes { head in
            var at = JSONRecords.start(of: head, count: head.count)
            guard at < head.count, head[at] == UInt8(ascii: "{") else { return false }
            at += 1
            while at < head.count, head[at] <= 0x20 { at += 1 }
            return Bytes(rebasing: head[at...]).starts(with: "\"guild\"")
        }
    }

    private mutating func read(_ head: JSONValue) -> Bool {
        guard let channel = head["channel"], let id = channel["id"]?.string, !id.isEmpty else { return false }
        func text(_ value: JSONValue?) -> String { value?.string ?? "" }
        guild = (text(head["guild"]?["id"]), text(head["guild"]?["name"]))
        self.channel = (id, text(channel["type"]), text(channel["name"]), text(channel["topic"]))
        parent = (text(channel["categoryId"]), text(channel["category"]))
        exportedAt = text(head["exportedAt"])
        return true
    }

    var isThread: Bool { channel.type.hasSuffix("Thread") }
    var isDirect: Bool { guild.id == "0" || channel.type.hasPrefix("Direct") }
}

/// A file of DiscordChatExporter, and the IDs at its ends.
struct DiscordFile {
    let file: SourceFile
    let head: DiscordHead
    let start: Int64
    /// Of the first and the last message; nil if the file holds none or is laid out in another way.
    let first: Int64?
    let last: Int64?
    /// Whether the file has no message.
    let isEmpty: Bool
    /// Whether the end of the file is missing.
    let isCut: Bool

    /// How much of the end is read for the last message: at first, and then.
    private static let ends = [64 << 10, 4 << 20]

    init(_ file: SourceFile, _ head: DiscordHead, start: Int64, first: Int64?, last: Int64?, isCut: Bool) {
        self.file = file
        self.head = head
        self.start = start
        (self.first, self.last) = (first, last)
        isEmpty = first == nil
        self.isCut = isCut
    }

    init(_ file: SourceFile, _ head: DiscordHead, start: Int64, in source: Source) throws(SourceError) {
        self.file = file
        self.head = head
        self.start = start
        let begin = try source.read(file, at: start, count: 4_096)
        first = begin.withUnsafeBytes { DiscordCut.firstID(in: $0) }
        isEmpty = begin.first { $0 > 0x20 } == UInt8(ascii: "]")
        var last: Int64?
        var isCut = false
        for length in DiscordFile.ends where last == nil {
            let from = max(start, file.size - Int64(length))
            let end = try source.read(file, at: from, count: Int(file.size - from))
            last = end.withUnsafeBytes { DiscordCut.lastID(in: $0) }
            isCut = end.last { $0 > 0x20 } != UInt8(ascii: "}")
            if from == start || first == nil { break }
        }
        self.isCut = isCut
        self.last = last
    }
}
