import Display
import Messages

/// The line that tells of an event in the status bar, until the next key.
struct Notices: Sendable {
    var notice: Notice?
    /// Problems of the store that were told already.
    private var knownProblems = 0

    struct Notice: Hashable, Sendable {
        let text: String
        var isWarning = false
        /// The post of which it is true until that is there.
        var post: MessageID?
        /// Problems of the store that were known before those of which it tells; nil when it tells of something else.
        var earlierProblems: Int?
        /// The list that could not be loaded: it is true until that is there.
        var failedList: ListRequest?

        var span: Span { Span(CleanText(text), Style(isWarning ? .warning : .accent)) }
    }

    /// Tells of problems of the store that are new, unless another event is told of.
    mutating func report(_ problems: [String]) {
        let known = notice?.earlierProblems ?? knownProblems
        knownProblems = problems.count
        let new = problems.dropFirst(known)
        guard let first = new.first, notice == nil || notice?.earlierProblems != nil else { return }
        let text = new.count > 1 ? "\(new.count) problems, all in the log: \(first)" : first
        notice = Notice(text: text, isWarning: true, earlierProblems: known)
    }
}

extension Model {
    var notice: Notices.Notice? {
        get { notices.notice }
        set { notices.notice = newValue }
    }

    mutating func tell(_ text: String) { notice = Notices.Notice(text: text) }

    mutating func warn(_ text: String) { notice = Notices.Notice(text: text, isWarning: true) }
}
