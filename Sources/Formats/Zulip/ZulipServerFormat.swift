internal import Files
internal import Dates
internal import JSON

/// An organization's export from a Zulip server: the tables of its database, as JSON.
///
///     realm.json                  zerver_userprofile, zerver_stream, zerver_recipient, zerver_subscription, zerver_reaction
///     messages-000001.json        {"zerver_message":[{"id","sender","recipient","subject","content","rendered_content","date_sent",
///                                 "last_edit_time","edit_history"}],"zerver_usermessage":[…]}, a thousand messages each
///     uploads/2/ab/boat.png       what a message calls /user_uploads/2/ab/boat.png
///
/// Facts (zulip/zulip, zerver/lib/export.py): a recipient is a person (type 1), a channel (2) or a group (3), by `type_id`; times
/// are in seconds. Exports for one person, and exports made by importers, have the reactions in the files of messages.
///
/// A topic is a thread, as in `ZulipFormat`: its first message is the root, and shows the name of the topic.
struct ZulipServerFormat: Format {
    let id = "zulip-export"
    let name = "Zulip export"

    func recognise(_ source: Source) -> Recognition {
        if ZulipServerFormat.messages(in: source).contains(where: {
            ZulipServerFormat.holds("zerver_message", $0, source)
        }) {
            return .certain
        }
        let hasRealm = source.candidates(".json").contains {
            $0.name == "realm.json" && ZulipServerFormat.holds("zerver_", $0, source)
        }
        return hasRealm ? .unsure("a Zulip export without its files of messages (messages-000001.json)") : .no
    }

    private static func messages(in source: Source) -> [SourceFile] {
        source.files.filter { file in
            source.isFile
                || file.name.hasPrefix("messages-") && (file.name.hasSuffix(".json") || file.name.hasSuffix(".partial"))
        }
    }

    private static func holds(_ key: String, _ file: SourceFile, _ source: Source) -> Bool {
        guard let head = try? source.read(file, count: 4 << 10), head.first(where: { $0 > 0x20 }) == UInt8(ascii: "{")
        else {
            return false
        }
        return head.offset(of: "\"\(key)") != nil
    }

    func archive(in source: Source) throws(FileError) -> ForeignArchive {
        let tables = ZulipTables()
        for file in source.candidates(".json") where file.name == "realm.json" { try tables.read(file, in: source) }
        for file in ZulipServerFormat.messages(in: source) { try tables.readMessages(file, in: source) }
        return tables.archive()
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        ArrayConverter(write: ZulipServerMessages(feed, context.names).write)
    }

    func needle(of id: String, in feed: Feed) -> [UInt8]? { Array(id.utf8) }
}

/// The tables of an export.
private final class ZulipTables {
    private var realm = ""
    private var people: [Int64: String] = [:]
    private var streams: [Int64: (name: String, topic: String)] = [:]
    private var recipients: [Int64: (type: Int64, target: Int64)] = [:]
    private var members: [Int64: [Int64]] = [:]
    private var reactions: [Int64: [(emoji: String, person: Int64)]] = [:]
    private var reactionCount = 0
    private var conversations: [Key: Conversation] = [:]
    private var problems: [ForeignProblem] = []

    private static let mostReactions = 200_000
    /// The error for a message that belongs to no conversation.
    private static let lost = "message without an ID or a recipient"

    private enum Key: Hashable {
        case stream(Int64), group(Int64)
        /// Two people, the smaller number first.
        case pair(Int64, Int64)
    }

    private struct Conversation {
        /// The recipients of its messages; for a pair, each with the sender that belongs to it.
        var filters: Set<String> = []
        /// The first message of each topic.
        var roots: [String: Int64] = [:]
        var feeds: [(file: String, start: Int64, topics: Set<String>, reactions: [String])] = []
    }

    func read(_ file: SourceFile, in source: Source) throws(FileError) {
        func table(_ name: String, _ body: @escaping (JSONValue) -> Void) throws(FileError) {
            let found = try source.forEachRecord(of: file, under: name) {
                body($0)
                return nil
            }
            problems += found?.problems ?? []
        }
        try table("zerver_realm") { self.realm = $0["name"]?.string ?? "" }
        for name in ["zerver_userprofile_crossrealm", "zerver_userprofile_mirrordummy", "zerver_userprofile"] {
            try table(name) { user in
                guard let id = user["id"]?.integer else { return }
                self.people[id] = (user["full_name"] ?? user["delivery_email"] ?? user["email"])?.string ?? "\(id)"
            }
        }
        try table("zerver_stream") { stream in
            guard let id = stream["id"]?.integer, let name = stream["name"]?.string else { return }
            self.streams[id] = (name, stream["description"]?.string ?? "")
        }
        try table("zerver_recipient") { recipient in
            guard let id = recipient["id"]?.integer, let type = recipient["type"]?.integer,
                let target = recipient["type_id"]?.integer
            else { return }
            self.recipients[id] = (type, target)
        }
        for name in ["zerver_subscription", "zerver_huddle_subscription"] {
            try table(name) { row in
                guard let recipient = row["recipient"]?.integer, let person = row["user_profile"]?.integer else {
                    return
                }
                self.members[recipient, default: []].append(person)
            }
        }
        try table("zerver_reaction") { self.read(reaction: $0) }
    }

    private func read(reaction: JSONValue) {
        guard let message = reaction["message"]?.integer, let person = reaction["user_profile"]?.integer else { return }
        reactionCount += 1
        guard reactionCount <= ZulipTables.mostReactions else { return }
        let name = reaction["emoji_name"]?.string ?? ""
        let isUnicode = reaction["reaction_type"]?.bytes.map { $0 == "unicode_emoji" } ?? true
        let code = isUnicode ? reaction["emoji_code"]?.bytes.flatMap { EmojiScalars.decoded($0) } : nil
        var emoji = code ?? []
        let words = Array(":\(name):".utf8)
        if emoji.isEmpty, isUnicode { words.withUnsafeBytes { ShortCodes.append($0, to: &emoji) } }
        if emoji.isEmpty { emoji = words }
        reactions[message, default: []].append((String(decoding: emoji, as: UTF8.self), person))
    }

    func readMessages(_ file: SourceFile, in source: Source) throws(FileError) {
        let reactions = try source.forEachRecord(of: file, under: "zerver_reaction") {
            self.read(reaction: $0)
            return nil
        }
        problems += reactions?.problems ?? []
        var places: [Key: Int] = [:]
        let found = try source.forEachRecord(of: file, under: "zerver_message") { message in
            guard let id = message["id"]?.integer, let recipient = message["recipient"]?.integer else {
                return ZulipTables.lost
            }
            let sender = message["sender"]?.integer ?? 0
            let (key, filter) = self.key(recipient, sender)
            let place = places[key] ?? self.conversations[key]?.feeds.count ?? 0
            if places[key] == nil {
                places[key] = place
                self.conversations[key, default: Conversation()].feeds.append((file.path, 0, [], []))
            }
            self.conversations[key]?.filters.insert(filter)
            if case .stream = key {
                let topic = message["subject"]?.string ?? ""
                let root = self.conversations[key]?.roots[topic] ?? .max
                if id < root { self.conversations[key]?.roots[topic] = id }
                self.conversations[key]?.feeds[place].topics.insert(topic)
            }
            for (emoji, person) in self.reactions[id] ?? [] {
                self.conversations[key]?.feeds[place].reactions.append("r\(id) \(person) \(emoji)")
            }
            return nil
        }
        guard let found else {
            return problems.append(ForeignProblem(file: file.path, kind: "the file holds no messages"))
        }
        // Other errors in the file are reported by the converters of its conversations.
        problems += found.problems.filter { places.isEmpty || $0.kind == ZulipTables.lost }
        for (key, place) in places { conversations[key]?.feeds[place].start = found.start }
    }

    private func key(_ recipient: Int64, _ sender: Int64) -> (Key, String) {
        switch recipients[recipient] {
        case (type: 1, target: let person)?:
            (.pair(min(person, sender), max(person, sender)), "\(recipient):\(sender)")
        case (type: 2, target: let stream)?: (.stream(stream), "\(recipient)")
        default: (.group(recipient), "\(recipient)")
        }
    }

    func archive() -> ForeignArchive {
        if reactionCount > ZulipTables.mostReactions {
            problems.append(
                ForeignProblem(file: "realm.json", kind: "reactions beyond \(ZulipTables.mostReactions) are left out"))
        }
        var list = ConversationList()
        let sorted = conversations.map { (title: title($0.key), key: $0.key, conversation: $0.value) }
            .sorted { ($0.title.text, $0.title.place) < ($1.title.text, $1.title.place) }
        for (title, _, conversation) in sorted {
            let feeds = conversation.feeds.enumerated().map { rank, feed in
                let roots = feed.topics.sorted().map {
                    "t\(conversation.roots[$0] ?? 0) \($0.replacing("\n", with: " "))"
                }
                let lines = [conversation.filters.sorted().joined(separator: " ")] + roots + feed.reactions
                return Feed(file: feed.file, start: feed.start, setting: lines.joined(separator: "\n"), rank: rank)
            }
            list.add(
                title: title.text, place: title.place, aliases: title.aliases, members: title.members.map { "\($0)" },
                topic: title.topic.isEmpty ? nil : title.topic, feeds: feeds, order: .byKey)
        }
        return ForeignArchive(
            name: realm.isEmpty ? nil : realm,
            people: people.map { ForeignPerson(id: "\($0.key)", name: $0.value) }.sorted { $0.id < $1.id },
            conversations: list.conversations, problems: problems)
    }

    private struct Title {
        var text: String
        var place: String
        var topic = ""
        var aliases: [String] = []
        var members: [Int64] = []
    }

    private func title(_ key: Key) -> Title {
        func names(_ people: [Int64]) -> String { people.map { self.people[$0] ?? "\($0)" }.joined(separator: ", ") }
        switch key {
        case .stream(let id):
            return Title(
                text: "#" + (streams[id]?.name ?? "channel \(id)"), place: "\(id)", topic: streams[id]?.topic ?? "",
                aliases: [ZulipName.alias("\(id)")])
        case .pair(let one, let other):
            let people = one == other ? [one] : [one, other]
            return Title(text: names(people), place: "\(one) \(other)", members: people)
        case .group(let recipient):
            let people = (members[recipient] ?? []).sorted()
            return Title(
                text: people.isEmpty ? "group \(recipient)" : names(people), place: "\(recipient)", members: people)
        }
    }
}

/// Converts the messages of one conversation. A file contains the messages of many.
private final class ZulipServerMessages {
    private let names: ForeignNames
    private var filters: Set<String> = []
    private var roots: [String: Int64] = [:]
    private var reactions: [Int64: Reactions] = [:]
    private var text = ZulipText()

    init(_ feed: Feed, _ names: ForeignNames) {
        self.names = names
        let folder = feed.folder
        text.uploads = (folder.isEmpty ? "" : folder + "/") + "uploads/"
        let lines = feed.setting.split(separator: "\n", omittingEmptySubsequences: false)
        filters = Set((lines.first ?? "").split(separator: " ").map(String.init))
        for line in lines.dropFirst() {
            let words = line.dropFirst().split(
                separator: " ", maxSplits: line.hasPrefix("t") ? 1 : 2, omittingEmptySubsequences: false)
            guard let id = words.first.flatMap({ Int64($0) }) else { continue }
            if line.hasPrefix("t") {
                roots[words.count > 1 ? String(words[1]) : ""] = id
            } else if words.count == 3 {
                reactions[id, default: Reactions()].add(String(words[2]), by: String(words[1]))
            }
        }
    }

    func write(_ record: JSONValue, into writer: inout RecordWriter) -> String? {
        let (recipient, sender) = (record["recipient"]?.integer ?? 0, record["sender"]?.integer ?? 0)
        guard filters.contains("\(recipient)") || filters.contains("\(recipient):\(sender)") else { return nil }
        guard let id = record["id"]?.integer, id > 0 else { return "message without an ID" }
        guard let time = record["date_sent"]?.number, time >= 0, time < 253_402_300_800 else {
            return "message without a time"
        }
        writer.message(id: "\(id)", at: Timestamp(milliseconds: Int64((time * 1_000).rounded())), key: id)
        if sender > 0 { writer.text("from", "\(sender)") }
        if let html = record["rendered_content"]?.bytes, !html.isEmpty {
            text.read(html)
        } else {
            text.read(markdown: record["content"]?.bytes ?? .empty)
        }
        var isNotice = false
        "\(sender)".utf8.withContiguousStorageIfAvailable { digits in
            isNotice = names.person(Bytes(digits)).map { $0.elementsEqual("Notification Bot".utf8) } ?? false
        }
        let topic = record["subject"]?.string?.replacing("\n", with: " ") ?? ""
        let root = topic.isEmpty ? nil : roots[topic].flatMap { $0 > 0 ? $0 : nil }
        text.write(id, root: root, label: root == id ? ZulipText.label(topic) : [], isNotice: isNotice, to: &writer)
        if record["last_edit_time"].map({ !$0.isNull }) == true
            || record["edit_history"]?.bytes?.offset(of: "prev_content") != nil
        {
            writer.flag("edited")
        }
        writer.reactions(reactions[id]?.list ?? [])
        let problem = writer.endMessage()
        return record["content"]?.bytes?.isEmpty == false ? problem : nil
    }
}
