/// The fields of a file of messages beside its messages: the title and the participants of the chat.
struct MessengerHead {
    /// The names of the people.
    private(set) var participants: [String] = []
    private(set) var title: String?
    /// The byte after the bracket of the messages.
    let start: Int64

    private static let sample = 64 << 10

    /// Nil if it is no such file.
    init?(_ file: SourceFile, in source: Source) {
        guard let head = try? source.read(file, count: MessengerHead.sample) else { return nil }
        let tree = JSONTree()
        let found = head.withUnsafeBytes { bytes -> (start: Int, people: [String])? in
            guard let start = bytes.place(after: "\"messages\""), bytes.rest(after: start, mark: "[") != nil,
                bytes.place(after: "\"participants\"") != nil
            else { return nil }
            return (bytes.rest(after: start, mark: "[") ?? start, MessengerHead.people(bytes, tree))
        }
        guard let found else { return nil }
        start = Int64(found.start)
        participants = found.people
        let offset = max(0, file.size - Int64(MessengerHead.sample))
        guard let tail = try? source.read(file, at: offset, count: MessengerHead.sample) else { return }
        title = tail.withUnsafeBytes { MessengerHead.title($0, tree) }
    }

    private static func people(_ bytes: Bytes, _ tree: JSONTree) -> [String] {
        guard let key = bytes.place(after: "\"participants\""), let start = bytes.rest(after: key, mark: "[") else {
            return []
        }
        var splitter = RecordSplitter(Bytes(rebasing: bytes[start...]), isEnd: false)
        var names: [String] = []
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

    /// The last title in the bytes: a message can hold one too.
    private static func title(_ bytes: Bytes, _ tree: JSONTree) -> String? {
        var (at, found) = (0, String?.none)
        while let key = Bytes(rebasing: bytes[at...]).place(after: "\"title\"") {
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
