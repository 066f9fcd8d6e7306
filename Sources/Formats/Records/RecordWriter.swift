package import Dates
internal import Glibc

/// Writes native records: JSON lines as `Archive` reads them.
///
///     writer.message(id: id, at: time)
///     writer.text("from", sender)
///     writer.text("text", text)
///     writer.end()
///
/// Fields stand in any order after the first two. Text need not be valid UTF-8: what is not becomes U+FFFD.
package struct RecordWriter: ~Copyable {
    private var buffer = RecordBuffer()
    /// The people that records named, with their latest names.
    package private(set) var people: [ForeignPerson] = []
    package private(set) var problems: [ForeignProblem] = []
    /// The records so far.
    package private(set) var count = 0
    /// For each record, where its line begins and the key by which it is ordered. Kept only if `keepsKeys`.
    package private(set) var keys: [(key: Int64, start: Int)] = []
    /// Set by a converter that meets something for which its feed needs another setting, which only a look at all records could
    /// have told before: the conversation is then made again with this one.
    package var betterSetting: String?
    /// Whether the message that was begun shows nothing so far: no text, no file, no deletion.
    private(set) var isBlank = false
    /// An empty text of the record: it is written at the end, unless another one comes.
    private var emptyText: [UInt8]?
    private let keepsKeys: Bool
    private var known: Set<UInt64> = []
    /// Hashes of those that were noted last, each at its place: most messages are by people who have just spoken.
    private var recent = [UInt64](repeating: 0, count: 256)
    private var clock = ClockWriter()

    /// - Parameter keepsKeys: whether the records will be ordered by their keys.
    package init(keepsKeys: Bool = false) { self.keepsKeys = keepsKeys }

    /// A copy of the lines so far.
    package var lines: [UInt8] { buffer.bytes }

    // MARK: - Records

    /// Begins a message.
    /// - Parameters:
    ///   - id: the service's own ID; not empty.
    ///   - key: its place among the records of its conversation, where that is ordered by keys.
    package mutating func message(id: Bytes, at: Timestamp, key: Int64 = 0) {
        begin("{\"type\":\"message\",\"id\":", id, at, key)
    }

    package mutating func message(id: [UInt8], at: Timestamp, key: Int64 = 0) {
        id.withUnsafeBytes { message(id: $0, at: at, key: key) }
    }

    package mutating func message(id: String, at: Timestamp, key: Int64 = 0) {
        var id = id
        id.withUTF8 { message(id: Bytes($0), at: at, key: key) }
    }

    /// Begins a new text of a message that an earlier record holds. Fields: `from`, `text`.
    package mutating func edit(id: Bytes, of target: Bytes, at: Timestamp, key: Int64 = 0) {
        begin("{\"type\":\"edit\",\"id\":", id, at, key)
        text("target", target)
    }

    /// Begins the deletion of a message that an earlier record holds. Fields: `from`; `by` for anybody else who may.
    package mutating func delete(id: Bytes, of target: Bytes, at: Timestamp, key: Int64 = 0) {
        begin("{\"type\":\"delete\",\"id\":", id, at, key)
        text("target", target)
    }

    /// Begins a reaction to a message that an earlier record holds. Fields: `from`, `emoji`, the flag `removed`.
    package mutating func reaction(id: Bytes, to target: Bytes, at: Timestamp, key: Int64 = 0) {
        begin("{\"type\":\"reaction\",\"id\":", id, at, key)
        text("target", target)
    }

    /// Ends the record.
    package mutating func end() {
        if let emptyText {
            begin("text")
            emptyText.withUnsafeBytes { string($0) }
        }
        buffer.append(UInt8(ascii: "}"))
        buffer.append(UInt8(ascii: "\n"))
        count += 1
    }

    private mutating func begin(_ head: StaticString, _ id: Bytes, _ at: Timestamp, _ key: Int64) {
        if keepsKeys { keys.append((key, buffer.count)) }
        (isBlank, emptyText) = (true, nil)
        append(head)
        string(id)
        append(",\"at\":\"")
        clock.write(at, to: &buffer)
        buffer.append(UInt8(ascii: "\""))
    }

    // MARK: - Fields

    /// Adds a field with a text.
    package mutating func text(_ name: StaticString, _ value: Bytes) {
        if name.utf8CodeUnitCount == 4, name.utf8Start[0] == UInt8(ascii: "t") {
            guard value.contains(where: { $0 > 0x20 }) else { return emptyText = Array(value) }
            (isBlank, emptyText) = (false, nil)
        }
        begin(name)
        string(value)
    }

    package mutating func text(_ name: StaticString, _ value: [UInt8]) {
        value.withUnsafeBytes { text(name, $0) }
    }

    package mutating func text(_ name: StaticString, _ value: String) {
        var value = value
        value.withUTF8 { text(name, UnsafeRawBufferPointer($0)) }
    }

    /// Adds a list of texts; nothing if there are none.
    package mutating func texts(_ name: StaticString, _ values: [String]) {
        guard !values.isEmpty else { return }
        begin(name)
        for (index, value) in values.enumerated() {
            buffer.append(UInt8(ascii: index == 0 ? "[" : ","))
            string(value)
        }
        buffer.append(UInt8(ascii: "]"))
    }

    /// Adds `"name":true`.
    package mutating func flag(_ name: StaticString) {
        if name.utf8Start[0] == UInt8(ascii: "d") { isBlank = false }
        begin(name)
        append("true")
    }

    /// Adds the files of a message; nothing if there are none.
    package mutating func attachments(_ list: [ForeignAttachment]) {
        guard !list.isEmpty else { return }
        isBlank = false
        begin("attachments")
        for (index, attachment) in list.enumerated() {
            append(index == 0 ? "[{\"name\":" : ",{\"name\":")
            string(attachment.name)
            if let path = attachment.path { field(",\"path\":", path) }
            if let size = attachment.size {
                append(",\"bytes\":")
                buffer.append(Array(String(size).utf8))
            }
            if let address = attachment.address { field(",\"url\":", address) }
            if attachment.isEncrypted { append(",\"encrypted\":true") }
            buffer.append(UInt8(ascii: "}"))
        }
        buffer.append(UInt8(ascii: "]"))
    }

    /// Adds the reactions to a message; nothing if there are none.
    package mutating func reactions(_ list: [ForeignReaction]) {
        guard !list.isEmpty else { return }
        begin("reactions")
        for (index, reaction) in list.enumerated() {
            append(index == 0 ? "[{\"emoji\":" : ",{\"emoji\":")
            string(reaction.emoji)
            append(",\"count\":")
            buffer.append(Array(String(reaction.count).utf8))
            append(",\"people\":[")
            for (place, person) in reaction.people.enumerated() {
                if place > 0 { buffer.append(UInt8(ascii: ",")) }
                string(person)
            }
            append("]}")
        }
        buffer.append(UInt8(ascii: "]"))
    }

    // MARK: - People and problems

    /// Notes the name of a person. Costs little for a name that was noted before.
    package mutating func person(_ id: Bytes, name: Bytes) {
        guard !id.isEmpty, !name.isEmpty else { return }
        let hash = RecordWriter.hash(id, name)
        let place = Int(hash % UInt64(recent.count))
        guard recent[place] != hash else { return }
        recent[place] = hash
        guard known.insert(hash).inserted else { return }
        people.append(ForeignPerson(id: id.string, name: name.string))
    }

    /// Adds the sender of a message and notes the name; nothing for an empty ID.
    /// - Parameter name: nil if the ID is the name.
    package mutating func sender(_ id: [UInt8], name: [UInt8]? = nil) {
        guard !id.isEmpty else { return }
        text("from", id)
        id.withUnsafeBytes { id in
            if let name { name.withUnsafeBytes { person(id, name: $0) } } else { person(id, name: id) }
        }
    }

    package mutating func problem(_ problem: ForeignProblem) { problems.append(problem) }

    /// Corrects the places of the problems after the first `count`, which a converter found in text that was decoded.
    mutating func move(problemsFrom count: Int, _ byte: (Int64) -> Int64) {
        for index in problems.indices.dropFirst(count) {
            guard case .byte(let place)? = problems[index].place else { continue }
            problems[index] = ForeignProblem(
                file: problems[index].file, place: .byte(byte(place)), kind: problems[index].kind)
        }
    }

    /// Takes the lines and keys so far and keeps the rest. The next keys count from the first byte of the next lines.
    package mutating func take() -> (lines: [UInt8], keys: [(key: Int64, start: Int)]) {
        defer {
            buffer.removeAll()
            keys.removeAll(keepingCapacity: true)
        }
        return (lines, keys)
    }

    /// Takes the people and problems so far.
    package mutating func takeFindings() -> (people: [ForeignPerson], problems: [ForeignProblem]) {
        defer { (people, problems) = ([], []) }
        return (people, problems)
    }

    private static func hash(_ id: Bytes, _ name: Bytes) -> UInt64 {
        var hash = LineHash()
        hash.add(id)
        hash.add(name)
        return hash.value
    }

    // MARK: - Bytes

    private mutating func begin(_ name: StaticString) {
        append(",\"")
        append(name)
        append("\":")
    }

    private mutating func field(_ begin: StaticString, _ value: String) {
        append(begin)
        string(value)
    }

    private mutating func append(_ text: StaticString) {
        buffer.append(text)
    }

    private mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { string(UnsafeRawBufferPointer($0)) }
    }

    private mutating func string(_ bytes: Bytes) { buffer.append(quoted: bytes) }
}

/// The limits of native records.
package enum Record {
    /// The longest record that is read, in bytes: what is longer is reported and left out.
    package static let longest = 16 << 20
}

/// A file of a message.
package struct ForeignAttachment: Hashable, Sendable {
    package let name: String
    /// The path of its copy in the source; nil if the export has none.
    package let path: String?
    /// In bytes; nil if unknown.
    package let size: Int64?
    /// Where a server has it; nil if unknown.
    package let address: String?
    /// Whether the server has only an encrypted form of it.
    package let isEncrypted: Bool

    package init(
        name: String, path: String? = nil, size: Int64? = nil, address: String? = nil, isEncrypted: Bool = false
    ) {
        self.name = name
        self.path = path
        self.size = size
        self.address = address
        self.isEncrypted = isEncrypted
    }

    /// A file by its address on the web, or by its path from a folder of the source.
    /// - Parameter isEncoded: whether a path has percent signs as an address has.
    init(at address: String, in folder: Substring, isEncoded: Bool = false) {
        let isWeb = address.contains("://")
        let written = isWeb ? String(address.prefix { $0 != "?" }) : address
        let path = isWeb || isEncoded ? String(percentDecoding: written) : written
        self.init(
            name: path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? "file",
            path: isWeb ? nil : Source.inside(path, of: folder), address: isWeb ? address : nil)
    }
}

/// An emoji under a message, as an export counts it.
package struct ForeignReaction: Hashable, Sendable {
    package let emoji: String
    /// May exceed the people that the export names.
    package let count: Int
    /// IDs.
    package let people: [String]

    package init(emoji: String, count: Int, people: [String] = []) {
        self.emoji = emoji
        self.count = count
        self.people = people
    }
}

/// Reactions one by one, counted by emoji.
struct Reactions {
    private var order: [String] = []
    private var people: [String: [String]] = [:]

    mutating func add(_ emoji: String, by person: String) {
        guard !emoji.isEmpty else { return }
        if people[emoji] == nil { order.append(emoji) }
        people[emoji, default: []].append(person)
    }

    var list: [ForeignReaction] {
        order.map { emoji in
            let all = people[emoji] ?? []
            return ForeignReaction(emoji: emoji, count: all.count, people: all.filter { !$0.isEmpty })
        }
    }
}

/// Writes the light marks that Kedge shows, for formats with marks of their own.
enum Marks {
    /// Appends `[label](address)`, on one line. An address that is none of the web, and one whose label holds brackets, stands in
    /// parentheses after the label.
    static func appendLink(_ address: Bytes, label: Bytes, to out: inout [UInt8]) {
        let line = label.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
        if let escaped = LinkAddress.escaped(address),
            !line.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") })
        {
            out.append(UInt8(ascii: "["))
            out += line
            out += Array("](".utf8)
            out += escaped
        } else {
            out += line
            out += Array(" (".utf8)
            out += address
        }
        out.append(UInt8(ascii: ")"))
    }

    /// Appends a block of code between fences, which stand on lines of their own.
    /// - Parameter append: writes the code.
    static func appendFenced(_ code: Bytes, to out: inout [UInt8], _ append: (Bytes, inout [UInt8]) -> Void) {
        beginLine(&out)
        out += Array("```".utf8)
        if code.first != UInt8(ascii: "\n") { out.append(UInt8(ascii: "\n")) }
        append(code, &out)
        beginLine(&out)
        out += Array("```".utf8)
    }

    /// Goes to a new line unless one has just begun. The text begins at `start`.
    static func beginLine(_ out: inout [UInt8], from start: Int = 0) {
        if out.count > start, out.last != UInt8(ascii: "\n") { out.append(UInt8(ascii: "\n")) }
    }

    /// Puts `> ` before each line from `start` on.
    static func quote(_ out: inout [UInt8], from start: Int) {
        guard start < out.count else { return }
        let lines = Array(out[start...])
        out.removeSubrange(start...)
        for (index, line) in lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if index > 0 { out.append(UInt8(ascii: "\n")) }
            out += Array("> ".utf8)
            out += line
        }
    }

    /// Removes blanks and line feeds at the end, back to `start`.
    static func trim(_ out: inout [UInt8], from start: Int) {
        while out.count > start, let last = out.last, last == 0x20 || last == 0x0A || last == 0x0D { out.removeLast() }
    }
}
