internal import JSON

/// The layout of the messages in a file.
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

/// The fields of a file apart from its messages: the title and the participants of the chat.
struct MessengerHead {
    /// The names of the people.
    private(set) var participants: [String] = []
    private(set) var title: String?
    /// The byte after the bracket of the messages.
    let start: Int64
    /// True for a file from the export of end-to-end encrypted chats, which writes texts as plain UTF-8.
    let isEncrypted: Bool
    /// True if the oldest message comes first, as other programs write the format.
    private(set) var isOldestFirst = false

    private static let sample = 64 << 10

    /// The number: 2 for `message_2.json` or `message_2.html`. No chat has a million files.
    static func number(of file: SourceFile) -> Int? {
        guard file.name.hasPrefix("message_") else { return nil }
        return Int(file.name.prefix { $0 != "." }.dropFirst(8)).flatMap { (0..<1_000_000).contains($0) ? $0 : nil }
    }

    /// Nil if the file is not one of chat messages.
    init?(_ file: SourceFile, in source: Source) {
        guard let head = try? source.read(file, count: MessengerHead.sample) else { return nil }
        let offset = max(0, file.size - Int64(MessengerHead.sample))
        let tail = (try? source.read(file, at: offset, count: MessengerHead.sample)) ?? []
        let tree = JSONTree()
        let found = head.withUnsafeBytes { bytes -> (start: Int, isEncrypted: Bool)? in
            guard let key = bytes.place(after: "\"messages\""), let start = bytes[key...].start(ofValue: "["),
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

    /// The numbers after a key, in the order of the bytes.
    private static func times(_ bytes: Bytes, _ key: StaticString) -> [Int64] {
        var (at, found) = (0, [Int64]())
        while let place = bytes.offset(of: key, from: at) {
            at = place + key.utf8CodeUnitCount
            let digits = bytes[at...].prefix { $0 == 0x3A || $0 <= 0x20 || $0.isDigit }.filter {
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
        guard let key = bytes.place(after: "\"participants\""), let start = bytes[key...].start(ofValue: "[") else {
            return []
        }
        var names = MessengerHead.strings(bytes, start, tree)
        _ = JSONRecords.first(in: Bytes(rebasing: bytes[start...])) { record -> Bool? in
            if let name = record?["name"]?.bytes {
                names.append(String(decoding: MessengerText.decoded(name), as: UTF8.self))
            }
            return nil
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

    /// The last title in the bytes: a message may also contain one.
    private static func title(_ bytes: Bytes, _ tree: JSONTree, key title: StaticString = "\"title\"") -> String? {
        var (at, found) = (0, String?.none)
        while let key = bytes.place(after: title, from: at) {
            at = key
            guard let start = bytes[at...].start(ofValue: "\"") else { continue }
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
    fileprivate func place(after text: StaticString, from start: Int = 0) -> Int? {
        offset(of: text, from: start).map { $0 + text.utf8CodeUnitCount }
    }
}

/// Texts of Messenger and Instagram.
enum MessengerText {
    /// Decodes a text in which each UTF-8 byte was written as a character. Other text is unchanged.
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
                // A character above U+00FF: the text was not encoded this way.
                return Array(text)
            }
        }
        return bytes.withUnsafeBytes(\.isUTF8) ? bytes : Array(text)
    }
}
