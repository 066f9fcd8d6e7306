import Archive
import Foundation
import Messages

/// A second, very simple reader of the same format: it holds everything in memory and answers each question with a
/// loop. It shares no code with Archive except the types of Messages.
struct NaiveConversation {
    private struct Record {
        let json: [String: Any]
        let cursor: Cursor
        func text(_ key: String) -> String? {
            guard let text = json[key] as? String, !text.isEmpty else { return nil }
            return text
        }

        /// Lines of the same 32 KiB of a file may form a run.
        var presence: Presence? {
            guard text("kind") == "system", thread == nil else { return nil }
            let change: Presence.Change? =
                switch text("presence") {
                case "nick": text("name").map { .nick($0) }
                case let name: ["join": .join, "leave": .leave, "mode": .mode][name ?? ""]
                }
            let place = cursor.token.split(separator: ":").prefix(2).compactMap { Int($0) }
            return change.map { Presence($0, stretch: place[0] << 40 | place[1] / 32_768) }
        }

        /// A message that names itself as the root is in no thread.
        var thread: String? { text("thread").flatMap { $0 == text("id") ? nil : $0 } }
    }

    private(set) var all: [Message] = []
    var mains: [Message] { all.filter { $0.thread == nil || $0.isBroadcast } }

    init(folder: String, names: [String: String]) throws {
        let segments = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasPrefix("messages-") && $0.hasSuffix(".jsonl") }.sorted()
        var records: [Record] = []
        var ids: Set<String> = []
        for (segment, name) in segments.enumerated() {
            let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
            var offset = 0
            for line in data.split(separator: 0x0A, omittingEmptySubsequences: false) {
                let start = offset
                offset += line.count + 1
                guard let json = try? JSONSerialization.jsonObject(with: line) as? [String: Any],
                    let id = json["id"] as? String, !id.isEmpty, let at = json["at"] as? String,
                    Timestamp(iso8601: at) != nil, ids.insert(id).inserted
                else { continue }
                records.append(Record(json: json, cursor: Cursor(token: "\(segment):\(start):\(id)")))
            }
        }
        fold(records, names)
    }

    private mutating func fold(_ records: [Record], _ names: [String: String]) {
        let person = { (id: String) in Person(id: PersonID(id), name: names[id] ?? id) }
        var later: [String: [Record]] = [:]
        var index: [String: Int] = [:]
        var counted: [String: [[String: Any]]] = [:]
        for record in records {
            if let target = record.text("target") ?? record.thread, index[target] != nil {
                later[target, default: []].append(record)
            }
            guard record.text("type") == "message", let id = record.text("id"), let at = record.text("at") else {
                continue
            }
            index[id] = all.count
            let files = (record.json["attachments"] as? [[String: Any]] ?? []).compactMap { file in
                (file["name"] as? String).map {
                    Attachment(name: $0, path: file["path"] as? String, size: (file["bytes"] as? NSNumber)?.int64Value)
                }
            }
            all.append(
                Message(
                    id: MessageID(id), at: Timestamp(iso8601: at) ?? Timestamp(milliseconds: 0),
                    sender: record.text("from").map(person),
                    kind: ["action": Message.Kind.action, "system": .system][record.text("kind") ?? ""] ?? .text,
                    presence: record.presence,
                    text: record.json["text"] as? String ?? "", thread: record.thread.map { MessageID($0) },
                    // A reply without a root before it is shown in the main timeline too.
                    isBroadcast: record.json["broadcast"] as? Bool ?? false
                        || record.thread.map { index[$0] == nil || $0 == id } ?? false,
                    attachments: files, isEdited: record.json["edited"] as? Bool ?? false,
                    isDeleted: record.json["deleted"] as? Bool ?? false, cursor: record.cursor))
            counted[id] = record.json["reactions"] as? [[String: Any]] ?? []
        }
        for position in all.indices {
            let id = all[position].id.rawValue
            apply(later[id] ?? [], to: position, counted[id] ?? [], person)
        }
        for record in records where record.text("type") == "message" {
            guard let reply = record.text("replyTo"), let own = record.text("id").flatMap({ index[$0] }),
                !all[own].isDeleted
            else { continue }
            let content: Quote.Content =
                index[reply].map { target in
                    all[target].isDeleted
                        ? .deleted : .message(sender: all[target].sender, text: String(all[target].text.prefix(1_000)))
                } ?? .missing
            all[own].quote = Quote(id: MessageID(reply), content: content)
        }
    }

    private mutating func apply(
        _ records: [Record], to position: Int, _ counted: [[String: Any]], _ person: (String) -> Person
    ) {
        let author = all[position].sender?.id.rawValue
        var reactions: [(emoji: String, person: String, isThere: Bool)] = []
        var emojis: [String] = []
        var others: [String: Int] = [:]
        for reaction in counted {
            guard let emoji = reaction["emoji"] as? String else { continue }
            let people = reaction["people"] as? [String] ?? []
            for one in people where !reactions.contains(where: { $0.emoji == emoji && $0.person == one }) {
                reactions.append((emoji, one, true))
            }
            others[emoji, default: 0] += max(0, (reaction["count"] as? Int ?? 0) - people.count)
            if !emojis.contains(emoji) { emojis.append(emoji) }
        }
        for record in records {
            let isAuthor = author != nil && record.text("from") == author
            switch record.text("type") {
            case "message":
                all[position].replyCount += 1
                all[position].lastReply = record.text("at").flatMap { Timestamp(iso8601: $0) }
            case "edit" where isAuthor:
                let text = record.json["text"] as? String ?? ""
                let isVoid = text.utf8.allSatisfy { $0 <= 0x20 } && all[position].attachments.isEmpty
                if isVoid || all[position].kind == .system { continue }
                all[position].text = text
                all[position].isEdited = true
            case "delete" where isAuthor || record.text("by") == "mod": all[position].isDeleted = true
            case "reaction":
                guard let from = record.text("from"), let emoji = record.text("emoji") else { continue }
                let isThere = !(record.json["removed"] as? Bool ?? false)
                if let known = reactions.firstIndex(where: { $0.emoji == emoji && $0.person == from }) {
                    reactions[known].isThere = isThere
                } else {
                    reactions.append((emoji, from, isThere))
                    if !isThere { others[emoji] = max(0, (others[emoji] ?? 0) - 1) }
                }
            default: continue
            }
        }
        if all[position].isDeleted {
            all[position].text = ""
            all[position].isEdited = false
            all[position].attachments = []
            return
        }
        for reaction in reactions where !emojis.contains(reaction.emoji) { emojis.append(reaction.emoji) }
        all[position].reactions = emojis.compactMap { emoji in
            let people = reactions.filter { $0.emoji == emoji && $0.isThere }.map { person($0.person) }
            let count = people.count + (others[emoji] ?? 0)
            return count == 0 ? nil : Reaction(emoji: emoji, people: people, count: count)
        }
    }

    /// The units of some messages in a row: the ranges that pages count as one, and never split.
    static func units(_ messages: ArraySlice<Message>) -> [Range<Int>] {
        var units: [Range<Int>] = []
        for index in messages.indices {
            let stretch = messages[index].presence?.stretch
            if stretch != nil, index > messages.startIndex, messages[index - 1].presence?.stretch == stretch {
                units[units.count - 1] = units[units.count - 1].lowerBound..<index + 1
            } else {
                units.append(index..<index + 1)
            }
        }
        return units
    }

    /// A page of these messages of the main timeline.
    func page(_ range: Range<Int>, of mains: [Message], focus: MessageID? = nil) -> Page {
        let shown = Array(mains[range])
        let older: Page.Edge =
            range.lowerBound == 0 ? .end : .more(mains[range.lowerBound].cursor, Neighbour(mains[range.lowerBound - 1]))
        let newer: Page.Edge =
            range.upperBound == mains.count
            ? .end : .more(mains[range.upperBound - 1].cursor, Neighbour(mains[range.upperBound]))
        return Page(
            messages: shown, older: older, newer: newer, focus: focus,
            place: Place(index: range.lowerBound, total: mains.count))
    }
}
