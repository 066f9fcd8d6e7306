package import Dates

/// Conversations with assistants: `conversations.json` of the exports of ChatGPT and of Claude, under any name.
///
/// - ChatGPT: `[{"title","create_time","mapping":{ID:{"message":{"id","author":{"role"},"create_time","content":{"content_type",
///   "parts"}},"parent","children"}},"current_node"}]`, times in seconds. The messages form a tree; all of its branches are shown,
///   in the order of the file.
/// - Claude: `[{"uuid","name","chat_messages":[{"uuid","sender","created_at","text","content":[{"type","text"}],"attachments",
///   "files"}]}]`
package struct AssistantFormat: Format {
    package let id = "assistant"
    package let name = "ChatGPT or Claude conversations"

    package init() {}

    private static let sample = 256 << 10

    package func recognise(_ source: Source) -> Recognition {
        source.candidates(".json").contains { AssistantFormat.isExport($0, in: source) } ? .certain : .no
    }

    private static func isExport(_ file: SourceFile, in source: Source) -> Bool {
        guard let head = try? source.read(file, count: sample) else { return false }
        return head.withUnsafeBytes { bytes in
            let start = JSONRecords.start(of: bytes, count: bytes.count)
            guard start > 0, start < bytes.count, bytes[start - 1] == UInt8(ascii: "["),
                bytes[start...].first(where: { $0 > 0x20 }) == UInt8(ascii: "{")
            else { return false }
            let isChatGPT = bytes.offset(of: "\"mapping\"") != nil && bytes.offset(of: "\"children\"") != nil
            return isChatGPT || bytes.offset(of: "\"chat_messages\"") != nil && bytes.offset(of: "\"uuid\"") != nil
        }
    }

    package func archive(in source: Source) throws(SourceError) -> ForeignArchive {
        var archive = ForeignArchive(me: "user", people: [ForeignPerson(id: "user", name: "Me")], conversations: [])
        var ids = UniqueIDs()
        for file in source.candidates(".json") where AssistantFormat.isExport(file, in: source) {
            try AssistantFormat.list(file, in: source, &ids, &archive)
        }
        return archive
    }

    /// Each record of the file is a conversation.
    private static func list(
        _ file: SourceFile, in source: Source, _ ids: inout UniqueIDs, _ archive: inout ForeignArchive
    ) throws(SourceError) {
        let tree = JSONTree()
        var (position, wanted, isFirst) = (Int64(0), 4 << 20, true)
        while position < file.size {
            let bytes = try source.read(file, at: position, count: Int(min(Int64(wanted), file.size - position)))
            guard !bytes.isEmpty else { break }
            let isEnd = position + Int64(bytes.count) >= file.size
            let consumed = bytes.withUnsafeBytes { bytes -> Int in
                let start = isFirst ? JSONRecords.start(of: bytes, count: bytes.count) : 0
                let rest = Bytes(rebasing: bytes[start...])
                var splitter = RecordSplitter(rest, isEnd: isEnd)
                while let piece = splitter.next() {
                    let place = position + Int64(start)
                    switch piece {
                    case .broken(let range, let kind):
                        archive.problems.append(
                            ForeignProblem(file: file.path, place: .byte(place + Int64(range.lowerBound)), kind: kind))
                    case .record(let range):
                        guard let record = tree.parse(Bytes(rebasing: rest[range])) else {
                            archive.problems.append(
                                ForeignProblem(
                                    file: file.path, place: .byte(place + Int64(range.lowerBound)),
                                    kind: "record is not valid JSON"))
                            continue
                        }
                        let title = (record["title"] ?? record["name"])?.string ?? ""
                        let id = ids.take(title: title)
                        archive.conversations.append(
                            ForeignConversation(
                                id: id, title: title == id || title.isEmpty ? nil : title,
                                aliases: [record["id"] ?? record["conversation_id"] ?? record["uuid"]].compactMap {
                                    $0?.string
                                },
                                feeds: [
                                    Feed(
                                        file: file.path, start: place + Int64(range.lowerBound),
                                        end: place + Int64(range.upperBound))
                                ]))
                    }
                }
                return splitter.isArrayEnd ? bytes.count : start + splitter.consumed
            }
            if isEnd { break }
            isFirst = isFirst && consumed == 0
            position += Int64(consumed)
            wanted = consumed == 0 ? wanted * 2 : 4 << 20
        }
    }

    package func converter(
        for feed: Feed, of conversation: ForeignConversation, names: ForeignNames, state: String?, zone: Zone
    ) -> any Converter {
        ArrayConverter(feed, write: AssistantMessages().write)
    }
}

/// Converts one conversation, which is one record.
private final class AssistantMessages {
    private var used: Set<String> = []
    /// The time of the message before, or of the conversation: not every message has one.
    private var last: Timestamp?
    private var problem: String?

    func write(_ record: JSONValue, into writer: inout RecordWriter) -> String? {
        problem = nil
        last = moment(record["create_time"] ?? record["created_at"]) ?? last
        if let messages = record["chat_messages"] {
            for message in messages.elements { write(message, nil, &writer) }
        } else {
            record["mapping"]?.forEachSetField { key, node in
                if let message = node["message"], message.isObject { write(message, key.string, &writer) }
            }
        }
        return problem
    }

    /// Fields that are read, or say nothing of what a message consists of.
    private static let known: Set<String> = [
        "id", "uuid", "author", "sender", "create_time", "created_at", "update_time", "updated_at", "status",
        "end_turn",
        "weight", "metadata", "recipient", "channel", "parent_message_uuid", "text", "content",
    ]

    /// - Parameter key: the ID of its place in the tree.
    private func write(_ message: JSONValue, _ key: String?, _ writer: inout RecordWriter) {
        guard let id = (message["id"] ?? message["uuid"])?.string ?? key, !id.isEmpty else {
            return problem = "message without an ID"
        }
        guard used.insert(id).inserted else { return }
        let role = (message["author"]?["role"] ?? message["sender"])?.string ?? ""
        let text = text(of: message)
        let files = files(of: message)
        // ChatGPT keeps empty messages that nobody saw: the root of the tree, and places of its tools.
        if text.isEmpty, files.isEmpty, message["content"]?["parts"]?.saysSomething == false { return }
        guard let time = moment(message["create_time"] ?? message["created_at"]) ?? last else {
            return problem = "message without a time"
        }
        last = time
        writer.message(id: id, at: time)
        let person = role == "human" || role == "user" ? "user" : role.isEmpty ? "assistant" : role
        writer.text("from", person)
        writer.text("text", text)
        if role == "system" || role == "tool" { writer.text("kind", "system") }
        writer.attachments(files)
        problem = writer.end(message, known: AssistantMessages.known) ?? problem
    }

    private func moment(_ value: JSONValue?) -> Timestamp? {
        if let seconds = value?.number, seconds > 0, seconds < 253_402_300_800 {
            return Timestamp(milliseconds: Int64(seconds * 1_000))
        }
        return value?.bytes.flatMap { DiscordTime.moment($0) }
    }

    private func text(of message: JSONValue) -> String {
        let content = message["content"]
        var parts: [String] = []
        if let list = content?["parts"] ?? content, list.isArray {
            for part in list.elements {
                if let words = part.string ?? (part["text"] ?? part["thinking"])?.string {
                    parts.append(words)
                } else if let type = (part["content_type"] ?? part["type"])?.string {
                    parts.append("[\(type.replacing("_", with: " "))]")
                }
            }
        } else if let words = (content?["text"] ?? content?["result"] ?? content)?.string {
            parts.append(words)
        }
        parts.removeAll(where: \.isEmpty)
        if parts.isEmpty, let content, content["parts"] == nil {
            content.forEachSetField { name, value in
                if !(name == "content_type"), !(name == "language") { value.collectTexts(&parts) }
            }
        }
        return parts.isEmpty ? message["text"]?.string ?? "" : parts.joined(separator: "\n")
    }

    private func files(of message: JSONValue) -> [ForeignAttachment] {
        [message["attachments"], message["files"], message["metadata"]?["attachments"]].flatMap { list in
            list.list.map { file in
                ForeignAttachment(
                    name: (file["file_name"] ?? file["name"])?.string ?? "file",
                    size: (file["file_size"] ?? file["size"])?.integer)
            }
        }
    }
}
