import Display
import Foundation
import Messages
import Testing

@testable import Interface

/// A conversation read from its file once more, as plainly as can be, and drawn whole: what a screen must be a slice of.
/// With the program it shares how one message is drawn, and nothing of how messages are found, loaded and placed.
final class ScratchConversation {
    struct Row: Equatable {
        /// Without its margins: as it is, and with the time that a message shows when one has jumped to it.
        let texts: Set<String>
        /// The same as the first row of a screen, which repeats time and sender.
        let firstTexts: Set<String>
        /// Where it begins in the text, whatever the width.
        let place: Int
    }

    private typealias Record = [String: Any]
    private struct Key: Hashable { let index, form, columns: Int }

    /// The newest file, which grows.
    private let path: String
    private let names: [String: String]
    /// The columns of the longest name of a member.
    private let nameColumns: Int?
    private var bytesRead = 0
    private var messages: [Record] = []
    private var position: [String: Int] = [:]
    private var later: [String: [Record]] = [:]
    private var replies: [String: [String]] = [:]
    private var place: [String: Int] = [:]
    private var ids: [String] = []
    /// By place in the main timeline: the forms that the message has had, the newest one last.
    private var forms: [[Entry]] = []
    private var drawn: [Key: [Row]] = [:]
    private var distinct: [Key: [Int]] = [:]

    /// Messages of the main timeline.
    var count: Int { ids.count }

    init(archive: String, conversation: String) throws {
        let folder = "\(archive)/conversations/\(conversation)/"
        path = folder + "messages-000001.jsonl"
        let data = try Data(contentsOf: URL(fileURLWithPath: archive + "/people.json"))
        let people = try JSONSerialization.jsonObject(with: data) as? [Record] ?? []
        names = Dictionary(uniqueKeysWithValues: people.map { (text($0, "id"), text($0, "name")) })
        let about = try Data(contentsOf: URL(fileURLWithPath: folder + "conversation.json"))
        let members = (try JSONSerialization.jsonObject(with: about) as? Record)?["members"] as? [String] ?? []
        nameColumns = members.map { [names] in CleanText(names[$0] ?? $0).columns }.max()
        if let older = FileManager.default.contents(atPath: folder + "messages-000000.jsonl") { try take(older) }
        try readOn()
    }

    /// Takes in what has been written since.
    func readOn() throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        try take(data.dropFirst(bytesRead))
        bytesRead = data.count
    }

    private func take(_ lines: Data) throws {
        var changed: [String] = []
        for line in lines.split(separator: 0x0A) {
            guard let record = try JSONSerialization.jsonObject(with: line) as? Record else { continue }
            changed += take(record)
        }
        var seen: Set<String> = []
        for id in changed where seen.insert(id).inserted { noteForm(of: id) }
    }

    /// The messages that a line says something of.
    private func take(_ record: Record) -> [String] {
        let id = text(record, "id")
        guard text(record, "type") == "message" else {
            let target = text(record, "target")
            later[target, default: []].append(record)
            return [target] + (replies[target] ?? [])
        }
        position[id] = messages.count
        messages.append(record)
        replies[text(record, "replyTo"), default: []].append(id)
        let thread = text(record, "thread")
        if thread.isEmpty || record["broadcast"] as? Bool == true {
            place[id] = ids.count
            ids.append(id)
            forms.append([])
        }
        guard !thread.isEmpty else { return [id] }
        later[thread, default: []].append(record)
        return [id, thread]
    }

    private func noteForm(of id: String) {
        guard let index = place[id] else { return }
        let message = message(id)
        guard let known = forms[index].last else {
            let before = index > 0 ? Neighbour(forms[index - 1][0].message) : nil
            return note(Entry(message, after: before, zone: .utc), of: index)
        }
        if known.message != message { note(Entry(message, replacing: known), of: index) }
        distinct = distinct.filter { $0.key.index != index }
    }
}

extension ScratchConversation {
    /// Above a message that others have written meanwhile, there may be the line of unread messages.
    private func note(_ form: Entry, of index: Int) {
        if !ids[index].hasPrefix("m-") { forms[index].append(form.below(line: true)) }
        forms[index].append(form)
    }
}

// MARK: - What the log says

extension ScratchConversation {
    private func person(_ id: String) -> Person { Person(id: PersonID(id), name: names[id] ?? id) }

    /// The message as all lines together make it.
    private func message(_ id: String) -> Message {
        var message = bare(id)
        let record = messages[position[id] ?? 0]
        let quoted = text(record, "replyTo")
        guard !quoted.isEmpty, !message.isDeleted else { return message }
        var content = Quote.Content.missing
        if position[quoted] != nil {
            let other = bare(quoted)
            content =
                other.isDeleted ? .deleted : .message(sender: other.sender, text: String(other.text.prefix(1_000)))
        }
        message.quote = Quote(id: MessageID(quoted), content: content)
        return message
    }

    /// Without its quote.
    private func bare(_ id: String) -> Message {
        let record = messages[position[id] ?? 0]
        let author = text(record, "from")
        let files = (record["attachments"] as? [Record] ?? []).map {
            Attachment(
                name: text($0, "name"), path: $0["path"] as? String, size: ($0["bytes"] as? NSNumber)?.int64Value)
        }
        var message = Message(
            id: MessageID(id), at: Timestamp(iso8601: text(record, "at")) ?? Timestamp(milliseconds: 0),
            sender: author.isEmpty ? nil : person(author),
            kind: ["action": .action, "system": .system][text(record, "kind")] ?? .text, text: text(record, "text"),
            thread: record["thread"].map { _ in MessageID(text(record, "thread")) },
            isBroadcast: record["broadcast"] as? Bool == true, attachments: files, cursor: Cursor(token: id))
        let lines = later[id] ?? []
        for line in lines where !author.isEmpty && text(line, "from") == author {
            if text(line, "type") == "delete" { message.isDeleted = true }
            // An event was written by nobody.
            guard text(line, "type") == "edit", message.kind != .system else { continue }
            message.text = text(line, "text")
            message.isEdited = true
        }
        let replies = lines.filter { text($0, "type") == "message" }
        message.replyCount = replies.count
        message.lastReply = replies.last.flatMap { Timestamp(iso8601: text($0, "at")) }
        message.reactions = reactions(in: lines)
        if message.isDeleted {
            (message.text, message.isEdited, message.attachments, message.reactions) = ("", false, [], [])
        }
        return message
    }

    private func reactions(in lines: [Record]) -> [Reaction] {
        var emojis: [String] = []
        var people: [String: [(id: String, isThere: Bool)]] = [:]
        for line in lines where text(line, "type") == "reaction" {
            let (emoji, id) = (text(line, "emoji"), text(line, "from"))
            let isThere = line["removed"] as? Bool != true
            if !emojis.contains(emoji) { emojis.append(emoji) }
            if let known = people[emoji]?.firstIndex(where: { $0.id == id }) {
                people[emoji]?[known].isThere = isThere
            } else {
                people[emoji, default: []].append((id, isThere))
            }
        }
        return emojis.compactMap { emoji in
            let there = (people[emoji] ?? []).filter(\.isThere).map { person($0.id) }
            return there.isEmpty ? nil : Reaction(emoji: emoji, people: there)
        }
    }
}

// MARK: - What is asked of it

extension ScratchConversation {
    func entry(_ index: Int, form: Int? = nil) -> Entry { forms[index][form ?? forms[index].count - 1] }

    /// Whether a form says what a message says now.
    func isNewest(_ form: Int, of index: Int) -> Bool { entry(index, form: form).message == entry(index).message }

    /// The rows of dividers above a form of a message.
    func dividers(above index: Int, form: Int) -> Int {
        let entry = entry(index, form: form)
        return (entry.startsDay ? 1 : 0) + (entry.startsUnread ? 1 : 0)
    }

    /// Where a message is shown: for a reply in a thread, where the thread stands; nil for one that is not there.
    func shownPlace(of id: String) -> Int? {
        if let index = place[id] { return index }
        guard let position = position[id] else { return nil }
        if let root = place[text(messages[position], "thread")] { return root }
        let before = messages[..<position].last { place[text($0, "id")] != nil }
        return before.flatMap { place[text($0, "id")] } ?? 0
    }

    func isInTimeline(_ id: String) -> Bool { place[id] != nil }

    func id(_ index: Int) -> String { ids[index] }

    /// The ID of the message that a form of this one quotes.
    func quoted(by index: Int, form: Int) -> String? { entry(index, form: form).message.quote?.id.rawValue }

    func time(of index: Int) -> Timestamp { entry(index).message.at }

    /// Whether other messages speak of one: replies, quotes or a thread.
    func hasReplies(_ index: Int) -> Bool {
        entry(index).message.replyCount > 0 || replies[ids[index]]?.isEmpty == false
    }

    func author(_ index: Int) -> String { entry(index).message.sender?.id.rawValue ?? "" }

    /// The messages in which a word begins so, from the oldest one; nil when replies in threads are among them, which have
    /// no place of their own.
    func hits(_ word: String) -> [Int]? {
        let found = messages.map { text($0, "id") }.filter { isHit(bare($0), word) }
        let places = found.compactMap { place[$0] }
        return places.count == found.count ? places : nil
    }

    func isHit(_ index: Int, _ word: String) -> Bool { isHit(entry(index).message, word) }

    private func isHit(_ message: Message, _ word: String) -> Bool {
        message.text.lowercased().split { !$0.isLetter }.contains { $0.hasPrefix(word) }
    }

    /// The forms of a message that look different at this width, the newest one first.
    func forms(of index: Int, columns: Int) -> [Int] {
        let key = Key(index: index, form: 0, columns: columns)
        if let known = distinct[key] { return known }
        var looks: [[Row]] = []
        var found: [Int] = []
        for form in forms[index].indices.reversed() {
            let rows = rows(of: index, form: form, columns: columns)
            if looks.contains(rows) { continue }
            looks.append(rows)
            found.append(form)
        }
        distinct[key] = found
        return found
    }

    /// How long ago a thread was last replied to is told in years: one moment will do for all of a walk.
    private static let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))

    /// A message as it is drawn at this width.
    func rows(of index: Int, form: Int? = nil, columns: Int) -> [Row] {
        let form = form ?? forms[index].count - 1
        let key = Key(index: index, form: form, columns: columns)
        if let known = drawn[key] { return known }
        let grid = Grid(columns: columns, names: nameColumns)
        let made = MessageRows(forms[index][form], grid: grid)
        let rows = made.rows.enumerated().map { number, row in
            let texts = [false, true].map { isFirst in
                let views = [false, true].map { isAsked in
                    MessageView(
                        forms[index][form], rows: made, grid: grid, isSelected: false,
                        target: isAsked ? forms[index][form].id : nil, query: nil, visible: number..<number,
                        repeatsHead: isFirst, looks: Looks(now: ScratchConversation.now))
                }
                return Set(views.map { Shot.plain($0.line(number).truncated(to: columns - 1).text) })
            }
            return Row(texts: texts[0], firstTexts: texts[1], place: row.place)
        }
        drawn[key] = rows
        return rows
    }
}

private func text(_ record: [String: Any], _ key: String) -> String { record[key] as? String ?? "" }
