import Display
import Messages
import Timeline

/// The bottom line: the last event, or the selected message, and the most useful keys.
struct StatusBar {
    let columns: Int
    let margin: CleanText
    /// The number of new messages in other conversations.
    let newElsewhere: Span?
    /// The number of new messages below the screen: it is always shown whole.
    let newBelow: Line

    /// - Parameters:
    ///   - message: the last event, or the selected message.
    ///   - marks: of the drafts; nil when a notice takes the room. The last ones are left out where room is short.
    ///   - least: the columns that they leave to the hints.
    ///   - hints: as many as fit into these columns.
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

    /// While a text is being written.
    /// - Parameters:
    ///   - status: the last event.
    ///   - hints: as many as fit into these columns.
    func line(writing status: Line, hints: (_ columns: Int) -> Line) -> Line {
        let line = adding(newBelow, to: adding([newElsewhere], to: [Span(margin)] + status))
        return line.justified(with: hints(columns - line.columns - 2), columns: columns)
    }

    /// While a word can be completed. The candidates take the room of the hints.
    func line(offering candidates: Line) -> Line {
        adding(newBelow, to: adding([newElsewhere], to: [Span(margin)] + candidates, onlyWhole: true))
    }

    private func adding(_ badge: Line, to line: Line) -> Line {
        (line.truncated(to: max(0, columns - badge.columns)) + badge).truncated(to: columns)
    }

    /// - Parameters:
    ///   - onlyWhole: whether a part that does not fit is left out; else it is cut.
    ///   - reserved: the columns after them that whole parts leave free.
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

/// The parts of the status line.
extension Model {
    /// - Parameter panel: the open one.
    func statusLine(_ panel: PanelView?) -> Line {
        plainStatusLine(panel).padded(to: size.columns).on(.bar)
    }

    private func plainStatusLine(_ panel: PanelView?) -> Line {
        let bar = StatusBar(
            columns: size.columns, margin: grid.margin, newElsewhere: newElsewhere, newBelow: newBelowBadge)
        switch panel {
        case .question(let question, let isWarning): return bar.line(asking: question, isWarning: isWarning)
        case .composer:
            if let candidates = completionCandidates { return bar.line(offering: candidates) }
            // Nothing is kept of an empty text.
            let isEmpty = composer?.area.isEmpty ?? true
            return bar.line(writing: composerStatus) { columns in
                keymap.hints(
                    in: .composing, columns: columns,
                    word: { binding in
                        switch binding.action {
                        case .cancel where isEmpty: "stop writing"
                        case .activate where composer?.isEditing ?? false: "save"
                        default: binding.hint
                        }
                    })
            }
        case .screen, .line, nil:
            let marks = statusNotice == nil ? [draftMark, draftsElsewhere] : nil
            // Most screens have no mark, and every frame asks.
            let hasMarks = marks?.contains { $0 != nil } ?? false
            let help = hasMarks ? keymap.hints(columns: size.columns) { $0 == .help } : .empty
            return bar.line(statusMessage, marks: marks, leaving: help.columns, hints: hints)
        }
    }

    private var statusMessage: Span {
        if let statusNotice { return statusNotice }
        if !inputState.digits.isEmpty {
            return Span(CleanText("\(inputState.digits)   % goes to that point of the conversation"), Style(.accent))
        }
        if let markedStatus { return markedStatus }
        if let slow = panes.first(where: { $0.opening == .shown && $0.isSlow && $0.pending != nil })?.pending {
            let work = slow.isWaiting ? "\(slow.name) did not load · \(slow.wait)" : "loading \(slow.name)…"
            return Span(CleanText("\(work) Esc stays here"), Style(.accent))
        }
        if let status = taskStatus("   Esc gives up") { return status }
        guard let entry = pane.selectedEntry, let conversation else {
            let name: CleanText = isInThread ? "no replies here yet" : "no messages here yet"
            return Span(opening == .shown ? name : "", Style(.standard, .dim))
        }
        if let find, showsFind {
            let isWaiting = !find.wanted.isEmpty ? " · going there as soon as it is found" : ""
            let name = find.direction == .newer ? "/" : "?"
            let isAtHit = finding.isAtHit(in: pane)
            let isWrapped = isAtHit && find.currentOrdinal != nil && find.current?.isWrapped == true
            let wrapped = isWrapped ? " · search wrapped" : ""
            let time = clockStyle == .seconds ? "   \(zone.second(entry.message.at))" : ""
            return Span(
                CleanText(
                    "\(name)\(find.field.text)   \(find.standing(isAtHit: isAtHit))\(scope(of: find))\(wrapped)\(isWaiting)\(time)"
                ),
                Style(.accent))
        }
        if grid.isPlain { return Span(CleanText(statesInWords(of: entry))) }
        let link = preferences.showsLink ? "\(Link(conversation: conversation.id, message: entry.id))  " : ""
        let time = clockStyle == .seconds ? zone.second(entry.message.at) : entry.clock
        // Without a user nobody can write, whatever the archive allows.
        let access = me == nil || obstacle == nil ? "" : "   read-only"
        return Span(CleanText("\(link)\(time)\(access)"), Style(.standard, .dim))
    }

    /// The states of a message that colours and marks tell elsewhere. Nothing for most messages, so that little is read aloud
    /// after a step.
    private func statesInWords(of entry: Entry) -> String {
        let index = timeline.list.index(of: entry.id)
        let first = reading.firstUnread.flatMap { timeline.list.index(of: $0) }
        let states = [
            looks.own?.isMeant(by: entry.message) == true ? "mentions you or replies to you" : nil,
            first.map { (index ?? -1) >= $0 } == true && entry.message.sender?.id != me ? "unread" : nil,
        ]
        return states.compactMap(\.self).joined(separator: ", ")
    }

    /// Whether the status line is about the search. In a thread it is while the cursor is on a hit.
    private var showsFind: Bool { find != nil && (!isInThread || finding.isAtHit(in: pane)) }

    /// What the hits are counted in, and which words, where the line would leave that open.
    private func scope(of find: Find) -> String {
        let place = isInThread ? " in the conversation" : find.isEverywhere ? " here" : ""
        return find.isOpened ? "\(place) · * stands for any ending" : place
    }

    private func hints(columns: Int) -> Line {
        // They are the same for all messages, so that a screen reader has nothing to say about them after a step.
        if grid.isPlain { return keymap.hints(columns: columns) { $0 == .help || $0 == .quit } }
        guard opening == .shown else { return keymap.hints(columns: columns) { $0 == .quit } }
        let ofFind: Set<Action> = [.findNext, .findPrevious, .cancel]
        if showsFind {
            return keymap.hints(columns: columns) { ofFind.contains($0) || $0 == .back || $0 == .help }
        }
        let ofWriting: Set<Action> = [.compose, .reply]
        let canWrite = me != nil && obstacle == nil
        let isWorthAHint = { (action: Action) in
            (!ofFind.contains(action) || action == .cancel && isInThread) && isUseful(action)
                && (canWrite || !ofWriting.contains(action))
        }
        return keymap.hints(
            columns: columns, isUseful: isWorthAHint, changes: { Model.selectionActions.contains($0) }, word: hint)
    }

    /// Actions that are of use for some messages, or at some places, only.
    private static let selectionActions: Set<Action> = [.end, .activate, .thread, .openLink, .picture, .fold]

    /// Whether an action is of use for the selected message. When none is selected, actions that need a message are of no use.
    private func isUseful(_ action: Action) -> Bool {
        guard let entry = pane.selectedEntry else {
            return ![.activate, .thread, .openLink, .picture, .fold, .reply, .find, .date, .end].contains(action)
        }
        switch action {
        case .end: return !timeline.viewport.isFollowing
        case .activate: return entry.message.quote != nil
        case .thread: return !isInThread && ReplySummary.isNeeded(for: entry.message)
        case .openLink: return entry.body.hasLinks || !entry.message.attachments.isEmpty
        case .picture: return entry.message.attachments.contains(where: \.isPicture)
        case .fold: return pane.isFolded || entry.body.isLong && pane.canFold
        default: return true
        }
    }

    /// The effect of a binding on the selected message, in a word or two.
    private func hint(of binding: Binding) -> String? {
        switch binding.action {
        case .fold where pane.isFolded: return "unfold"
        case .cancel where isInThread: return "close thread"
        case .openLink where pane.selectedEntry?.body.hasLinks == false:
            return "open file"
        default: return binding.hint
        }
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

/// The work with which the store prepares itself to be fast.
struct Preparation: Hashable, Sendable {
    /// Nil when nothing is left to do.
    private var progress: StoreProgress?
    /// The pause before the progress is shown; nil once it is shown.
    private var pause: Int?
    /// Counts the pauses.
    private var pauses = 0

    /// The progress of shorter work is not shown.
    private static let grace = Duration.seconds(1)

    /// The progress that the title bar shows.
    var shown: StoreProgress? { pause == nil ? progress : nil }

    mutating func note(_ progress: StoreProgress) -> [Outcome] {
        let hasBegun = self.progress == nil && progress.share < 1
        self.progress = progress.share < 1 ? progress : nil
        guard hasBegun else { return [] }
        pauses += 1
        pause = pauses
        return [.effect(.wait(Preparation.grace, .pause(.preparation(pauses))))]
    }

    mutating func end(_ pause: Int) { if self.pause == pause { self.pause = nil } }
}
