import Display
import Messages

/// The line that tells of an event in the status bar, until the next key.
struct Notices: Sendable {
    var notice: Notice?
    /// How many problems of the store have been shown.
    private var knownProblems = 0

    struct Notice: Hashable, Sendable {
        let text: String
        var isWarning = false
        /// The post of which it is true until that is there.
        var post: MessageID?
        /// How many problems of the store were known before the ones that it tells of; nil when it tells of something else.
        var earlierProblems: Int?
        /// The list that could not be loaded: it is true until that is there.
        var failedList: ListRequest?

        var span: Span { Span(CleanText(text), Style(isWarning ? .warning : .accent)) }
    }

    /// Shows new problems of the store, unless the line tells of something else.
    mutating func report(_ problems: [String]) {
        let known = notice?.earlierProblems ?? knownProblems
        knownProblems = problems.count
        let new = problems.dropFirst(known)
        guard let first = new.first, notice == nil || notice?.earlierProblems != nil else { return }
        let text = new.count > 1 ? "\(new.count) problems, all in the log: \(first)" : first
        notice = Notice(text: text, isWarning: true, earlierProblems: known)
    }
}
