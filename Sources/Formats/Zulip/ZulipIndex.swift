internal import Files
internal import JSON
/// The channels and topics that `stream_index.json` lists.
struct ZulipIndex {
    /// By number. A renamed channel is listed under each of its names; the newest comes last.
    private var channels: [Int64: [Channel]] = [:]

    private struct Channel {
        let name: String
        /// The ID of the newest message.
        let latest: Int64
        /// The time of the newest message of each topic.
        var topics: [String: Int64] = [:]
    }

    /// Orders the files of one channel, the newest last.
    struct Age: Comparable {
        /// The newest message of the channel under the name of the folder, and the time of the topic's newest message.
        var (channel, topic) = (Int64(-1), Int64(-1))

        static func < (one: Age, other: Age) -> Bool { (one.channel, one.topic) < (other.channel, other.topic) }
    }

    /// The latest name of the channel with this number.
    func name(of number: Int64) -> String? { channels[number]?.last?.name }

    /// The age of a file in a folder; nil if the index does not list it.
    func age(of topic: String, in folder: some StringProtocol, _ number: Int64) -> Age? {
        let name = ZulipName.decoded(folder.drop { $0 != "-" }.dropFirst())
        guard let channel = channels[number]?.last(where: { $0.name.replacing(" ", with: "-") == name }),
            let time = channel.topics[topic]
        else { return nil }
        return Age(channel: channel.latest, topic: time)
    }

    static let name = "stream_index.json"

    static func isIndex(_ file: SourceFile, in source: Source) -> Bool {
        guard file.name == name, let head = try? source.read(file, count: 64 << 10) else { return false }
        return ["\"streams\"", "\"latest_id\"", "\"topic_data\""].allSatisfy {
            head.offset(of: $0) != nil
        }
    }

    /// Nil for a file that is not valid.
    init?(_ file: SourceFile, in source: Source) throws(FileError) {
        let bytes = try source.whole(file)
        let padded = bytes + [UInt8](repeating: 0, count: 64)
        let tree = JSONTree()
        let isValid = padded.withUnsafeBytes { padded -> Bool in
            let start = padded.starts(with: "\u{FEFF}") ? 3 : 0
            guard let value = tree.parse(Bytes(rebasing: padded[start..<bytes.count]), padding: 64),
                let streams = value["streams"], streams.isObject
            else { return false }
            streams.forEachField { name, stream in
                add(stream, name.string)
                return true
            }
            return true
        }
        guard isValid else { return nil }
    }

    private mutating func add(_ stream: JSONValue, _ name: String) {
        guard let id = stream["id"]?.integer else { return }
        var channel = Channel(name: name, latest: stream["latest_id"]?.integer ?? 0)
        stream["topic_data"]?.forEachField { topic, data in
            channel.topics[topic.string] = data["latest_date"]?.integer ?? 0
            return true
        }
        channels[id, default: []].append(channel)
        channels[id]?.sort { $0.latest < $1.latest }
    }
}

/// Names of channels and topics, in file names and links.
enum ZulipName {
    /// `stream events` for `stream.20events`. A "." in the name is `.2E`.
    static func decoded(_ text: some StringProtocol) -> String {
        String(percentDecoding: String(text).replacing(".", with: "%"))
    }

    /// `213222` for `213222-general`; nil without a number before a hyphen.
    static func number(of text: some StringProtocol) -> Int64? {
        let digits = text.prefix { $0 != "-" }
        return digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(digits) : nil
    }

    /// The alias of a channel in links. The bare number might also be a chat of another service.
    static func alias(_ number: some StringProtocol) -> String { "stream-" + number }

    /// The name of a topic without the mark of resolved topics.
    static func unresolved(_ topic: String) -> Substring {
        topic.unicodeScalars.starts(with: "✔ ".unicodeScalars)
            ? Substring(topic.unicodeScalars.dropFirst(2)) : topic[...]
    }
}

/// The facts about a topic that its converter needs.
struct ZulipSetting {
    let topic: String
    /// The first message of the topic, if it may be in another file; nil if it is the first one of this file.
    let root: Int64?

    init(topic: String, root: Int64? = nil) {
        (self.topic, self.root) = (topic, root)
    }

    init(_ text: String) {
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        root = parts.first.flatMap { Int64($0) }
        topic = parts.count == 2 ? String(parts[1]) : ""
    }

    var text: String { (root.map { "\($0)" } ?? "") + "\n" + topic }
}
