import Display
package import Messages
import Timeline

/// Messages of a conversation or of a thread, from one to another. They need not be loaded.
package struct MarkedRange: Hashable, Sendable {
    package let conversation: ConversationID
    /// The root of the thread; nil for the main timeline.
    package let thread: MessageID?
    package let first: MessageID
    package let last: MessageID

    package init(conversation: ConversationID, thread: MessageID?, first: MessageID, last: MessageID) {
        self.conversation = conversation
        self.thread = thread
        self.first = first
        self.last = last
    }
}

/// The message at which the user began to select several.
struct MarkedMessage: Hashable, Sendable {
    let id: MessageID
    /// Its index in the whole conversation, if that is known.
    let place: Int?
    let at: Timestamp
}

/// A format in which messages are written to a file, or printed.
package enum MessageFormat: String, CaseIterable, Hashable, Sendable {
    case text, markdown, json

    /// The format for a file's ending; nil for any other ending.
    package init?(ofFile name: String) {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        switch name[dot...].lowercased() {
        case ".txt": self = .text
        case ".md": self = .markdown
        case ".json": self = .json
        default: return nil
        }
    }

    /// For people.
    package var title: String {
        switch self {
        case .text: "text"
        case .markdown: "Markdown"
        case .json: "JSON"
        }
    }
}

/// Asks for the name of the file into which messages are written. Its ending decides on the format.
struct FilePrompt: Prompt {
    let range: MarkedRange
    private var field = TextField()

    init(_ range: MarkedRange) { self.range = range }

    private var format: MessageFormat? { MessageFormat(ofFile: field.text) }

    func view(in context: Context) -> PanelView {
        let answer = format.map { "as \($0.title)" } ?? "a name that ends in .txt, .md or .json"
        return .line(PromptLine(name: "write to: ", field: field, answer: answer))
    }

    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch event {
        case .text, .edit: return field.take(event)
        case .action(.cancel), .action(.fieldBackspace): return [.close]
        case .action(.activate):
            if field.isEmpty { return [.close] }
            guard format != nil else { return [.warn("the name must end in .txt, .md or .json")] }
            return [.close, .begin(.write(range, file: field.text, replaces: false))]
        case .action, .settled, .mouse, .key: return []
        }
    }
}

/// Asks whether to replace a file. Only `y` replaces it.
struct OverwritePrompt: Prompt {
    let range: MarkedRange
    let file: String

    var takesText: Bool { false }

    func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        guard case .key(let key) = event else { return [] }
        return key == .character("y") ? [.close, .begin(.write(range, file: file, replaces: true))] : [.close]
    }

    func view(in context: Context) -> PanelView {
        .question(CleanText("\(file) exists: y replaces it, any other key keeps it"), isWarning: true)
    }
}

/// The result of copying or writing several messages.
package enum RangeResult: Hashable, Sendable {
    /// The text for the clipboard, and the number of messages.
    case copied(String, count: Int)
    /// For the clipboard, with the number of messages.
    case tooLong(count: Int)
    case written(Int, file: String)
    /// There is such a file, so nothing was written.
    case exists(MarkedRange, file: String)
    /// The reason, in one line for people.
    case failed(String)
    /// The store did not bring all messages.
    /// - Parameter messages: the number of those that have come.
    case unread(StoreError, messages: Int)
}

/// The selection of several messages: from the one where it was begun to the one under the cursor, loaded or not.
extension Pane {
    /// v: begins a selection, or ends it.
    mutating func toggleMark() -> [Outcome] {
        if isRootSelected, mark == nil {
            return [.tell("several are selected among the replies; this is the message above")]
        }
        guard mark == nil, let index = timeline.selectedIndex else {
            mark = nil
            return []
        }
        let first = timeline.list[index].first
        mark = MarkedMessage(id: first.id, place: timeline.position(of: index), at: first.at)
        return []
    }

    /// The selected entries of the window; nil when none are selected.
    var markedIndices: ClosedRange<Int>? {
        guard let mark, let cursor = timeline.selectedIndex else { return nil }
        let begin = index(of: mark) ?? (isBeforeWindow(mark) ? 0 : timeline.count - 1)
        return min(begin, cursor)...max(begin, cursor)
    }

    /// Whether more than the message under the cursor is selected.
    var hasSeveralMarked: Bool {
        guard let mark, let cursor = timeline.selectedIndex else { return false }
        return index(of: mark) != cursor
    }

    /// The selected messages; the one under the cursor when no selection was begun.
    var markedRange: MarkedRange? {
        if isRootSelected, mark == nil { return rootRange }
        guard let conversation, let cursor = timeline.selectedIndex else { return nil }
        let entry = timeline.list[cursor]
        guard let mark else {
            return MarkedRange(conversation: conversation, thread: thread, first: entry.first.id, last: entry.last.id)
        }
        let begin = index(of: mark)
        let isForward = begin.map { $0 <= cursor } ?? isBeforeWindow(mark)
        // The entry may be a run that has grown since.
        let end = begin.map { timeline.list[$0].last.id } ?? mark.id
        return MarkedRange(
            conversation: conversation, thread: thread, first: isForward ? mark.id : entry.first.id,
            last: isForward ? entry.last.id : end)
    }

    /// The number of selected messages; nil when it is not known.
    var markedCount: Int? {
        guard let mark, let cursor = timeline.selectedIndex else { return nil }
        if let begin = mark.place, let places = selectedPlaces {
            return max(places.upperBound, begin + 1) - min(places.lowerBound, begin)
        }
        return index(of: mark).map { timeline.span(of: min($0, cursor)..<max($0, cursor) + 1) }
    }

    /// The root, which stands in the main timeline.
    private var rootRange: MarkedRange? {
        guard let conversation, let root = root?.message.id else { return nil }
        return MarkedRange(conversation: conversation, thread: nil, first: root, last: root)
    }

    private func index(of mark: MarkedMessage) -> Int? {
        timeline.list.index(of: mark.id)
            ?? (0..<timeline.count).first { timeline.list[$0].run?.holds(mark.id) ?? false }
    }

    /// Whether a message that the window does not hold stands before it. Without places the times tell that.
    private func isBeforeWindow(_ mark: MarkedMessage) -> Bool {
        if let place = mark.place, let start = timeline.windowStart { return place < start }
        return timeline.list.first.map { mark.at <= $0.message.at } ?? true
    }
}

extension Entry {
    /// The first message of the item.
    fileprivate var first: Message { run?.lines.first ?? message }
}

/// Copies and writes the selected messages.
extension Model {
    mutating func askForFile() {
        guard let range = pane.markedRange else { return tell("no message is selected") }
        stayHere()
        ask(FilePrompt(range))
    }

    /// Nil when no selection of several messages was begun.
    mutating func copyMarked() -> [Effect]? {
        guard pane.mark != nil, let range = pane.markedRange else { return nil }
        pane.mark = nil
        return begin(.copy(range))
    }

    mutating func receive(_ result: RangeResult, of task: UserTask) -> [Effect] {
        if case .unread(let error, let messages) = result {
            let work = if case .copy = task { "not copied" } else { "not written" }
            if let again = tasks.fail(task, error, received: Int64(messages)) { return [again] }
            if tasks.end(task) != nil { warn("\(work): \(error)") }
            return []
        }
        let isWanted = tasks.end(task) != nil
        switch result {
        // It was given up.
        case .copied where !isWanted: break
        case .copied(let text, let count):
            tell(count == 1 ? "1 message copied" : "\(count.grouped) messages copied")
            return [.copy(text)]
        case .tooLong(let count):
            let messages = count == 1 ? "1 message is" : "\(count.grouped) messages are"
            warn("\(messages) too long for the clipboard; \(keymap.keyName(.writeFile)) writes to a file")
        case .written(let count, let file):
            pane.mark = nil
            tell(count == 1 ? "1 message written to \(file)" : "\(count.grouped) messages written to \(file)")
        case .exists(let range, let file):
            guard panel == nil else {
                warn("\(file) exists; nothing was written")
                break
            }
            ask(OverwritePrompt(range: range, file: file))
        case .failed(let reason): warn(reason)
        case .unread: break
        }
        return []
    }

    /// Says why, when an action that works on one message is asked for while several are selected.
    mutating func refusesForMarked(_ action: Action) -> Bool {
        guard pane.hasSeveralMarked, [.reply, .edit, .delete, .react].contains(action) else { return false }
        let keys = "\(keymap.keyName(.copyText)) and \(keymap.keyName(.writeFile))"
        warn("only \(keys) work on several messages; Esc ends")
        return true
    }

    /// `12 messages selected   y copies · S writes · Esc ends`
    var markedStatus: Span? {
        guard pane.mark != nil else { return nil }
        let count = pane.markedCount.map { $0 == 1 ? "1 message selected" : "\($0.grouped) messages selected" }
        let keys =
            "\(keymap.keyName(.copyText)) copies · \(keymap.keyName(.writeFile)) writes to a file · Esc ends"
        return Span(CleanText("\(count ?? "selecting")   \(keys)"), Style(.accent))
    }
}
