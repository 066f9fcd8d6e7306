package import Formats
package import Messages

/// Posts as the archive's records write them, but for the time: milliseconds since 1970.
extension Post {
    /// JSON.
    package var relayed: String {
        var text = ""
        func add(_ key: String, _ value: String?) {
            if let value { text += ",\"\(key)\":\(JSONString.text(value))" }
        }
        add("id", id.rawValue)
        text += ",\"at\":\(at.milliseconds)"
        add("from", sender.rawValue)
        let type: String
        switch content {
        case .message(let body, let replyTo, let thread):
            type = "message"
            add("text", body)
            add("replyTo", replyTo?.rawValue)
            add("thread", thread?.rawValue)
        case .edit(let target, let body):
            type = "edit"
            add("target", target.rawValue)
            add("text", body)
        case .deletion(let target):
            type = "delete"
            add("target", target.rawValue)
        case .reaction(let target, let emoji, let isRemoved):
            type = "reaction"
            add("target", target.rawValue)
            add("emoji", emoji)
            if isRemoved { text += ",\"removed\":true" }
        }
        add("seen", seen)
        if isAction { text += ",\"kind\":\"action\"" }
        return "{\"type\":\"\(type)\"\(text)}"
    }

    /// Nil if the value is no post.
    package init?(relayed value: JSONValue) {
        guard let id = value.message("id"), let at = value["at"]?.integer,
            let sender = value["from"]?.string, let content = Content(relayed: value)
        else { return nil }
        self.init(
            id: id, at: Timestamp(milliseconds: at), sender: PersonID(sender), content: content,
            isAction: value["kind"]?.string == "action", seen: value["seen"]?.string)
    }
}

extension Post.Content {
    fileprivate init?(relayed value: JSONValue) {
        switch value["type"]?.string {
        case "message":
            guard let text = value["text"]?.string else { return nil }
            self = .message(text: text, replyTo: value.message("replyTo"), thread: value.message("thread"))
        case "edit":
            guard let target = value.message("target"), let text = value["text"]?.string else { return nil }
            self = .edit(target, text: text)
        case "delete":
            guard let target = value.message("target") else { return nil }
            self = .deletion(target)
        case "reaction":
            guard let target = value.message("target"), let emoji = value["emoji"]?.string else { return nil }
            self = .reaction(target, emoji: emoji, isRemoved: value["removed"]?.isTrue == true)
        default: return nil
        }
    }
}
