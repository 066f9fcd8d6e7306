internal import Files
internal import JSON
internal import Dates

/// The data package that Discord sends on request: one folder for each channel, with only the user's own messages.
///
///     account/user.json                 {"id","username","global_name"}
///     messages/index.json               {"123":"general in Tides","124":"Direct Message with ben#0"}
///     messages/c123/channel.json        {"id","type","name","guild":{"id","name"},"recipients":["1","2"]}
///     messages/c123/messages.csv        ID,Timestamp,Contents,Attachments
///     messages/c123/messages.json       [{"ID":1,"Timestamp":"2024-05-06 10:11:12","Contents":"","Attachments":""}], since 2024
///
/// Facts, from programs that read it (seanbreckenridge/discord_data and others): the newest message comes first in older
/// packages, the oldest in later ones; times are UTC; folders are named in the language of the account, and until 2021 without
/// the `c`.
struct DiscordPackageFormat: LogFormat {
    let id = "discord-package"
    let name = "Discord data package"
    let order = ForeignConversation.Order.byKey

    func candidates(_ source: Source) -> [SourceFile] {
        source.isFile ? source.files : source.files.filter { $0.name == "messages.csv" || $0.name == "messages.json" }
    }

    private enum Kind: String { case rows, records }

    func log(of file: SourceFile, in source: Source) -> ForeignLog? {
        guard let (kind, start) = DiscordPackageFormat.kind(of: file, in: source) else { return nil }
        let folder = SourceFile.name(of: String(file.folder))
        let number = folder.drop { $0 == "c" }
        let named = !number.isEmpty && number.utf8.allSatisfy { $0.isDigit } ? String(number) : ""
        let channel = source.file(file.folder.isEmpty ? "channel.json" : file.folder + "/channel.json").flatMap {
            DiscordPackageFormat.read($0, in: source) { value in
                (
                    id: value["id"]?.string ?? "", name: value["name"]?.string ?? "",
                    guild: value["guild"]?["name"]?.string ?? "",
                    people: value["recipients"].list.compactMap(\.string)
                )
            }
        }
        let id = channel?.id ?? named
        var title = [channel?.name ?? "", channel?.guild ?? ""].filter { !$0.isEmpty }.joined(separator: " in ")
        if title.isEmpty, !id.isEmpty,
            let index = source.file(SourceFile.folder(of: String(file.folder)) + "/index.json")
        {
            title = DiscordPackageFormat.read(index, in: source) { DiscordPackageFormat.text($0, key: id) ?? "" } ?? ""
        }
        if title.isEmpty {
            let name = source.isFile ? file.name.prefix { $0 != "." } : source.name[...]
            title = id.isEmpty ? String(name) : "Channel \(id)"
        }
        let place = id.isEmpty ? String(file.folder) : id
        return ForeignLog(
            feed: Feed(file: file.path, start: start, setting: kind.rawValue), title: title, place: place,
            aliases: [id], members: channel?.people ?? [])
    }

    private static func kind(of file: SourceFile, in source: Source) -> (Kind, Int64)? {
        guard let head = try? source.read(file, count: 4 << 10) else { return nil }
        return head.withUnsafeBytes { bytes in
            let rest = Bytes(rebasing: bytes[(bytes.starts(with: "\u{FEFF}") ? 3 : 0)...])
            if rest.starts(with: "ID,Timestamp,Contents") || isRow(rest) { return (.rows, 0) }
            let start = JSONRecords.start(of: bytes)
            let isList = start > 0 && bytes[start - 1] == UInt8(ascii: "[")
            let isPackage = ["\"ID\"", "\"Timestamp\"", "\"Contents\""].allSatisfy { bytes.offset(of: $0) != nil }
            return isList && isPackage ? (.records, Int64(start)) : nil
        }
    }

    /// `747951969171275807,2020-08-25 22:54:05`
    private static func isRow(_ line: Bytes) -> Bool {
        let digits = line.prefix { $0.isDigit }.count
        guard (15...20).contains(digits), line.count > digits + 20, line[digits] == UInt8(ascii: ",") else {
            return false
        }
        let quote = line[digits + 1] == UInt8(ascii: "\"") ? 1 : 0
        var clock = LocalClock(.utc)
        return clock.moment(Bytes(rebasing: line[(digits + 1 + quote)...].prefix(19))) != nil
    }

    func archive(in source: Source) throws(FileError) -> ForeignArchive {
        var archive = listed(in: source)
        for file in source.files where file.name == "user.json" {
            let me = DiscordPackageFormat.read(file, in: source) { user -> ForeignPerson? in
                let name = (user["global_name"] ?? user["username"])?.string ?? user["username"]?.string
                guard let id = user["id"]?.string, let name else { return nil }
                return ForeignPerson(id: id, name: name)
            }
            if let me {
                archive.me = me.id
                archive.people.append(me)
            }
        }
        let sender = archive.me ?? "me"
        if archive.me == nil { (archive.me, archive.people) = (sender, [ForeignPerson(id: sender, name: "Me")]) }
        for index in archive.conversations.indices {
            for feed in archive.conversations[index].feeds.indices {
                archive.conversations[index].feeds[feed].setting += " " + sender
            }
        }
        return archive
    }

    private static func read<Result>(_ file: SourceFile, in source: Source, _ body: (JSONValue) -> Result?) -> Result? {
        guard let bytes = try? source.whole(file, limit: 16 << 20) else { return nil }
        let tree = JSONTree()
        return withExtendedLifetime(tree) { bytes.withUnsafeBytes { tree.parse($0).flatMap(body) } }
    }

    private static func text(_ value: JSONValue, key: String) -> String? {
        var found: String?
        value.forEachField { name, value in
            if name.elementsEqual(key.utf8) { found = value.string }
            return found == nil
        }
        return found
    }

    // MARK: - Records

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        let words = feed.setting.split(separator: " ", maxSplits: 1)
        let sender = Array((words.last ?? "me").utf8)
        guard words.first.flatMap({ Kind(rawValue: String($0)) }) == .rows else {
            return ArrayConverter { record, writer in
                let fields = ["ID", "Timestamp", "Contents", "Attachments"].map { (key: StaticString) -> [UInt8] in
                    let value = record[key]
                    return value?.bytes.map { Array($0) } ?? value?.integer.map { Array(String($0).utf8) } ?? []
                }
                return DiscordPackageFormat.write(fields, sender, context.names, &writer)
            }
        }
        return BlockConverter(isStart: DiscordPackageFormat.isRow) { block, writer in
            let (fields, isAlone) = CSV.read(block, separator: UInt8(ascii: ","))
            guard fields.count >= 3 else { return "row with too few fields" }
            return DiscordPackageFormat.write(fields, sender, context.names, &writer) ?? (isAlone ? nil : CSV.lost)
        }
    }

    /// - Parameter fields: the ID, the time, the text and the addresses of files.
    private static func write(
        _ fields: [[UInt8]], _ sender: [UInt8], _ names: ForeignNames, _ writer: inout RecordWriter
    ) -> String? {
        var clock = LocalClock(.utc)
        guard let key = fields[0].withUnsafeBytes({ DiscordID.number($0) }) else { return "message without an ID" }
        guard let time = fields[1].withUnsafeBytes({ clock.moment($0) }) else { return "message without a time" }
        writer.message(id: fields[0], at: time, key: key)
        writer.text("from", sender)
        var text: [UInt8] = []
        fields[2].withUnsafeBytes { DiscordText(names: names, mentions: nil).append($0, to: &text) }
        writer.text("text", text)
        let addresses = fields.count > 3 ? String(decoding: fields[3], as: UTF8.self) : ""
        writer.attachments(
            addresses.split(whereSeparator: \.isWhitespace).map { ForeignAttachment(at: String($0), in: "") })
        // The package has nothing of a message that is only a sticker.
        if writer.isBlank { writer.text("text", CSV.empty) }
        writer.end()
        return nil
    }
}
