internal import Files
internal import JSON

/// Finds the chats in an exported file without reading their messages.
enum TelegramFile {
    private static let headSize = 64 << 10
    private static let key = Array("\"messages\":".utf8)

    /// The files that may be exports: those with the exporter's name, or else all JSON files.
    static func candidates(_ source: Source) -> [SourceFile] {
        if source.isFile { return source.files }
        let files = Array(source.candidates(".json"))
        let named = files.filter { $0.name.hasPrefix("result") }
        return TelegramFolder.withoutSentFiles(named.isEmpty ? files : named)
    }

    // MARK: - Recognition

    static func recognise(_ file: SourceFile, _ source: Source) -> Recognition {
        guard let head = try? source.read(file, count: headSize), let first = firstBrace(head) else { return .no }
        if let key = head.offset(of: key), let object = object(in: head, before: key, at: 0) {
            if object.offset == first {
                guard let type = object.type, TelegramSetting.types.contains(type) else { return .no }
                return object.id == nil ? .unsure("a Telegram export of a chat without an ID") : .certain
            }
        }
        return isWhole(head, first) ? recogniseWhole(file, source) : .no
    }

    /// True if a file begins like an export of all data.
    private static func isWhole(_ head: [UInt8], _ first: Int) -> Bool {
        let keys = [
            "personal_information", "profile_pictures", "stories", "contacts", "sessions", "chats", "left_chats",
        ]
        let about = Array("\"about\"".utf8)
        guard let place = head.offset(of: about), head[(first + 1)..<place].allSatisfy({ $0 <= 0x20 })
        else { return false }
        return keys.contains { head.offset(of: "\"\($0)\":") != nil }
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

    /// Lists the chats of a file, and records its owner and its errors in the archive.
    static func chats(
        of file: SourceFile, in source: Source, _ archive: inout ForeignArchive
    ) throws(FileError) -> [TelegramChat] {
        let head = try source.read(file, count: headSize)
        if let me = me(in: head) {
            archive.me = me.id
            if !me.name.isEmpty { archive.people.append(me) }
        }
        var chats: [TelegramChat] = []
        let objects = try objects(of: file, head, source)
        for (index, object) in objects.enumerated() {
            let end = index + 1 < objects.count ? Int64(objects[index + 1].offset) : nil
            if let chat = try chat(object, end, file, source) {
                chats.append(chat)
            } else {
                archive.problems.append(
                    ForeignProblem(file: file.path, place: .byte(Int64(object.offset)), kind: "chat without an ID"))
            }
        }
        if try !isClosed(file, source) {
            archive.problems.append(
                ForeignProblem(file: file.path, place: .byte(file.size), kind: "the file ends before its last bracket"))
        }
        return chats
    }

    /// The owner of an export of all data.
    private static func me(in head: [UInt8]) -> ForeignPerson? {
        guard let key = head.offset(of: "\"personal_information\":"),
            let brace = head[key...].firstIndex(of: UInt8(ascii: "{"))
        else { return nil }
        return head.withUnsafeBytes { bytes -> ForeignPerson? in
            let length = Bytes(rebasing: bytes[brace...]).valueLength
            let tree = JSONTree()
            guard length > 0, let value = tree.parse(Bytes(rebasing: bytes[brace..<brace + length])),
                let id = value["user_id"]?.integer
            else { return nil }
            let names = [value["first_name"]?.string, value["last_name"]?.string].compactMap { $0 }
            return ForeignPerson(id: "user\(id)", name: names.filter { !$0.isEmpty }.joined(separator: " "))
        }
    }

    /// True if the last bracket closes the file: the exporter indents all other brackets.
    private static func isClosed(_ file: SourceFile, _ source: Source) throws(FileError) -> Bool {
        let tail = try source.read(file, at: max(0, file.size - 256), count: 256)
        guard let brace = tail.lastIndex(where: { $0 > 0x20 }), tail[brace] == UInt8(ascii: "}") else { return false }
        return brace == 0 || tail[brace - 1] != UInt8(ascii: " ")
    }

    // MARK: - Objects with messages

    /// The beginning of an object that holds messages.
    private struct Object {
        /// The offset of its brace, and of the byte after the bracket of its messages.
        var offset: Int
        var start: Int64
        var name: String?
        var type: String?
        var id: Int64?
    }

    private static func objects(
        of file: SourceFile, _ head: [UInt8], _ source: Source
    ) throws(FileError) -> [Object] {
        if let place = head.offset(of: key), let object = object(in: head, before: place, at: 0),
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

    /// The object that contains this key of its messages: the nearest brace at which the text up to the key is the beginning of
    /// an object. Nil if no array follows the key.
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

    /// The bytes at each end of a large chat that are searched for topics. A converter that finds a topic elsewhere sets
    /// `betterSetting`.
    private static let sample: Int64 = 16 << 20

    private static func hasTopics(
        _ range: Range<Int64>, _ file: SourceFile, _ source: Source
    ) throws(FileError) -> Bool {
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
    ) throws(FileError) -> TelegramChat? {
        guard let id = object.id else { return nil }
        let type = object.type ?? ""
        let sample = try source.read(file, at: object.start, count: 4 << 10)
        // Only supergroups can have topics.
        // The end of a file that grows may be beyond its listed size.
        let range = object.start..<max(object.start, end ?? file.size)
        let isForum = type.hasSuffix("_supergroup") ? try hasTopics(range, file, source) : false
        let setting = TelegramSetting(
            type: type, id: id, isForum: isForum,
            isSpaced: sample.offset(of: "\"id\": ") != nil)
        let name = object.name.flatMap { $0.isEmpty ? nil : $0 }
        return TelegramChat(file: file, name: name, setting: setting, start: object.start, end: end)
    }
}

/// A chat in a file.
struct TelegramChat {
    let file: SourceFile
    /// Nil for a chat without a name, such as one with a deleted account.
    let name: String?
    let setting: TelegramSetting
    /// The range of its messages; without an end, it continues to the end of the file.
    let start: Int64
    let end: Int64?

    /// The other person, in a chat of two.
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

    /// Makes the conversations, each from the messages of all files that contain the chat.
    ///
    /// The ID of a conversation is made from its name, which people type: `ana-petrova`. If several chats have the same name,
    /// each ID also contains the service's ID (`ana-petrova-123`), so no ID depends on the order of the chats. The service's ID
    /// and `type-ID`, which stay when the name changes, are aliases.
    static func conversations(of chats: [TelegramChat], me: String?) -> [ForeignConversation] {
        var list = ConversationList()
        for group in chats.groups(by: \.setting.peer) {
            let group = group.sorted { ($0.file.modified, $0.file.path) < ($1.file.modified, $1.file.path) }
            guard let newest = group.last else { continue }
            let (setting, title) = (newest.setting, (group.last { $0.name != nil } ?? newest).title)
            let isPerson = setting.peer.hasPrefix("user")
            let feeds = group.enumerated().map { rank, chat in
                Feed(file: chat.file.path, start: chat.start, end: chat.end, setting: chat.setting.text, rank: rank)
            }
            let slug = Slug.of(title)
            list.add(
                title: title, slug: slug.isEmpty ? setting.type.replacing("_", with: "-") : slug,
                place: "\(setting.id)", aliases: ["\(setting.id)", "\(setting.type)-\(setting.id)"],
                members: isPerson ? [me == setting.peer ? nil : me, setting.peer].compactMap { $0 } : [], feeds: feeds,
                order: group.count > 1 ? .byKey : .sequence)
        }
        return list.conversations
    }
}

/// Finds the files of a folder that may be exports.
enum TelegramFolder {
    /// Leaves out files that people sent to a chat: an export among them is not this person's export. They are in the folder
    /// `files` next to an export, or below it.
    static func withoutSentFiles(_ files: [SourceFile]) -> [SourceFile] {
        let folders = Set(files.map { String($0.folder) })
        return files.filter { file in
            let parts = file.folder.split(separator: "/")
            guard parts.last == "files" else { return true }
            return !(0..<parts.count).contains { folders.contains(parts[..<$0].joined(separator: "/")) }
        }
    }
}
