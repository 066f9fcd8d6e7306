import Display
import Messages
import Timeline

/// The bottom line: the last event, or the selected message, and the most useful keys.
struct StatusBar {
    let columns: Int
    let margin: CleanText
    /// The number of new messages in other conversations.
    let newElsewhere: Span?
    /// The number of new messages below the screen: it is never cut.
    let newBelow: Line

    /// - Parameters:
    ///   - message: the last event, or the selected message.
    ///   - marks: the marks of the drafts; nil when a notice takes the room. The last marks are left out if there is no room.
    ///   - least: the columns that the marks leave for the hints.
    ///   - hints: returns the hints that fit into these columns.
    func line(_ message: Span, marks: [Span?]?, leaving least: Int, hints: (_ columns: Int) -> Line) -> Line {
        var left: Line = [Span(margin), message]
        if let marks {
            left = adding([newElsewhere], to: left)
            left = adding(marks, to: left, onlyWhole: true, leaving: newBelow.columns + least + 2)
        }
        left = adding(newBelow, to: left)
        let hints = hints(columns - left.columns - 2)
        return hints.columns > 0 ? left.justified(with: hints, columns: columns) : left.truncated(to: columns)
    }

    func line(asking question: CleanText, isWarning: Bool) -> Line {
        adding([newElsewhere], to: [Span(margin), Span(question, Style(isWarning ? .warning : .accent))])
    }

    /// The line while a text is being written.
    /// - Parameters:
    ///   - status: the last event.
    ///   - hints: returns the hints that fit into these columns.
    func line(writing status: Line, hints: (_ columns: Int) -> Line) -> Line {
        let line = adding(newBelow, to: adding([newElsewhere], to: [Span(margin)] + status))
        return line.justified(with: hints(columns - line.columns - 2), columns: columns)
    }

    /// The line while a word can be completed. The candidates replace the hints.
    func line(offering candidates: Line) -> Line {
        adding(newBelow, to: adding([newElsewhere], to: [Span(margin)] + candidates, onlyWhole: true))
    }

    private func adding(_ badge: Line, to line: Line) -> Line {
        (line.truncated(to: max(0, columns - badge.columns)) + badge).truncated(to: columns)
    }

    /// - Parameters:
    ///   - onlyWhole: true to leave out a part that does not fit; false to cut it.
    ///   - reserved: the columns that the parts leave free, if only whole ones are added.
    private func adding(
        _ parts: [Span?], to line: Line, onlyWhole: Bool = false, leaving reserved: Int = 0
    ) -> Line {
        var line = line
        for part in parts.compactMap(\.self) {
            let gap = line.columns > 2 ? 3 : 0
            if onlyWhole, line.columns + gap + part.text.columns + reserved > columns { continue }
            line.append(Span(CleanText.blanks(gap)))
            line.append(part)
        }
        return line.truncated(to: columns)
    }
}

/// The reports on the screen: a notice in the status line until the next key, the progress of the store, and the state of the
/// connection.
struct Notices: Sendable {
    var notice: Notice?
    var preparation = Preparation()
    /// Nil for an archive without a server, and until the store has reported it.
    var reach: StoreReach?
    /// The number of the store's problems that have been shown.
    private var knownProblems = 0

    /// Shows a change of the connection once, even if a helper reports it several times.
    mutating func note(_ new: StoreReach) {
        switch new {
        case .online: if notice?.subject == .server { notice = nil }
        case .offline(let reason) where new.withoutNumbers != reach?.withoutNumbers:
            notice = Notice(text: "offline: \(reason)", isWarning: true, subject: .server)
        case .offline: break
        }
        reach = new
    }

    /// Shows new problems of the store, unless another notice is shown.
    mutating func report(_ problems: [String]) {
        var known = knownProblems
        var isFree = notice == nil
        if case .problems(let earlier)? = notice?.subject { (known, isFree) = (earlier, true) }
        knownProblems = problems.count
        let new = problems.dropFirst(known)
        guard let first = new.first, isFree else { return }
        let text = new.count > 1 ? "\(new.count) problems, all in the log: \(first)" : first
        notice = Notice(text: text, isWarning: true, subject: .problems(earlier: known))
    }
}

extension StoreReach {
    /// The state without numbers in its reason, such as the milliseconds of a try: they do not make it another reason.
    fileprivate var withoutNumbers: StoreReach {
        if case .offline(let reason) = self { .offline(reason: reason.filter { !$0.isNumber }) } else { self }
    }
}

/// Background work of the store, such as indexing.
struct Preparation: Hashable, Sendable {
    /// The progress; nil when the work is done.
    private var progress: StoreProgress?
    /// The pause before the progress is shown; nil once it is shown.
    private var pause: Int?
    /// Counts the pauses.
    private var pauses = 0

    /// The progress of work shorter than this is not shown.
    private static let grace = Duration.seconds(1)

    /// The progress that the title bar shows.
    var shown: StoreProgress? { pause == nil ? progress : nil }

    mutating func note(_ progress: StoreProgress) -> [Effect] {
        let hasBegun = self.progress == nil && progress.share < 1
        self.progress = progress.share < 1 ? progress : nil
        guard hasBegun else { return [] }
        pauses += 1
        pause = pauses
        return [.wait(Preparation.grace, .pause(.preparation(pauses)))]
    }

    mutating func end(_ pause: Int) { if self.pause == pause { self.pause = nil } }
}
