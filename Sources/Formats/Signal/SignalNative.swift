internal import Files
internal import Dates
internal import JSON

/// Signal's own export (since 2026): `main.jsonl`, one object per line, with the items of all chats.
///
/// Facts, from Signal's Backup.proto, whose JSON form the file has: `{"account"}`,
/// `{"recipient":{"id","self"|"contact"|"group"}}` and `{"chat":{"id","recipientId"}}` come before
/// `{"chatItem":{"chatId","authorId","dateSent",…}}`. All numbers of 64 bits are strings. An item contains one of
/// `standardMessage`, `stickerMessage`, `updateMessage` and so on. A quote identifies its message by time.
struct SignalNative {
    private var names: [String: String] = [:]
    private var services: [String: String] = [:]
    private var me: String?
    private var owner = ""
    private var chats: [(id: String, recipient: String, start: Int64?, end: Int64, mentioned: Set<String>)] = []
    private var places: [String: Int] = [:]
    private var members: [String: [String]] = [:]
    private var problems: [ForeignProblem] = []
    private let tree = JSONTree()

    /// True if the file is such an export: the first line is the header, and one of the next lines has an account or a recipient.
    static func isExport(_ head: Bytes) -> Bool {
        head.first == UInt8(ascii: "{")
            && head.firstLine.offset(of: "\"backupTimeMs\"") != nil
    }

    mutating func archive(of file: SourceFile, in source: Source) throws(FileError) -> ForeignArchive {
        try source.forEachLine(of: file) { read($0, $1, file) }
        var ids = UniqueIDs()
        var people = names.filter { members[$0.key] == nil }
        if let me { people[me] = owner.isEmpty ? "Me" : owner }
        let conversations = chats.filter { $0.start != nil }.map { chat in
            let title = chat.recipient == me && me != nil ? "Note to Self" : names[chat.recipient] ?? "chat"
            let mentioned = chat.mentioned.sorted().map { aci in
                "\(aci) \(services[aci].flatMap { people[$0] }?.replacing("\n", with: " ") ?? "somebody")"
            }
            return ForeignConversation(
                titled: title, &ids,
                members: members[chat.recipient].map { $0.compactMap { services[$0] } } ?? [chat.recipient],
                feeds: [
                    Feed(
                        file: file.path, start: chat.start ?? 0, end: chat.end,
                        setting: (["native \(chat.id)"] + mentioned).joined(separator: "\n"))
                ])
        }
        return ForeignArchive(
            me: me, people: people.map { ForeignPerson(id: $0.key, name: $0.value) }.sorted { $0.id < $1.id },
            conversations: conversations, problems: problems)
    }

    private mutating func read(_ line: Bytes, _ offset: Int64, _ file: SourceFile) {
        guard let value = tree.parse(line, padding: 64) else {
            problems.append(ForeignProblem(file: file.path, place: .byte(offset), kind: "record is not valid JSON"))
            return
        }
        if let item = value["chatItem"] {
            readItem(item, offset, offset + Int64(line.count) + 1)
        } else if let recipient = value["recipient"] {
            readRecipient(recipient)
        } else if let chat = value["chat"], let id = chat["id"]?.string, places[id] == nil {
            places[id] = chats.count
            chats.append((id, chat["recipientId"]?.string ?? "", nil, 0, []))
        } else if let account = value["account"] {
            owner = SignalNative.name(account["givenName"], account["familyName"])
        }
    }

    private mutating func readItem(_ item: JSONValue, _ offset: Int64, _ end: Int64) {
        let id = item["chatId"]?.string ?? ""
        if places[id] == nil {
            places[id] = chats.count
            chats.append((id, "", nil, 0, []))
        }
        guard let place = places[id] else { return }
        if chats[place].start == nil { chats[place].start = offset }
        chats[place].end = end
        for range in (item["standardMessage"]?["text"]?["bodyRanges"]).list {
            if let person = range["mentionAci"]?.string { chats[place].mentioned.insert(person) }
        }
    }

    private mutating func readRecipient(_ recipient: JSONValue) {
        guard let id = recipient["id"]?.string else { return }
        if recipient["self"] != nil {
            me = id
        } else if let contact = recipient["contact"] {
            let nickname = contact["nickname"]
            let found = [
                SignalNative.name(nickname?["given"], nickname?["family"]),
                SignalNative.name(contact["systemGivenName"], contact["systemFamilyName"]),
                SignalNative.name(contact["profileGivenName"], contact["profileFamilyName"]),
                contact["username"]?.string ?? "",
            ].first { !$0.isEmpty }
            names[id] = found ?? "Somebody without a name"
            if let service = contact["aci"]?.string { services[service] = id }
        } else if let group = recipient["group"] {
            let snapshot = group["snapshot"]
            names[id] = snapshot?["title"]?["title"]?.string ?? snapshot?["title"]?.string ?? "Group"
            members[id] = (snapshot?["members"]).list.compactMap { $0["userId"]?.string }
        } else if recipient["releaseNotes"] != nil {
            names[id] = "Signal"
        } else if let list = recipient["distributionList"] {
            names[id] = list["distributionList"]?["name"]?.string ?? "My story"
        }
    }

    private static func name(_ given: JSONValue?, _ family: JSONValue?) -> String {
        [given?.string ?? "", family?.string ?? ""].joined(by: " ")
    }
}

/// Converts the items of one chat of Signal's own export.
final class SignalItems {
    private let chat: String
    private var mentioned: [String: String] = [:]
    private var times = SignalTimes()

    init(_ feed: Feed) {
        let lines = feed.setting.split(separator: "\n")
        chat = String(lines.first?.dropFirst("native ".utf8.count) ?? "")
        for line in lines.dropFirst() {
            guard let mark = line.firstIndex(of: " ") else { continue }
            mentioned[String(line[..<mark])] = String(line[mark...].dropFirst())
        }
    }

    /// A text that every line with an item of the chat contains.
    var mark: String { chat.isEmpty ? "\"chatItem\"" : "\"\(chat)\"" }

    /// Fields that Kedge reads, and fields without content.
    private static let known: Set<String> = [
        "chatId", "authorId", "dateSent", "incoming", "outgoing", "directionless", "expireStartDate", "expiresInMs",
        "sms", "revisions", "pinDetails",
    ]

    private static func number(_ value: JSONValue?) -> Int64? {
        (value?.integer ?? value?.string.flatMap { Int64($0) }).flatMap(SignalTimes.valid)
    }

    func write(_ line: JSONValue, into writer: inout RecordWriter) -> String? {
        guard let item = line["chatItem"], item["chatId"]?.string ?? "" == chat else { return nil }
        guard let time = SignalItems.number(item["dateSent"]) else { return "message without a time" }
        writer.message(id: times.next(time), at: Timestamp(milliseconds: time))
        if let author = item["authorId"]?.bytes, !author.isEmpty { writer.text("from", author) }
        if item["remoteDeletedMessage"] != nil || item["adminDeletedMessage"] != nil {
            writer.flag("deleted")
        } else if let update = item["updateMessage"] {
            writer.text("kind", "system")
            writer.text("text", SignalItems.words(of: update))
        } else {
            content(of: item, &writer)
        }
        if item["revisions"]?.saysSomething == true { writer.flag("edited") }
        return writer.end(item, known: SignalItems.known)
    }

    private func content(of item: JSONValue, _ writer: inout RecordWriter) {
        let message =
            [
                item["standardMessage"], item["stickerMessage"], item["contactMessage"], item["viewOnceMessage"],
                item["directStoryReplyMessage"], item["poll"], item["paymentNotification"], item["giftBadge"],
            ].lazy.compactMap { $0 }.first ?? item
        var lines: [String] = []
        if item["stickerMessage"] != nil {
            lines.append([message["sticker"]?["emoji"]?.string ?? "", "Sticker"].joined(by: " "))
        }
        if item["viewOnceMessage"] != nil { lines.append("View-once media") }
        if item["giftBadge"] != nil { lines.append("Gift badge") }
        if item["paymentNotification"] != nil {
            let amount = message["amountMob"]?.string.map { "\($0) MOB" } ?? ""
            lines.append(["Payment", amount, message["note"]?.string ?? ""].joined(by: ", "))
        }
        if let contact = item["contactMessage"]?["contact"] {
            // Old files have a list. The telephone number is never shown.
            let person = contact.elements.first { $0.isObject } ?? contact
            let name = person["name"]
            let words = ["givenName", "middleName", "familyName"] as [StaticString]
            lines.append(["Contact", words.map { name?[$0]?.string ?? "" }.joined(by: " ")].joined(by: ": "))
        }
        if item["poll"] != nil {
            lines.append("Poll: \(message["question"]?.string ?? "")")
            for option in message["options"].list {
                let votes = option["votes"].list.reduce(0) { count, _ in count + 1 }
                lines.append("- \(option["option"]?.string ?? ""): \(votes == 1 ? "1 vote" : "\(votes) votes")")
            }
        }
        if item["directStoryReplyMessage"] != nil {
            lines.append(["Reply to a story", message["emoji"]?.string ?? ""].joined(by: ": "))
        }
        let text = self.text(message["text"] ?? message["textReply"]?["text"])
        if !text.isEmpty { lines.append(text) }
        for preview in message["linkPreview"].list {
            if let url = preview["url"]?.string, !text.contains(url) { lines.append(url) }
        }
        writer.text("text", lines.joined(separator: "\n"))
        if let quoted = SignalItems.number(message["quote"]?["targetSentTimestamp"]), quoted > 0 {
            writer.text("replyTo", String(quoted))
        }
        writer.attachments(files(message))
        writer.reactions(reactions(message))
    }

    /// The text, with a name instead of each U+FFFC, which Signal writes for a mention.
    private func text(_ value: JSONValue?) -> String {
        guard let body = (value?["body"] ?? value)?.string else { return "" }
        let ranges = (value?["bodyRanges"]).list
        let people = ranges.filter { $0["mentionAci"]?.isString == true }
            .sorted { $0["start"]?.integer ?? 0 < $1["start"]?.integer ?? 0 }
            .map { mentioned[$0["mentionAci"]?.string ?? ""] ?? "somebody" }
        guard !people.isEmpty else { return body }
        var rest = people[...]
        return body.unicodeScalars.reduce(into: "") { text, scalar in
            if scalar == "\u{FFFC}", let person = rest.popFirst() {
                text += "@" + person
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    private func files(_ message: JSONValue) -> [ForeignAttachment] {
        let single = message["attachment"].map { [$0] } ?? []
        return ((message["attachments"]?.elements).map(Array.init) ?? single).map { file in
            let pointer = file["pointer"] ?? file
            let type = pointer["contentType"]?.string ?? "file"
            let isVoice = file["flag"]?.string == "VOICE_MESSAGE"
            return ForeignAttachment(
                name: pointer["fileName"]?.string.flatMap { $0.isEmpty ? nil : $0 }
                    ?? (isVoice ? "Voice message" : type),
                size: SignalItems.number(pointer["locatorInfo"]?["size"] ?? pointer["size"]))
        }
    }

    private func reactions(_ message: JSONValue) -> [ForeignReaction] {
        var reactions = Reactions()
        for reaction in message["reactions"].list {
            reactions.add(reaction["emoji"]?.string ?? "", by: reaction["authorId"]?.string ?? "")
        }
        return reactions.list
    }

    /// `Identity update` for `{"simpleUpdate":{"type":"IDENTITY_UPDATE"}}`; other kinds of updates are named by the keys of their
    /// objects.
    private static func words(of update: JSONValue) -> String {
        var found: [String] = []
        update.forEachSetField { name, value in
            if name == "simpleUpdate", let type = value["type"]?.string {
                found.append(type.lowercased().replacing("_", with: " "))
            } else if name == "groupChange" {
                for change in value["updates"].list {
                    change.forEachSetField { name, _ in found.append(spaced(name.string)) }
                }
            } else if name == "individualCall" {
                let kind = value["type"]?.string == "VIDEO_CALL" ? "video call" : "call"
                found.append(value["state"]?.string?.hasPrefix("MISSED") == true ? "missed \(kind)" : kind)
            } else if name == "profileChange" {
                let names = [value["previousName"]?.string ?? "", value["newName"]?.string ?? ""]
                found.append("new name: \(names.joined(separator: " → "))")
            } else {
                found.append(spaced(name.string))
            }
        }
        let text = found.isEmpty ? "event" : found.joined(separator: ", ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// `expiration timer change` for `expirationTimerChange`
    private static func spaced(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
    }
}
