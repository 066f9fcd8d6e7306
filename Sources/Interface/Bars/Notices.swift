import Display
import Messages

/// A notice in the status line, until the next key.
struct Notices: Sendable {
    var notice: Notice?
    /// The number of the store's problems that have been shown.
    private var knownProblems = 0

    struct Notice: Hashable, Sendable {
        var text: String
        var isWarning = false
        /// The post that the notice is about: the notice goes when the post arrives.
        var post: MessageID?
        /// For a notice of problems, the number of problems that were known before; nil for any other notice.
        var earlierProblems: Int?
        /// The list that could not be loaded: the notice goes when the list arrives.
        var failedList: ListRequest?
        /// Whether the notice says that a search has found nothing: the notice goes when a match comes.
        var isAboutNoMatch = false

        var span: Span { Span(CleanText(text), Style(isWarning ? .warning : .accent)) }
    }

    /// Shows new problems of the store, unless there is a notice of something else.
    mutating func report(_ problems: [String]) {
        let known = notice?.earlierProblems ?? knownProblems
        knownProblems = problems.count
        let new = problems.dropFirst(known)
        guard let first = new.first, notice == nil || notice?.earlierProblems != nil else { return }
        let text = new.count > 1 ? "\(new.count) problems, all in the log: \(first)" : first
        notice = Notice(text: text, isWarning: true, earlierProblems: known)
    }
}
