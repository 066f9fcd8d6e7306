/// The last rows of a segment whose words are written.
package struct WordProgress: Equatable, Sendable, BitwiseCopyable {
    /// The row for the words of messages and edits.
    package var messages: Int64
    /// The row for the effects of edits and deletions on their messages.
    package var edits: Int64

    package init(messages: Int64 = 0, edits: Int64 = 0) { (self.messages, self.edits) = (messages, edits) }
}
