/// A reaction that may be taken back.
package struct MatrixReaction: Hashable, Sendable {
    /// The ID of the message.
    package let target: String
    /// The ID of the person who reacted.
    package let person: String
    package let emoji: String

    package init(target: String, person: String, emoji: String) {
        (self.target, self.person, self.emoji) = (target, person, emoji)
    }

    /// The text for a reaction: the short name of a picture, whose address says nothing (proposal MSC4027).
    static func shown(_ key: String, _ content: JSONValue?) -> String {
        guard key.hasPrefix("mxc://") else { return key }
        let names = [content?["com.beeper.reaction.shortcode"]?.string, content?["shortcode"]?.string]
        guard let name = names.compactMap({ $0?.visibleName }).first else { return "(picture)" }
        return name.hasPrefix(":") && name.hasSuffix(":") && name.utf8.count > 2 ? name : ":\(name):"
    }
}
