internal import Formats
import Glibc
internal import Messages

/// The folder of a conversation in a mirror, without its segments.
struct ConversationFolder {
    let files: MirrorFiles

    /// Makes the folder with its conversation.json, or brings that up to date.
    func make(_ conversation: ForeignConversation) throws(StoreError) {
        let folder = files.folder(of: conversation.id)
        try MirrorFiles.make(folder: folder)
        var fields = ["\"id\":\(JSONString.text(conversation.id))"]
        if let title = conversation.title { fields.append("\"title\":\(JSONString.text(title))") }
        if let topic = conversation.topic { fields.append("\"topic\":\(JSONString.text(topic))") }
        if !conversation.members.isEmpty {
            fields.append("\"members\":[\(conversation.members.map(JSONString.text).joined(separator: ","))]")
        }
        if !conversation.aliases.isEmpty {
            fields.append("\"aliases\":[\(conversation.aliases.map(JSONString.text).joined(separator: ","))]")
        }
        let text = "{\(fields.joined(separator: ","))}\n"
        let path = folder + "/conversation.json"
        if MirrorFiles.text(path) != text { try MirrorFiles.replace(path, by: text) }
    }

    /// Deletes the segments that an addition has begun and not finished.
    func removeSegments(of id: String, after number: Int) {
        let folder = files.folder(of: id)
        for name in MirrorFiles.names(in: folder) where name.hasPrefix("messages-") && name.hasSuffix(".jsonl") {
            guard let found = Int(name.dropFirst("messages-".count).dropLast(".jsonl".count)), found > number else {
                continue
            }
            unlink(folder + "/" + name)
        }
    }

    /// Deletes the segments of a conversation, the oldest first, so that readers see no gap.
    func clear(_ id: String) {
        let folder = files.folder(of: id)
        for name in MirrorFiles.names(in: folder).sorted()
        where name.hasPrefix("messages-") || name.hasPrefix("making-") {
            unlink(folder + "/" + name)
        }
    }
}
