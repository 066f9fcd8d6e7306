import Display
import Messages

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
