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
