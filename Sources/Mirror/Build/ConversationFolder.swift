internal import Formats
import Glibc
internal import Messages

/// The folder of a conversation in a mirror, without its segments.
struct ConversationFolder {
    let files: MirrorFiles

    /// Makes the folder with its conversation.json, or brings that up to date.
    /// - Returns: whether it had to write.
    @discardableResult func make(_ conversation: ForeignConversation) throws(StoreError) -> Bool {
        let folder = files.folder(of: conversation.id)
        if MirrorFiles.size(folder) != nil { unlink(folder) }
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
        let path = files.description(of: conversation.id)
        if MirrorFiles.text(path) == text { return false }
        try MirrorFiles.replace(path, by: text)
        return true
    }

    /// Deletes the segments that are none of these: an addition has begun them and not finished, or a stranger has put them there.
    func removeSegments(of id: String, besides numbers: Set<Int>) {
        let folder = files.folder(of: id)
        let kept = Set(numbers.map { files.segment($0, of: id) })
        for name in MirrorFiles.names(in: folder) where name.hasPrefix("messages-") {
            if !kept.contains(folder + "/" + name) { MirrorFiles.remove(folder + "/" + name) }
        }
    }

    /// Deletes the segments of a conversation, the oldest first, so that readers see no gap.
    func clear(_ id: String) {
        let folder = files.folder(of: id)
        for name in MirrorFiles.names(in: folder).sorted()
        where name.hasPrefix("messages-") || name.hasPrefix("making-") {
            MirrorFiles.remove(folder + "/" + name)
        }
    }
}
