internal import Files
internal import Dates
internal import JSON

/// Conversations with assistants: `conversations.json` from the exports of ChatGPT and Claude. The file may have any name.
///
/// - ChatGPT: `[{"title","create_time","mapping":{ID:{"message":{"id","author":{"role"},"create_time","content":{"content_type",
///   "parts"}},"parent","children"}},"current_node"}]`, times in seconds. The messages form a tree; all of its branches are shown,
///   in the order of the file.
/// - Claude: `[{"uuid","name","chat_messages":[{"uuid","sender","created_at","text","content":[{"type","text"}],"attachments",
///   "files"}]}]`. An attachment has its text in `extracted_content`, and a tool what it was given in `input`.
struct AssistantFormat: Format {
    let id = "assistant"
    let name = "ChatGPT or Claude conversations"
    let version = 2

    private static let sample = 256 << 10

    func recognise(_ source: Source) -> Recognition {
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

    func archive(in source: Source) throws(FileError) -> ForeignArchive {
        var archive = ForeignArchive(me: "user", people: [ForeignPerson(id: "user", name: "Me")], conversations: [])
        var ids = UniqueIDs()
        for file in source.candidates(".json") where AssistantFormat.isExport(file, in: source) {
            // Each record of the file is a conversation.
            let lister = ArrayConverter { record, writer in
                let alias = (record["id"] ?? record["conversation_id"] ?? record["uuid"])?.string
                archive.conversations.append(
                    ForeignConversation(
                        titled: (record["title"] ?? record["name"])?.string ?? "", &ids,
                        aliases: [alias].compactMap { $0 },
                        feeds: [Feed(file: file.path, start: writer.place.lowerBound, end: writer.place.upperBound)]))
                return nil
            }
            let problems = try source.pass(file, through: lister)
            archive.problems += problems
        }
        return archive
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        ArrayConverter(write: AssistantMessages().write)
    }
}

/// Converts one conversation, which is a single record.
private final class AssistantMessages {
    private var used: Set<String> = []
    /// The time of the message before, or of the conversation, for messages without a time.
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

    /// Fields that Kedge reads, and fields without content.
    private static let known: Set<String> = [
        "id", "uuid", "author", "sender", "create_time", "created_at", "update_time", "updated_at", "status",
        "end_turn", "weight", "metadata", "recipient", "channel", "parent_message_uuid", "text", "content",
    ]

    /// - Parameter key: the ID of the message's node in the tree.
    private func write(_ message: JSONValue, _ key: String?, _ writer: inout RecordWriter) {
        guard let id = (message["id"] ?? message["uuid"])?.string ?? key, !id.isEmpty else {
            return problem = "message without an ID"
        }
        guard used.insert(id).inserted else { return }
        let role = (message["author"]?["role"] ?? message["sender"])?.string ?? ""
        let text = text(of: message)
        let files = files(of: message)
        // ChatGPT keeps empty messages that nobody saw: the root of the tree, and nodes of its tools.
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
                    for value in [part["input"], part["content"]] { value?.collectTexts(&parts) }
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
        if parts.isEmpty, let words = message["text"]?.string, !words.isEmpty { parts.append(words) }
        // Claude writes the text of a pasted file only here.
        for file in message["attachments"].list { file["extracted_content"]?.collectTexts(&parts) }
        return parts.joined(separator: "\n")
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
