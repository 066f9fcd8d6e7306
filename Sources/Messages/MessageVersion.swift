/// A text that a message had from some moment on. Its author is that of the message: nobody else can edit it.
package struct MessageVersion: Hashable, Sendable {
    package let at: Timestamp
    package let text: String
    /// Whether it is the text as it was first written. When the store holds only later texts, none is.
    package let isFirst: Bool

    package init(at: Timestamp, text: String, isFirst: Bool) {
        (self.at, self.text, self.isFirst) = (at, text, isFirst)
    }
}
