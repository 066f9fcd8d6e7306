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
