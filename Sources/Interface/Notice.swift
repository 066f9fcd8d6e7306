import Display
import Messages

/// A text in the status line, until the next key.
struct Notice: Hashable, Sendable {
    var text: String
    var isWarning = false
    /// The subject, if something other than a key may end or replace the notice.
    var subject: Subject?

    enum Subject: Hashable, Sendable {
        /// A post that was not sent, until it arrives.
        case post(MessageID)
        /// Problems of the store; with the number of problems that were known before.
        case problems(earlier: Int)
        /// A list that could not be loaded, until it arrives.
        /// - afterKeys: the text after the keys that wait for it: a narrow screen cuts the reason, not the time of the next try.
        case list(ListRequest, afterKeys: String? = nil)
        /// A search that has found nothing, until a match comes.
        case noMatch
        /// The server, until it can be reached again.
        case server
    }

    var span: Span { Span(CleanText(text), Style(isWarning ? .warning : .accent)) }
}
