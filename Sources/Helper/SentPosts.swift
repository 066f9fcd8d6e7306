package import Files
internal import Formats
internal import JSON
package import Messages

/// The events that posts became, newest last: in a file, because the next process needs them as well until the logs hold the echoes.
///
///     {"id":"01J…","event":"$a"}
///     {"id":"01J…","event":"$b","room":"!r","target":"$a","emoji":"👍"}
///     {"id":"01J…","event":"$c","room":"!r","target":"$a","emoji":"👍","takes":"$b"}
package struct SentPosts {
    /// Identifies a reaction before it has an event.
    package struct Reaction: Hashable {
        package let room: String
        /// An event.
        package let target: String
        package let emoji: String

        package init(room: String, target: String, emoji: String) {
            (self.room, self.target, self.emoji) = (room, target, emoji)
        }
    }

    /// The last action on a reaction.
    package enum Step: Hashable {
        case sent(String)
        case takenBack(String)
    }

    package struct Entry: Hashable {
        package let id: MessageID
        package let event: String
        package var reaction: Reaction?
        /// The event of the reaction that was taken back.
        package var takes: String?

        package init(id: MessageID, event: String, reaction: Reaction? = nil, takes: String? = nil) {
            (self.id, self.event, self.reaction, self.takes) = (id, event, reaction, takes)
        }
    }

    /// Beyond `most` entries, all but the newest `kept` are dropped.
    private static let most = 5_000
    private static let kept = 1_000

    private let path: String
    private var entries: [Entry] = []
    private var events: [MessageID: String] = [:]
    private var steps: [Reaction: Step] = [:]

    /// - Parameter path: `sent.jsonl` in the folder of the network.
    package init(path: String) throws(FileError) {
        self.path = path
        guard let bytes = try DiskFile.read(path) else { return }
        var found: [Entry] = []
        Lines.forEach(in: bytes) { record in if let entry = Entry(record) { found.append(entry) } }
        for entry in found.suffix(SentPosts.most) { take(entry) }
        // A killed process may have left an incomplete line.
        if bytes.last != 0x0A || found.count > SentPosts.most { shorten() }
    }

    /// The event that a post became; nil if it is not known.
    package func event(of id: MessageID) -> String? { events[id] }

    /// The last action on a reaction; nil if none is known.
    package func step(of reaction: Reaction) -> Step? { steps[reaction] }

    /// Records an entry. If it cannot be written, only this process knows it.
    package mutating func note(_ entry: Entry) {
        take(entry)
        guard entries.count <= SentPosts.most else { return shorten() }
        try? Disk.append(entry.line, to: path)
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
    /// The line with its line feed.
    fileprivate var line: [UInt8] {
        let fields: JSONText = [
            "id": JSONText(id.rawValue), "event": JSONText(event), "room": JSONText(ifAny: reaction?.room),
            "target": JSONText(ifAny: reaction?.target), "emoji": JSONText(ifAny: reaction?.emoji),
            "takes": JSONText(ifAny: takes),
        ]
        return fields.line
    }

    /// Nil if the value is not an entry.
    fileprivate init?(_ value: JSONValue) {
        guard let id = value["id"]?.string, let event = value["event"]?.string else { return nil }
        (self.id, self.event, takes) = (MessageID(id), event, value["takes"]?.string)
        if let room = value["room"]?.string, let target = value["target"]?.string, let emoji = value["emoji"]?.string {
            reaction = SentPosts.Reaction(room: room, target: target, emoji: emoji)
        }
    }
}
