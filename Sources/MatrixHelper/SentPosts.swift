internal import Formats
internal import Glibc
internal import Messages

/// The events that posts became, newest last: in a file, because the next process needs them as well until the logs hold the echoes.
///
///     {"id":"01J…","event":"$a"}
///     {"id":"01J…","event":"$b","room":"!r","target":"$a","emoji":"👍"}
///     {"id":"01J…","event":"$c","room":"!r","target":"$a","emoji":"👍","takes":"$b"}
struct SentPosts {
    /// What a reaction is known by before it has an event.
    struct Reaction: Hashable {
        let room: String
        /// An event.
        let target: String
        let emoji: String
    }

    /// What was done last about a reaction.
    enum Step: Hashable {
        case sent(String)
        case takenBack(String)
    }

    struct Entry: Hashable {
        let id: MessageID
        let event: String
        var reaction: Reaction?
        /// The event of the reaction that was taken back.
        var takes: String?
    }

    /// With more entries than this, only the newest are kept.
    private static let most = 5_000
    private static let kept = 1_000

    private let path: String
    private var entries: [Entry] = []
    private var events: [MessageID: String] = [:]
    private var steps: [Reaction: Step] = [:]

    /// - Parameter path: `matrix/sent.jsonl` in the archive.
    init(path: String) throws(DiskFailure) {
        self.path = path
        guard let bytes = try DiskFile.read(path) else { return }
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        var found: [Entry] = []
        Lines.forEach(in: bytes) { line in if let entry = tree.parse(line).flatMap(Entry.init) { found.append(entry) } }
        for entry in found.suffix(SentPosts.most) { take(entry) }
        // A killed process may have left an incomplete line.
        if bytes.last != 0x0A || found.count > SentPosts.most { shorten() }
    }

    /// Nil if that is not known.
    func event(of id: MessageID) -> String? { events[id] }

    /// Nil if nothing is known of it.
    func step(of reaction: Reaction) -> Step? { steps[reaction] }

    /// What cannot be written is known to this process alone.
    mutating func note(_ entry: Entry) {
        take(entry)
        guard entries.count <= SentPosts.most else { return shorten() }
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        try? DiskFile.append(entry.line, to: file, path)
    }

    private mutating func take(_ entry: Entry) {
        entries.append(entry)
        events[entry.id] = entry.event
        if let reaction = entry.reaction {
            steps[reaction] = entry.takes.map { .takenBack($0) } ?? .sent(entry.event)
        }
    }

    private mutating func shorten() {
        let rest = entries.suffix(SentPosts.kept)
        (entries, events, steps) = ([], [:], [:])
        for entry in rest { take(entry) }
        try? DiskFile.replace(path, with: rest.map(\.line))
    }
}

extension SentPosts.Entry {
    /// With its line feed.
    fileprivate var line: [UInt8] {
        var fields = "\"id\":\(JSONString.text(id.rawValue)),\"event\":\(JSONString.text(event))"
        if let reaction {
            fields += ",\"room\":\(JSONString.text(reaction.room)),\"target\":\(JSONString.text(reaction.target))"
            fields += ",\"emoji\":\(JSONString.text(reaction.emoji))"
        }
        if let takes { fields += ",\"takes\":\(JSONString.text(takes))" }
        return Array("{\(fields)}\n".utf8)
    }

    /// Nil if the value is no entry.
    fileprivate init?(_ value: JSONValue) {
        guard let id = value["id"]?.string, let event = value["event"]?.string else { return nil }
        (self.id, self.event, takes) = (MessageID(id), event, value["takes"]?.string)
        if let room = value["room"]?.string, let target = value["target"]?.string, let emoji = value["emoji"]?.string {
            reaction = SentPosts.Reaction(room: room, target: target, emoji: emoji)
        }
    }
}
