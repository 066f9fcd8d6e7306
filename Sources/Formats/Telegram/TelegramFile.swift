internal import CSimdjson

/// Finds the chats in an exported file without reading their messages.
enum TelegramFile {
    struct Contents {
        var chats: [TelegramChat] = []
        var me: ForeignPerson?
        var problems: [ForeignProblem] = []
    }

    private static let headSize = 64 << 10
    private static let key = Array("\"messages\":".utf8)

    /// The files that may be exports: those of the exporter's name, else all that may be JSON.
    static func candidates(_ source: Source) -> [SourceFile] {
        if source.isFile { return source.files }
        let files = Array(source.candidates(".json"))
        let named = files.filter { $0.name.hasPrefix("result") }
        return TelegramFolder.withoutSentFiles(named.isEmpty ? files : named)
    }

    // MARK: - Recognition

    static func recognise(_ file: SourceFile, _ source: Source) -> Recognition {
        guard let head = try? source.read(file, count: headSize), let first = firstBrace(head) else { return .no }
        if let key = Source.firstOffset(of: key, in: head), let object = object(in: head, before: key, at: 0) {
            if object.offset == first {
                guard let type = object.type, TelegramSetting.types.contains(type) else { return .no }
                return object.id == nil ? .unsure("a Telegram export of a chat without an ID") : .certain
            }
        }
        return isWhole(head, first) ? recogniseWhole(file, source) : .no
    }

    /// Whether a file begins as an export of all data does.
    private static func isWhole(_ head: [UInt8], _ first: Int) -> Bool {
        let keys = [
            "personal_information", "profile_pictures", "stories", "contacts", "sessions", "chats", "left_chats",
        ]
        let about = Array("\"about\"".utf8)
        guard let place = Source.firstOffset(of: about, in: head),
            head[(first + 1)..<place].allSatisfy({ $0 <= 0x20 })
        else { return false }
        return keys.contains { Source.firstOffset(of: Array("\"\($0)\":".utf8), in: head) != nil }
    }

    private static func recogniseWhole(_ file: SourceFile, _ source: Source) -> Recognition {
        guard file.size < 16 << 20, let found = try? source.offsets(of: key, in: file, limit: 1) else {
            return .certain
        }
        return found.isEmpty ? .unsure("a Telegram export without chats") : .certain
    }

    private static func firstBrace(_ head: [UInt8]) -> Int? {
        let start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard let first = head[start...].firstIndex(where: { $0 > 0x20 }), head[first] == UInt8(ascii: "{") else {
            return nil
        }
        return first
    }

    // MARK: - Contents

    static func contents(of file: SourceFile, in source: Source) throws(SourceError) -> Contents {
        var contents = Contents()
        let head = try source.read(file, count: headSize)
        contents.me = me(in: head)
        let objects = try objects(of: file, head, source)
        for (index, object) in objects.enumerated() {
            let end = index + 1 < objects.count ? Int64(objects[index + 1].offset) : nil
            if let chat = try chat(object, end, file, source) {
                contents.chats.append(chat)
            } else {
                contents.problems.append(
                    ForeignProblem(file: file.path, place: .byte(Int64(object.offset)), kind: "chat without an ID"))
            }
        }
        if try !isClosed(file, source) {
            contents.problems.append(
                ForeignProblem(file: file.path, place: .byte(file.size), kind: "the file ends before its last bracket"))
        }
        return contents
    }

    /// The person who exported all data.
    private static func me(in head: [UInt8]) -> ForeignPerson? {
        guard let key = Source.firstOffset(of: Array("\"personal_information\":".utf8), in: head),
            let brace = head[key...].firstIndex(of: UInt8(ascii: "{"))
        else { return nil }
        return head.withUnsafeBytes { bytes -> ForeignPerson? in
            guard let start = bytes.baseAddress else { return nil }
            let length = csj_value_end((start + brace).assumingMemoryBound(to: CChar.self), bytes.count - brace)
            let tree = JSONTree()
            guard length > 0, let value = tree.parse(Bytes(rebasing: bytes[brace..<brace + length])),
                let id = value["user_id"]?.integer
            else { return nil }
            let names = [value["first_name"]?.string, value["last_name"]?.string].compactMap { $0 }
            return ForeignPerson(id: "user\(id)", name: names.filter { !$0.isEmpty }.joined(separator: " "))
        }
    }

    /// Whether the last bracket is that of the file: the exporter indents all others.
    private static func isClosed(_ file: SourceFile, _ source: Source) throws(SourceError) -> Bool {
        let tail = try source.read(file, at: max(0, file.size - 256), count: 256)
        guard let brace = tail.lastIndex(where: { $0 > 0x20 }), tail[brace] == UInt8(ascii: "}") else { return false }
        return brace == 0 || tail[brace - 1] != UInt8(ascii: " ")
    }

    // MARK: - Objects with messages

    /// The beginning of an object that holds messages.
    private struct Object {
        /// Of its brace, and of the byte after the bracket of its messages.
        var offset: Int
        var start: Int64
        var name: String?
        var type: String?
        var id: Int64?
    }

    private static func objects(
        of file: SourceFile, _ head: [UInt8], _ source: Source
    ) throws(SourceError) -> [Object] {
        if let place = Source.firstOffset(of: key, in: head), let object = object(in: head, before: place, at: 0),
            object.offset == firstBrace(head)
        {
            return [object]
        }
        var objects: [Object] = []
        for place in try source.offsets(of: key, in: file) {
            let from = max(0, place - 8 << 10)
            let window = try source.read(file, at: from, count: Int(place - from) + 64)
            if let object = object(in: window, before: Int(place - from), at: from) { objects.append(object) }
        }
        return objects
    }

    /// The object around the key of its messages: the nearest brace from which the text up to the key is the beginning of an
    /// object. Nil if no array follows.
    private static func object(in window: [UInt8], before key: Int, at offset: Int64) -> Object? {
        let after = key + TelegramFile.key.count
        guard let bracket = window[after...].firstIndex(where: { $0 > 0x20 }), window[bracket] == UInt8(ascii: "[")
        else {
            return nil
        }
        let tree = JSONTree()
        var brace = key
        while let next = window[..<brace].lastIndex(of: UInt8(ascii: "{")) {
            brace = next
            let text = window[brace..<key] + Array("\"messages\":0}".utf8)
            let object = text.withUnsafeBytes { bytes -> Object? in
                guard let value = tree.parse(bytes) else { return nil }
                return Object(
                    offset: Int(offset) + brace, start: offset + Int64(bracket) + 1, name: value["name"]?.string,
                    type: value["type"]?.string, id: value["id"]?.integer)
            }
            if let object { return object }
        }
        return nil
    }

    /// How much of a large chat is read to know whether it has topics, at its beginning and at its end. A converter that meets one
    /// in between asks for another setting.
    private static let sample: Int64 = 16 << 20

    private static func hasTopics(
        _ range: Range<Int64>, _ file: SourceFile, _ source: Source
    ) throws(SourceError) -> Bool {
        let needle = Array("\"topic_created\"".utf8)
        let isSmall = range.upperBound - range.lowerBound <= 4 * sample
        let first = isSmall ? range.upperBound : range.lowerBound + sample
        if try !source.offsets(of: needle, in: file, from: range.lowerBound, to: first, limit: 1).isEmpty {
            return true
        }
        if isSmall { return false }
        let last = range.upperBound - sample
        return try !source.offsets(of: needle, in: file, from: last, to: range.upperBound, limit: 1).isEmpty
    }

    private static func chat(
        _ object: Object, _ end: Int64?, _ file: SourceFile, _ source: Source
    ) throws(SourceError) -> TelegramChat? {
        guard let id = object.id else { return nil }
        let type = object.type ?? ""
        let sample = try source.read(file, at: object.start, count: 4 << 10)
        // Only supergroups can have topics.
        // A file that grows is longer than it was when it was listed.
        let range = object.start..<max(object.start, end ?? file.size)
        let isForum = type.hasSuffix("_supergroup") ? try hasTopics(range, file, source) : false
        let setting = TelegramSetting(
            type: type, id: id, isForum: isForum,
            isSpaced: Source.firstOffset(of: Array("\"id\": ".utf8), in: sample) != nil)
        let name = object.name.flatMap { $0.isEmpty ? nil : $0 }
        return TelegramChat(file: file, name: name, setting: setting, start: object.start, end: end)
    }
}

/// A chat in a file.
struct TelegramChat {
    let file: SourceFile
    /// Nil for a chat that has none, such as that with a deleted account.
    let name: String?
    let setting: TelegramSetting
    /// The bytes of its messages; without an end, they end with the file.
    let start: Int64
    let end: Int64?

    /// The person of a chat of two.
    var person: ForeignPerson? {
        guard let name, setting.type == "personal_chat" || setting.type == "bot_chat" else { return nil }
        return ForeignPerson(id: setting.peer, name: name)
    }

    private var title: String {
        switch setting.type {
        case "saved_messages": "Saved Messages"
        case "replies": "Replies"
        case "verification_codes": "Verification Codes"
        case "personal_chat", "bot_chat": name ?? "Deleted Account"
        default: name ?? "Unnamed"
        }
    }

    /// Conversations, each with the messages of all files that hold the chat.
    ///
    /// The ID of a conversation is made of its name, which people type: `ana-petrova`. Where several chats of the export would
    /// have the same, each carries its own ID too (`ana-petrova-123`), and none of them depends on the order of the chats. The
    /// ID of the service and `type-ID`, which outlive a new name, are aliases.
    static func conversations(of chats: [TelegramChat], me: String?) -> [ForeignConversation] {
        var order: [String] = []
        var groups: [String: [TelegramChat]] = [:]
        for chat in chats {
            if groups[chat.setting.peer] == nil { order.append(chat.setting.peer) }
            groups[chat.setting.peer, default: []].append(chat)
        }
        let merged = order.compactMap { groups[$0] }.map { group in
            group.sorted { ($0.file.modified, $0.file.path) < ($1.file.modified, $1.file.path) }
        }
        var uses: [String: Int] = [:]
        for group in merged { uses[slug(group), default: 0] += 1 }
        return merged.compactMap { group in
            let slug = slug(group)
            return conversation(group, uses[slug] == 1 ? slug : nil, me)
        }
    }

    private static func slug(_ group: [TelegramChat]) -> String {
        let newest = group.last { $0.name != nil } ?? group.last
        let slug = Slug.of(newest?.title ?? "")
        return slug.isEmpty ? newest?.setting.type.replacing("_", with: "-") ?? "" : slug
    }

    private static func conversation(_ group: [TelegramChat], _ free: String?, _ me: String?) -> ForeignConversation? {
        guard let newest = group.last else { return nil }
        let (setting, title) = (newest.setting, (group.last { $0.name != nil } ?? newest).title)
        var conversation = ForeignConversation(id: free ?? "\(slug(group))-\(setting.id)", title: title)
        conversation.aliases = ["\(setting.id)", "\(setting.type)-\(setting.id)"]
        if setting.peer.hasPrefix("user") {
            conversation.members = me == setting.peer ? [setting.peer] : [me, setting.peer].compactMap { $0 }
        }
        conversation.order = group.count > 1 ? .byKey : .sequence
        conversation.feeds = group.enumerated().map { rank, chat in
            Feed(file: chat.file.path, start: chat.start, end: chat.end, setting: chat.setting.text, rank: rank)
        }
        return conversation
    }
}

/// Finds messages in the middle of a file.
enum TelegramCut {
    /// The offset of the first message that carries its date.
    static func first(in bytes: Bytes) -> Int? {
        var at = 0
        while at < bytes.count {
            guard let brace = bytes[at...].firstIndex(of: UInt8(ascii: "{")) else { return nil }
            if isMessage(bytes, brace) { return brace }
            at = brace + 1
        }
        return nil
    }

    /// `{ "id": 12, "type": "message", "date": "…`, with any blanks.
    private static func isMessage(_ bytes: Bytes, _ brace: Int) -> Bool {
        var reader = Reader(bytes: bytes, at: brace + 1)
        guard reader.take("\"id\""), reader.take(":") else { return false }
        _ = reader.take("-")
        guard reader.takeDigits(), reader.take(","), reader.take("\"type\""), reader.take(":") else { return false }
        guard reader.take("\"message\"") || reader.take("\"service\"") else { return false }
        return reader.take(",") && reader.take("\"date\"")
    }

    private struct Reader {
        let bytes: Bytes
        var at: Int

        /// Takes a text after any blanks.
        mutating func take(_ text: StaticString) -> Bool {
            while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
            guard at < bytes.count, Bytes(rebasing: bytes[at...]).starts(with: text) else { return false }
            at += text.utf8CodeUnitCount
            return true
        }

        mutating func takeDigits() -> Bool {
            let start = at
            while at < bytes.count, (48...57).contains(bytes[at]) { at += 1 }
            return at > start
        }
    }
}

/// Which files of a folder may be exports.
enum TelegramFolder {
    /// Leaves out files that people sent to a chat: an export among them is no export of this person. They lie in `files`, in the
    /// folder of an export or below it.
    static func withoutSentFiles(_ files: [SourceFile]) -> [SourceFile] {
        let folders = Set(files.map { String($0.folder) })
        return files.filter { file in
            let parts = file.folder.split(separator: "/")
            guard parts.last == "files" else { return true }
            return !(0..<parts.count).contains { folders.contains(parts[..<$0].joined(separator: "/")) }
        }
    }
}
