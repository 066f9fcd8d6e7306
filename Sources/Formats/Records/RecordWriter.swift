package import Dates
internal import Glibc
package import JSON

/// Writes native records: JSON lines as `Archive` reads them.
///
///     writer.message(id: id, at: time)
///     writer.text("from", sender)
///     writer.text("text", text)
///     writer.end()
///
/// After the first two, fields may come in any order. Text need not be valid UTF-8: invalid bytes become U+FFFD.
package struct RecordWriter: ~Copyable {
    private var buffer = JSONBuffer()
    /// The people that records named, with their latest names.
    package private(set) var people: [ForeignPerson] = []
    package private(set) var problems: [ForeignProblem] = []
    /// The path of the file that is being read, and the bytes of the record that is being converted, for the places of errors.
    var file = ""
    var place: Range<Int64> = 0..<0
    /// The records so far.
    package private(set) var count = 0
    /// For each record: its key, and the place where its line begins. Filled only if `keepsKeys` is true.
    package private(set) var keys: [(key: Int64, start: Int)] = []
    /// Set by a converter that finds, in the middle of its feed, that the setting was wrong. The conversation is then converted
    /// again with this setting.
    package var betterSetting: String?
    /// True if the current message shows nothing so far: no text, file or deletion.
    private(set) var isBlank = false
    /// An empty text for the record. It is written at the end unless another text comes.
    private var emptyText: [UInt8]?
    private let keepsKeys: Bool
    private var known: Set<UInt64> = []
    /// A small cache of people recorded recently, by hash: most messages are by people who have just written.
    private var recent = [UInt64](repeating: 0, count: 256)
    private var clock = ClockWriter()

    /// - Parameter keepsKeys: true if the records will be ordered by their keys.
    package init(keepsKeys: Bool = false) { self.keepsKeys = keepsKeys }

    /// A copy of the lines so far.
    package var lines: [UInt8] { buffer.bytes }

    // MARK: - Records

    /// Begins a message.
    /// - Parameters:
    ///   - id: the service's own ID; not empty.
    ///   - key: its sort key, if the conversation is ordered by keys.
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

    /// Begins an edit of a message in an earlier record. Fields: `from`, `text`.
    package mutating func edit(id: Bytes, of target: Bytes, at: Timestamp, key: Int64 = 0) {
        begin("{\"type\":\"edit\",\"id\":", id, at, key)
        text("target", target)
    }

    /// Begins the deletion of a message in an earlier record. Fields: `from`, or `by` if somebody else deleted it.
    package mutating func delete(id: Bytes, of target: Bytes, at: Timestamp, key: Int64 = 0) {
        begin("{\"type\":\"delete\",\"id\":", id, at, key)
        text("target", target)
    }

    /// Begins a reaction to a message in an earlier record. Fields: `from`, `emoji`, the flag `removed`.
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

    /// Records the name of a person. A name that is already recorded costs little.
    package mutating func person(_ id: Bytes, name: Bytes) {
        guard !id.isEmpty, !name.isEmpty else { return }
        let hash = RecordWriter.hash(id, name)
        let place = Int(hash % UInt64(recent.count))
        guard recent[place] != hash else { return }
        recent[place] = hash
        guard known.insert(hash).inserted else { return }
        people.append(ForeignPerson(id: id.string, name: name.string))
    }

    /// Adds the sender of a message and records the name; does nothing for an empty ID.
    /// - Parameter name: nil if the ID is the name.
    package mutating func sender(_ id: [UInt8], name: [UInt8]? = nil) {
        guard !id.isEmpty else { return }
        text("from", id)
        id.withUnsafeBytes { id in
            if let name { name.withUnsafeBytes { person(id, name: $0) } } else { person(id, name: id) }
        }
    }

    /// Adds a sender who has another name in each message, such as a bridge: the ID gets the name as well.
    mutating func sender(_ id: Bytes, nowNamed name: Bytes) {
        sender(Array(id) + (id.isEmpty ? [] : [UInt8(ascii: ":")]) + Array(name), name: Array(name))
    }

    package mutating func problem(_ problem: ForeignProblem) { problems.append(problem) }

    /// Reports an error in the current record, or at a byte of the file.
    mutating func report(_ kind: String, at offset: Int64? = nil) {
        problems.append(ForeignProblem(file: file, place: .byte(offset ?? place.lowerBound), kind: kind))
    }

    /// Corrects the places of the errors after the first `count`: a converter found them in decoded text.
    mutating func move(problemsFrom count: Int, _ byte: (Int64) -> Int64) {
        for index in problems.indices.dropFirst(count) {
            guard case .byte(let place)? = problems[index].place else { continue }
            problems[index] = ForeignProblem(
                file: problems[index].file, place: .byte(byte(place)), kind: problems[index].kind)
        }
    }

    /// Removes and returns the lines and keys so far. The places of later keys count from the first line after these.
    package mutating func take() -> (lines: [UInt8], keys: [(key: Int64, start: Int)]) {
        defer {
            buffer.removeAll()
            keys.removeAll(keepingCapacity: true)
        }
        return (lines, keys)
    }

    /// Removes and returns the people and errors so far.
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
    /// The longest record that is read, in bytes. Longer records are reported and left out.
    package static let longest = RecordSplitter.longest
    static let tooLong = "record longer than 16 MB"
}

/// A file of a message.
package struct ForeignAttachment: Hashable, Sendable {
    package let name: String
    /// The path of its copy in the source; nil if the export has none.
    package let path: String?
    /// In bytes; nil if unknown.
    package let size: Int64?
    /// The address on a server; nil if unknown.
    package let address: String?
    /// True if the server has only an encrypted copy.
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

    /// A file by its web address, or by its path from a folder of the source.
    /// - Parameter isEncoded: true if a path is percent-encoded, as in an address.
    init(at address: String, in folder: Substring, isEncoded: Bool = false) {
        let isWeb = address.contains("://")
        let written = isWeb ? String(address.prefix { $0 != "?" }) : address
        let path = isWeb || isEncoded ? String(percentDecoding: written) : written
        self.init(
            name: path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? "file",
            path: isWeb ? nil : Source.inside(path, of: folder), address: isWeb ? address : nil)
    }
}

/// A reaction to a message: an emoji with its count.
package struct ForeignReaction: Hashable, Sendable {
    package let emoji: String
    /// The number of people, which may be larger than the list.
    package fileprivate(set) var count: Int
    /// The IDs of the people whom the export names.
    package fileprivate(set) var people: [String]

    package init(emoji: String, count: Int, people: [String] = []) {
        self.emoji = emoji
        self.count = count
        self.people = people
    }
}

/// Reactions, counted by emoji.
struct Reactions {
    private(set) var list: [ForeignReaction] = []
    /// The indices of emoji in the list.
    private var places: [String: Int] = [:]

    init() {}

    /// Counts the reactions of a list.
    init(_ records: JSONValue?, _ read: (JSONValue) -> (emoji: String, person: String)) {
        for record in records.list {
            let (emoji, person) = read(record)
            add(emoji, by: person)
        }
    }

    /// - Parameter person: empty if the export names nobody.
    mutating func add(_ emoji: String, by person: String) {
        guard !emoji.isEmpty else { return }
        let index = place(of: emoji)
        list[index].count += 1
        if !person.isEmpty { list[index].people.append(person) }
    }

    /// - Parameters:
    ///   - count: if it is missing or too low, the people are counted.
    ///   - people: each once.
    mutating func add(_ emoji: String, count: Int, by people: [String]) {
        let count = max(count, people.count)
        guard !emoji.isEmpty, count > 0 else { return }
        let index = place(of: emoji)
        let (sum, isTooMuch) = list[index].count.addingReportingOverflow(count)
        list[index].count = isTooMuch ? .max : sum
        list[index].people += people.filter { !list[index].people.contains($0) }
    }

    private mutating func place(of emoji: String) -> Int {
        if let known = places[emoji] { return known }
        places[emoji] = list.count
        list.append(ForeignReaction(emoji: emoji, count: 0))
        return list.count - 1
    }
}

/// Writes Kedge's markup, for formats with a markup of their own.
enum Marks {
    /// Appends `[label](address)` on one line. If the address is not a web address, or the label contains brackets, the address
    /// is in parentheses after the label.
    static func appendLink(_ address: Bytes, label: Bytes, to out: inout [UInt8]) {
        let hasBracket = label.contains { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
        let escaped = hasBracket ? nil : LinkAddress.escaped(address)
        if escaped != nil { out.append(UInt8(ascii: "[")) }
        let start = out.count
        out += label
        for place in start..<out.count where out[place] == UInt8(ascii: "\n") { out[place] = UInt8(ascii: " ") }
        out.append(escaped == nil ? " (" : "](")
        if let escaped { out += escaped } else { out += address }
        out.append(UInt8(ascii: ")"))
    }

    /// Appends a block of code between fences, each on a separate line.
    /// - Parameter append: writes the code.
    static func appendFenced(_ code: Bytes, to out: inout [UInt8], _ append: (Bytes, inout [UInt8]) -> Void) {
        beginLine(&out)
        out.append("```")
        if code.first != UInt8(ascii: "\n") { out.append(UInt8(ascii: "\n")) }
        append(code, &out)
        beginLine(&out)
        out.append("```")
    }

    /// Appends a text on lines of its own, without trailing blanks; nothing if it is empty.
    static func appendBlock(_ text: [UInt8], isQuote: Bool, to out: inout [UInt8]) {
        var text = text
        trim(&text, from: 0)
        guard !text.isEmpty else { return }
        beginLine(&out)
        let start = out.count
        out += text
        if isQuote { quote(&out, from: start) }
    }

    /// Begins a new line unless the text is at the beginning of one. The text begins at `start`.
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
            out.append("> ")
            out += line
        }
    }

    /// Removes controls other than tabs and line feeds.
    static func removeControls(_ out: inout [UInt8]) {
        out.removeAll { $0 < 32 && $0 != 9 && $0 != 10 || $0 == 127 }
    }

    /// Removes blanks and line feeds at the end, back to `start`.
    static func trim(_ out: inout [UInt8], from start: Int) {
        while out.count > start, let last = out.last, last == 0x20 || last == 0x0A || last == 0x0D { out.removeLast() }
    }
}
