internal import CSimdjson

/// The chats of an export: a folder of `message_1.json`, `message_2.json` …, or one file of any name.
struct MessengerFolder {
    private let source: Source

    init(_ source: Source) { self.source = source }

    /// The files that may hold messages.
    var files: some Sequence<SourceFile> { source.candidates(".json") }

    func archive() throws(SourceError) -> ForeignArchive {
        var archive = ForeignArchive(conversations: [])
        var ids = UniqueIDs()
        // A file that is not named by a number is a chat of its own.
        let chats = Dictionary(grouping: files) { MessengerHead.number(of: $0) == nil ? $0.path : String($0.folder) }
        for (_, files) in chats.sorted(by: { $0.key < $1.key }) {
            let numbered = files.map { (file: $0, number: MessengerHead.number(of: $0)) }
            var feeds: [Feed] = []
            var head: MessengerHead?
            for (file, number) in numbered.sorted(by: { $0.number ?? 1 < $1.number ?? 1 }) {
                guard let found = MessengerHead(file, in: source) else {
                    // Other files of the export are no chats.
                    guard number != nil else { continue }
                    archive.problems.append(ForeignProblem(file: file.path, kind: "not a file of messages"))
                    continue
                }
                head = head ?? found
                let setting = MessengerSetting(
                    number: number ?? 1, isOldestFirst: found.isOldestFirst, isEncrypted: found.isEncrypted)
                feeds.append(
                    Feed(
                        file: file.path, start: found.start, setting: setting.text,
                        rank: Int(clamping: -setting.number)))
            }
            guard let head, let file = numbered.first?.file else { continue }
            let name = numbered.first?.number == nil ? file.name.prefix { $0 != "." } : file.folder
            archive.conversations.append(conversation(head, name, feeds, &ids))
        }
        return archive
    }

    private func conversation(
        _ head: MessengerHead, _ folder: Substring, _ feeds: [Feed], _ ids: inout UniqueIDs
    ) -> ForeignConversation {
        let thread = String(folder.split(separator: "/").last ?? "chat")
        let title = head.title ?? (head.participants.isEmpty ? thread : head.participants.joined(separator: ", "))
        let name = Slug.of(title)
        let id = ids.take(name.isEmpty ? "chat" : name)
        return ForeignConversation(
            id: id, title: title == id ? nil : title, members: head.participants, aliases: thread == id ? [] : [thread],
            feeds: feeds, order: .byKey)
    }
}

/// How the messages of a file stand in it.
struct MessengerSetting {
    /// The number of the file: the newest is 1.
    var number = 1
    var isOldestFirst = false
    var isEncrypted = false

    init(number: Int, isOldestFirst: Bool, isEncrypted: Bool) {
        (self.number, self.isOldestFirst, self.isEncrypted) = (number, isOldestFirst, isEncrypted)
    }

    init(_ text: String) {
        let words = text.split(separator: " ")
        number = words.first.flatMap { Int($0) } ?? 1
        (isOldestFirst, isEncrypted) = (words.contains("oldest"), words.contains("encrypted"))
    }

    var text: String { "\(number)" + (isOldestFirst ? " oldest" : "") + (isEncrypted ? " encrypted" : "") }
}

/// The fields of a file of messages beside its messages: the title and the participants of the chat.
struct MessengerHead {
    /// The names of the people.
    private(set) var participants: [String] = []
    private(set) var title: String?
    /// The byte after the bracket of the messages.
    let start: Int64
    /// Whether the file is one of the export of end-to-end encrypted chats, whose texts are written as they are.
    let isEncrypted: Bool
    /// Whether the oldest message stands first, as other programs write the format.
    private(set) var isOldestFirst = false

    private static let sample = 64 << 10

    /// 2 for `message_2.json` or `message_2.html`. No chat has a million files.
    static func number(of file: SourceFile) -> Int? {
        guard file.name.hasPrefix("message_") else { return nil }
        return Int(file.name.prefix { $0 != "." }.dropFirst(8)).flatMap { (0..<1_000_000).contains($0) ? $0 : nil }
    }

    /// Nil if it is no such file.
    init?(_ file: SourceFile, in source: Source) {
        guard let head = try? source.read(file, count: MessengerHead.sample) else { return nil }
        let offset = max(0, file.size - Int64(MessengerHead.sample))
        let tail = (try? source.read(file, at: offset, count: MessengerHead.sample)) ?? []
        let tree = JSONTree()
        let found = head.withUnsafeBytes { bytes -> (start: Int, isEncrypted: Bool)? in
            guard let key = bytes.place(after: "\"messages\""), let start = bytes.rest(after: key, mark: "["),
                bytes.place(after: "\"participants\"") != nil
                    || tail.withUnsafeBytes({ $0.place(after: "\"participants\"") }) != nil
            else { return nil }
            let isEncrypted = bytes.place(after: "\"senderName\"") != nil
            guard isEncrypted || bytes.place(after: "\"sender_name\"") != nil || MessengerHead.number(of: file) != nil
            else { return nil }
            return (start, isEncrypted)
        }
        guard let found else { return nil }
        (start, isEncrypted) = (Int64(found.start), found.isEncrypted)
        head.withUnsafeBytes { head in
            tail.withUnsafeBytes { tail in
                participants = MessengerHead.people(head, tree)
                if participants.isEmpty { participants = MessengerHead.people(tail, tree) }
                title = isEncrypted ? MessengerHead.threadName(head, tail, tree) : MessengerHead.title(tail, tree)
                let key: StaticString = isEncrypted ? "\"timestamp\"" : "\"timestamp_ms\""
                let first = MessengerHead.times(head, key).first
                let last = MessengerHead.times(tail, key).last
                if let first, let last { isOldestFirst = first < last }
            }
        }
    }

    /// The numbers that follow a key, from the first to the last.
    private static func times(_ bytes: Bytes, _ key: StaticString) -> [Int64] {
        var (at, found) = (0, [Int64]())
        while let place = bytes.offset(of: key, from: at) {
            at = place + key.utf8CodeUnitCount
            let digits = bytes[at...].prefix { $0 == 0x3A || $0 <= 0x20 || (48...57).contains($0) }.filter {
                $0 >= 48 && $0 < 58
            }
            if let number = Int64(String(decoding: digits, as: UTF8.self)) { found.append(number) }
        }
        return found
    }

    /// `Ben` for `"threadName": "Ben_1"`
    private static func threadName(_ head: Bytes, _ tail: Bytes, _ tree: JSONTree) -> String? {
        let name = title(head, tree, key: "\"threadName\"") ?? title(tail, tree, key: "\"threadName\"")
        guard let name, let end = name.lastIndex(of: "_"), end > name.startIndex,
            name[end...].dropFirst().allSatisfy(\.isNumber)
        else { return name }
        return String(name[..<end])
    }

    private static func people(_ bytes: Bytes, _ tree: JSONTree) -> [String] {
        guard let key = bytes.place(after: "\"participants\""), let start = bytes.rest(after: key, mark: "[") else {
            return []
        }
        var names = MessengerHead.strings(bytes, start, tree)
        var splitter = RecordSplitter(Bytes(rebasing: bytes[start...]), isEnd: false)
        while case .record(let range)? = splitter.next() {
            guard
                let record = tree.parse(
                    Bytes(rebasing: bytes[(start + range.lowerBound)..<(start + range.upperBound)])),
                let name = record["name"]?.bytes
            else { continue }
            names.append(String(decoding: MessengerText.decoded(name), as: UTF8.self))
        }
        return names
    }

    /// The participants as strings.
    private static func strings(_ bytes: Bytes, _ start: Int, _ tree: JSONTree) -> [String] {
        guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "]")),
            let list = tree.parse(Bytes(rebasing: bytes[(start - 1)...end]))
        else { return [] }
        return list.elements.compactMap(\.string)
    }

    /// The last title in the bytes: a message can hold one too.
    private static func title(_ bytes: Bytes, _ tree: JSONTree, key title: StaticString = "\"title\"") -> String? {
        var (at, found) = (0, String?.none)
        while let key = Bytes(rebasing: bytes[at...]).place(after: title) {
            at += key
            guard let start = bytes.rest(after: at, mark: "\"") else { continue }
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
                end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
            }
            guard end < bytes.count else { break }
            let array = [UInt8(ascii: "[")] + bytes[(start - 1)...end] + [UInt8(ascii: "]")]
            found = array.withUnsafeBytes { array in
                tree.parse(array)?.elements.first(where: \.isString)?.bytes
                    .map { String(decoding: MessengerText.decoded($0), as: UTF8.self) }
            }
        }
        return found.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension UnsafeRawBufferPointer {
    /// The place after the first occurrence of a text.
    fileprivate func place(after text: StaticString) -> Int? {
        let length = text.utf8CodeUnitCount
        guard count >= length else { return nil }
        let first = text.utf8Start[0]
        return (0...(count - length))
            .first { self[$0] == first && Bytes(rebasing: self[$0..<($0 + length)]) == text }
            .map { $0 + length }
    }

    /// The place after a colon and a mark, with blanks between them; nil for anything else.
    fileprivate func rest(after start: Int, mark: Unicode.Scalar) -> Int? {
        var at = start
        var hasColon = false
        while at < count {
            switch self[at] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): break
            case UInt8(ascii: ":") where !hasColon: hasColon = true
            case UInt8(ascii: mark) where hasColon: return at + 1
            default: return nil
            }
            at += 1
        }
        return nil
    }
}

/// Texts of Messenger and Instagram.
enum MessengerText {
    /// The text whose bytes of UTF-8 were each written as a character. Text that was not written so stays as it is.
    static func decoded(_ text: Bytes) -> [UInt8] {
        guard text.contains(where: { $0 >= 0x80 }) else { return Array(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var at = 0
        while at < text.count {
            let byte = text[at]
            if byte < 0x80 {
                bytes.append(byte)
                at += 1
            } else if byte == 0xC2 || byte == 0xC3, at + 1 < text.count {
                bytes.append((byte & 3) << 6 | text[at + 1] & 0x3F)
                at += 2
            } else {
                // A character beyond U+00FF.
                return Array(text)
            }
        }
        let isUTF8 = bytes.withUnsafeBytes {
            csj_is_utf8($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
        }
        return isUTF8 ? bytes : Array(text)
    }

    /// The same without controls.
    static func shown(_ text: Bytes) -> [UInt8] {
        var bytes = decoded(text)
        bytes.removeAll { $0 < 32 && $0 != 9 && $0 != 10 || $0 == 127 }
        return bytes
    }
}
