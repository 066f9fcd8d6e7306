/// Up to which rows of a segment its words are there.
package struct WordProgress: Equatable, Sendable {
    /// The words of all messages and edits.
    package var messages: Int64
    /// What edits and deletions make of their messages.
    package var edits: Int64

    package init(messages: Int64 = 0, edits: Int64 = 0) { (self.messages, self.edits) = (messages, edits) }
}
