internal import Formats
package import Messages

/// A search that the server is to make.
package struct RelaySearch: Hashable, Sendable {
    package let words: String
    /// Nil for all rooms.
    package let conversation: ConversationID?
    package let limit: Int
    /// The token of the page before; nil for the first one.
    package let next: String?

    package init(_ words: String, in conversation: ConversationID? = nil, limit: Int, next: String? = nil) {
        (self.words, self.conversation, self.limit, self.next) = (words, conversation, limit, next)
    }

    /// The fields of a JSON object.
    var fields: String {
        let conversation = conversation.map { ",\"conversation\":\(JSONString.text($0.rawValue))" } ?? ""
        let next = next.map { ",\"next\":\(JSONString.text($0))" } ?? ""
        return "\"words\":\(JSONString.text(words))\(conversation),\"limit\":\(limit)\(next)"
    }

    /// Nil if the value is no search.
    init?(relayed value: JSONValue) {
        guard let words = value["words"]?.string, !words.isEmpty, let limit = value.count("limit"), limit > 0,
            value["conversation"] == nil || value.conversation != nil
        else { return nil }
        self.init(words, in: value.conversation, limit: limit, next: value["next"]?.string)
    }
}
