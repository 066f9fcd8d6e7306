internal import Files
internal import Dates
internal import JSON

/// Merges the exports and dumps of a source. They are added from the oldest to the newest: the newest names and topics are used,
/// and entries with the same service ID are one conversation.
struct SlackArchive {
    private var people: [String: String] = [:]
    private var handles: [String: String] = [:]
    private var problems: [ForeignProblem] = []
    private var entries: [Entry] = []
    /// The entries by their service IDs.
    private var byID: [String: Int] = [:]
    /// The entries without service IDs, and the latest entries with service IDs, by name.
    private var byName: [String: Int] = [:]
    private var name: String?
    private var rank = 0

    private struct Entry {
        var channel: SlackChannel
        var feeds: [Feed] = []
    }

    // MARK: - Exports

    mutating func add(_ export: SlackExport, in source: Source) throws(FileError) {
        let index = try SlackIndex(in: source, folder: export.folder)
        problems += index.problems
        if !index.listsChannels {
            problems.append(
                ForeignProblem(
                    file: export.folder + "channels.json",
                    kind: "is missing: Kedge uses the folder names as channel names"))
        }
        for person in index.people { people[person.id] = person.name }
        handles.merge(index.handles) { $1 }
        name = SlackArchive.workspace(export.folder.isEmpty ? source.name : export.folder) ?? name
        var unlisted = Set(export.days.keys)
        for channel in index.channels {
            let folders = [channel.name, channel.id].filter { !$0.isEmpty && export.days[$0] != nil }
            unlisted.subtract(folders)
            add(channel, folders.flatMap { feeds(of: $0, export) })
        }
        for folder in unlisted.sorted() {
            let named = folder.isEmpty ? source.name : folder
            let isID = SlackArchive.isID(named)
            let channel = SlackChannel(
                kind: isID && named.hasPrefix("D") ? .direct : named.hasPrefix("mpdm-") ? .group : .channel,
                id: isID ? named : "", name: isID && named.hasPrefix("D") ? "" : named)
            add(channel, feeds(of: folder, export))
        }
        rank += 1
    }

    private func feeds(of folder: String, _ export: SlackExport) -> [Feed] {
        let path = folder.isEmpty ? "" : folder + "/"
        let setting =
            export.hasUploads
            ? SlackSetting(storage: .uploads, folder: export.folder + "__uploads/")
            : export.foldersWithFiles.contains(folder)
                ? SlackSetting(storage: .attachments, folder: export.folder + path + "attachments/")
                : SlackSetting(storage: .none, folder: "")
        let text = setting.text
        return (export.days[folder] ?? []).map { Feed(file: $0.path, setting: text, rank: rank) }
    }

    mutating func add(_ dump: SlackDump, in source: Source) {
        let folder = dump.file.folder.isEmpty ? "" : dump.file.folder + "/"
        let copies = folder + dump.id + "/"
        let uploads = folder + "__uploads/"
        let setting =
            source.hasFiles(under: copies)
            ? SlackSetting(storage: .dump, folder: copies)
            : source.hasFiles(under: uploads)
                ? SlackSetting(storage: .uploads, folder: uploads) : SlackSetting(storage: .none, folder: "")
        let kind: SlackChannel.Kind =
            dump.id.hasPrefix("D") ? .direct : dump.name.hasPrefix("mpdm-") ? .group : .channel
        add(
            SlackChannel(kind: kind, id: dump.id, name: dump.name),
            [Feed(file: dump.file.path, start: dump.start, setting: setting.text, rank: rank)])
        rank += 1
    }

    private mutating func add(_ channel: SlackChannel, _ feeds: [Feed]) {
        let place = byID[channel.id] ?? (channel.id.isEmpty ? byName[channel.name] : nil)
        if let place {
            var merged = channel
            if merged.id.isEmpty { merged.id = entries[place].channel.id }
            if merged.members.isEmpty { merged.members = entries[place].channel.members }
            if merged.topic.isEmpty { merged.topic = entries[place].channel.topic }
            if merged.name.isEmpty { merged.name = entries[place].channel.name }
            entries[place].channel = merged
            entries[place].feeds += feeds
            if !merged.name.isEmpty { byName[merged.name] = place }
        } else {
            if !channel.id.isEmpty { byID[channel.id] = entries.count }
            if !channel.name.isEmpty { byName[channel.name] = entries.count }
            entries.append(Entry(channel: channel, feeds: feeds))
        }
    }

    /// `C024BE91L`
    private static func isID(_ name: String) -> Bool {
        guard let first = name.first, "CDG".contains(first), name.utf8.count >= 8 else { return false }
        return name.utf8.allSatisfy { $0.isDigit || (0x41...0x5A).contains($0) }
    }

    /// `Acme` in the folder name `Acme Slack export Jan 1 2020 - Feb 2 2020`, as Slack names its exports.
    private static func workspace(_ folder: String) -> String? {
        let last = folder.split(separator: "/").last ?? ""
        guard let end = last.firstRange(of: " Slack export")?.lowerBound, end > last.startIndex else { return nil }
        return String(last[..<end])
    }

    // MARK: - The archive

    func archive() -> ForeignArchive {
        let me = me
        let listed = people.map { ForeignPerson(id: $0.key, name: $0.value) }.sorted { $0.id < $1.id }
        let names = ForeignNames(people: listed)
        var taken = UniqueIDs()
        // Conversations with names come first, so that a person's name does not take theirs.
        let all = entries.filter { $0.channel.kind == .channel } + entries.filter { $0.channel.kind != .channel }
        let conversations = all.map { entry in
            let id = unique(SlackArchive.typed(typedName(entry.channel, me)), entry.channel, &taken)
            return conversation(id, entry, me, names)
        }
        return ForeignArchive(name: name, me: me, people: listed, conversations: conversations, problems: problems)
    }

    private func conversation(_ id: String, _ entry: Entry, _ me: String?, _ names: ForeignNames) -> ForeignConversation
    {
        let channel = entry.channel
        var topic: [UInt8] = []
        channel.topic.withUnsafeBytes { Mrkdwn(names: names).append($0, to: &topic) }
        var aliases = channel.id.isEmpty || channel.id == id ? [] : [channel.id]
        if channel.kind == .group, !channel.name.isEmpty { aliases.append(channel.name) }
        return ForeignConversation(
            id: id, title: title(channel, me), topic: topic.isEmpty ? nil : String(decoding: topic, as: UTF8.self),
            members: channel.members, aliases: aliases,
            feeds: entry.feeds.sorted {
                (SourceFile.name(of: $0.file), $0.rank, $0.file) < (SourceFile.name(of: $1.file), $1.rank, $1.file)
            }, order: .byKey)
    }

    /// The person who is in all direct messages, if there are several. Exports of one person's messages do not say whose they
    /// are.
    private var me: String? {
        let direct = entries.map(\.channel).filter { $0.kind == .direct && $0.members.count == 2 }
        guard direct.count > 1, var common = direct.first.map({ Set($0.members) }) else { return nil }
        for channel in direct { common.formIntersection(channel.members) }
        return common.count == 1 ? common.first : nil
    }

    private func others(_ channel: SlackChannel, _ me: String?) -> [String] {
        let others = channel.members.filter { $0 != me }
        return others.isEmpty ? channel.members : others
    }

    // MARK: - Names

    private func typedName(_ channel: SlackChannel, _ me: String?) -> String {
        switch channel.kind {
        case .channel: return channel.name
        case .group: return SlackArchive.handles(ofGroup: channel.name).joined(separator: "-")
        case .direct:
            let others = others(channel, me)
            let known = others.compactMap { handles[$0] }
            return known.count == others.count ? known.joined(separator: "-") : channel.id
        }
    }

    /// `ana`, `ben` of `mpdm-ana--ben-1`.
    private static func handles(ofGroup name: String) -> [String] {
        var rest = name[...]
        if rest.hasPrefix("mpdm-") { rest = rest.dropFirst(5) }
        if let dash = rest.lastIndex(of: "-"), rest[dash...].dropFirst().allSatisfy(\.isNumber) { rest = rest[..<dash] }
        return rest.split(separator: "--").map(String.init)
    }

    private func title(_ channel: SlackChannel, _ me: String?) -> String? {
        switch channel.kind {
        case .channel: return channel.name.isEmpty ? nil : "#" + channel.name
        case .direct, .group:
            let names = others(channel, me).compactMap { people[$0] }
            if !names.isEmpty { return names.joined(separator: ", ") }
            let handles = SlackArchive.handles(ofGroup: channel.name)
            return handles.isEmpty ? nil : handles.joined(separator: ", ")
        }
    }

    /// The name without characters that an ID cannot contain.
    private static func typed(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { $0 == "/" || $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? "-" : $0 })
        )
    }

    private func unique(_ name: String, _ channel: SlackChannel, _ taken: inout UniqueIDs) -> String {
        var candidates = name.isEmpty || name == "." || name == ".." ? [] : [name]
        if !channel.id.isEmpty { candidates += name.isEmpty ? [channel.id] : [name + "-" + channel.id, channel.id] }
        return taken.take(candidates, numbered: name)
    }
}

/// Exports of Slack: official exports, and exports and dumps of slackdump.
///
///     index files and the paths of days → SlackArchive → a feed a day → SlackMessage → records by `ts`
///
/// Facts, and where they were seen:
/// - An export is a folder with `channels.json`, `groups.json`, `mpims.json`, `dms.json`, `users.json` or `org_users.json`, any
///   of which may be missing; and, for each conversation, a folder with arrays of messages, `YYYY-MM-DD.json`. (real exports)
/// - `ts` is a decimal number in a string; it is the ID and the order of a message in its conversation. Days may be descending,
///   and replies are in the files of their own days, so records are ordered only by `ts`. (real exports)
/// - `text` is mrkdwn and escapes `&`, `<`, `>`. `blocks` are the richer form; nothing in `rich_text` is escaped. (real exports)
/// - A root has `thread_ts` equal to `ts`; a deleted root with replies has the subtype `tombstone`. (slackdump's fixtures)
/// - slackdump keeps files in `__uploads/<id>/<name>` or `<channel>/attachments/<id>-<name>`, for dumps in `<channel ID>/<id>-<name>`.
///   A dump is `{channel_id, name, thread_ts?, messages}`, with `slackdump_thread_replies` in each root. (slackdump's source:
///   `source/filestorage.go`, `types/conversation.go`)
struct SlackFormat: Format {
    let id = "slack"
    let name = "Slack export"
    let version = 3

    func archive(in source: Source) throws(FileError) -> ForeignArchive {
        var archive = SlackArchive()
        let exports = SlackExport.all(in: source)
        for export in exports { try archive.add(export, in: source) }
        if exports.allSatisfy(\.days.isEmpty) {
            for dump in try SlackDump.all(in: source) { archive.add(dump, in: source) }
        }
        return archive.archive()
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        var message = SlackMessage(names: context.names, setting: SlackSetting(feed.setting))
        return ArrayConverter(mustEnd: true) { record, writer in message.write(record, into: &writer) }
    }

    func needle(of id: String, in feed: Feed) -> [UInt8]? { Array(id.utf8) }

    // MARK: - Recognition

    /// The bytes that are read of a file, and the number of files that are tried in each folder.
    private static let read = 64 << 10
    private static let tried = 4
    /// The most files to check for a dump.
    private static let mostDumps = 64

    /// Paths show which files to read; their contents decide.
    func recognise(_ source: Source) -> Recognition {
        let exports = SlackExport.all(in: source)
        var hasBrokenDays = false
        for export in exports {
            switch SlackFormat.days(of: export, in: source) {
            case true?: return .certain
            case false?: hasBrokenDays = hasBrokenDays || export.hasIndex
            case nil: break
            }
        }
        if SlackFormat.hasDump(source) { return .certain }
        if hasBrokenDays { return .unsure("a Slack export whose day files contain no Slack messages") }
        if let export = exports.first(where: { SlackFormat.isIndex($0, in: source) }) {
            let isWhole = SlackIndex.lists.contains { source.file(export.folder + $0.name) != nil }
            return .unsure(
                isWhole
                    ? "a Slack export without the folders of its channels"
                    : "a Slack export without channels.json and the folders of its channels")
        }
        // A readable database was replaced by dump files before this.
        if source.files.contains(where: { $0.name == "slackdump.sqlite" }) {
            return .unsure("a slackdump archive that cannot be read; try `slackdump convert` to make an export of it")
        }
        return .no
    }

    /// True if the day files contain messages of Slack; nil if they contain nothing.
    private static func days(of export: SlackExport, in source: Source) -> Bool? {
        var answer: Bool?
        for files in export.days.values {
            for file in files.suffix(tried) {
                guard let bytes = try? source.read(file, count: read),
                    let isMessage = holdsMessage(bytes)
                else { continue }
                if isMessage { return true }
                answer = false
            }
        }
        return answer
    }

    /// True if an array begins with a message of Slack; nil for an empty array.
    private static func holdsMessage(_ bytes: [UInt8]) -> Bool? {
        bytes.withUnsafeBytes { bytes in
            let start = JSONRecords.start(of: bytes)
            var isEmpty = true
            // A record with unbalanced quotes swallows those after it, so it only ends with the bytes.
            let found = JSONRecords.first(in: Bytes(rebasing: bytes[start...]), isEnd: true) { record in
                isEmpty = false
                return record.map(isMessage) == true ? true : nil
            }
            return found ?? (isEmpty ? nil : false)
        }
    }

    private static func isMessage(_ record: JSONValue) -> Bool {
        guard let ts = record["ts"]?.bytes, ts.contains(UInt8(ascii: ".")), SlackTime(ts) != nil else { return false }
        return record["text"] != nil || record["user"] != nil || record["type"]?.bytes.map { $0 == "message" } == true
    }

    /// True if the index files are Slack's: other programs also have a `users.json`.
    private static func isIndex(_ export: SlackExport, in source: Source) -> Bool {
        guard export.hasIndex, export.days.isEmpty else { return false }
        for name in SlackIndex.peopleFiles + SlackIndex.lists.map(\.name) {
            guard let file = source.file(export.folder + name), let bytes = try? source.whole(file) else { continue }
            var isSlack = false
            _ = JSONRecords.forEach(in: bytes) { record in
                if let id = record["id"]?.bytes, let first = id.first, "CDGUW".utf8.contains(first), id.count >= 8,
                    id.allSatisfy({ $0.isDigit || (0x41...0x5A).contains($0) })
                {
                    isSlack = true
                }
            }
            if isSlack { return true }
        }
        return false
    }

    private static func hasDump(_ source: Source) -> Bool {
        source.candidates(".json").prefix(mostDumps).contains {
            (try? SlackDump($0, in: source)) != nil
        }
    }
}
