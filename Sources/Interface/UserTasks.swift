import Display
import Messages

/// The unfinished tasks.
struct UserTasks: Hashable, Sendable {
    private struct State: Hashable, Sendable {
        /// The number of bytes of a file, or of messages of a range, fetched so far; nil while nothing has to be fetched.
        var received: Int64?
        var retries = Retries()
    }

    private var states: [UserTask: State] = [:]
    /// The last task requested.
    private var last: UserTask?

    /// - Returns: false if the task is running already. A file is requested each time, since it may be here by now.
    mutating func begin(_ task: UserTask) -> Bool {
        last = task
        if states[task] != nil { if case .open = task { return true } else { return false } }
        states[task] = State()
        return true
    }

    /// - Returns: false if the task was cancelled.
    mutating func note(received: Int64, of task: UserTask) -> Bool {
        guard states[task] != nil else { return false }
        states[task]?.received = received
        return true
    }

    /// - Returns: true if the status line has named the task; nil if it was cancelled.
    mutating func end(_ task: UserTask) -> Bool? {
        let wasShown = isShown(task)
        return states.removeValue(forKey: task) == nil ? nil : wasShown
    }

    /// Handles a failed try. After a try that fetched more than the tries before, the pauses begin again with the shortest.
    /// - Returns: the effect that leads to the next try; nil when there is none.
    mutating func fail(_ task: UserTask, _ error: StoreError, received: Int64? = nil) -> Effect? {
        guard var state = states[task] else { return nil }
        if let received, received > state.received ?? 0 { state = State(received: received) }
        let next = state.retries.fail(error, .task(task))
        states[task] = state
        return next
    }

    /// Begins the next try.
    /// - Returns: false if the task was cancelled.
    mutating func retry(_ task: UserTask) -> Bool {
        states[task]?.retries.begin()
        return states[task] != nil
    }

    /// True if the status line names a task.
    var areShown: Bool { states.keys.contains(where: isShown) }

    /// Cancels all tasks that the status line names.
    mutating func giveUp() { states = states.filter { !isShown($0.key) } }

    /// True if the status line names the task: not for a file that is here at once.
    private func isShown(_ task: UserTask) -> Bool {
        guard let state = states[task] else { return false }
        if case .open = task { return state.received != nil || state.retries.count > 0 }
        return true
    }

    /// The tasks, for the status line; nil if there are none.
    /// - Parameter title: the title of a conversation.
    func status(title: (ConversationID) -> String) -> String? {
        let shown = states.filter { isShown($0.key) }
        guard let first = shown.first(where: { $0.key == last }) ?? shown.first else { return nil }
        let others = shown.count > 1 ? " and \(shown.count - 1) more" : ""
        let (received, retries) = (first.value.received ?? 0, first.value.retries)
        let messages = received > 0 ? " \(Int(received).grouped) messages" : ""
        let (work, failure): (String, String)
        switch first.key {
        case .open(let file):
            let name = file.attachment.name + others
            let share = Optional(file.attachment).share(received)
            (work, failure) = ("fetching \(name)…" + (share.isEmpty ? "" : " \(share)"), "\(name) did not come")
        case .mark(let mark, let request):
            let name = "\(title(request.conversation)) as \(mark)\(others)"
            (work, failure) = ("marking \(name)…", "not marked yet: \(name)")
        case .copy: (work, failure) = ("copying\(others)…\(messages)", "not copied yet\(others)")
        case .write(_, let file, _):
            (work, failure) = ("writing \(file)\(others)…\(messages)", "not written yet: \(file)\(others)")
        }
        guard let reason = retries.reason else { return work }
        return "\(failure) · \(retries.words) · \(reason)"
    }
}

/// Replies to tasks.
extension UserTasks {
    /// - Parameters:
    ///   - panel: the open panel. A question replaces only a picture: otherwise the next key would answer by accident.
    ///   - notice: the notice in the status line.
    mutating func take(
        _ news: FileNews, about file: MessageFile, panel: Panel?, notice: Notice?
    ) -> [Outcome] {
        let opening = "opening \(file.attachment.name)"
        let ofFile: [Outcome] = notice?.text == opening ? [.notice(nil)] : []
        switch news {
        case .coming(let received):
            // From now on the status line shows the progress, so the notice of this file goes. Other notices stay.
            return note(received: received, of: .open(file)) ? ofFile : []
        case .here(let path, let isExecutable):
            guard let wasFetched = end(.open(file)) else { return [] }
            if let risk = FileRisk(path, isExecutable: isExecutable, shownAs: file.attachment.name) {
                guard panel == nil || panel == .picture else { return [.warn("not opened: \(risk.reason)")] }
                return (notice?.isWarning == false ? [.notice(nil)] : []) + [.prompt(.risk(risk.reason, path: path))]
            }
            return (wasFetched ? [.tell(opening)] : []) + [.effect(.openFile(path: path))]
        case .failed(let error):
            if let again = fail(.open(file), error) { return ofFile + [.effect(again)] }
            return end(.open(file)) == nil ? [] : [.warn(error.reason)]
        }
    }

    mutating func receive(
        _ result: RangeResult, of task: UserTask, panel: Panel?, keymap: Keymap
    ) -> [Outcome] {
        if case .unread(let error, let messages) = result {
            let work = if case .copy = task { "not copied" } else { "not written" }
            if let again = fail(task, error, received: Int64(messages)) { return [.effect(again)] }
            return end(task) == nil ? [] : [.warn("\(work): \(error)")]
        }
        let isWanted = end(task) != nil
        switch result {
        // The task was cancelled.
        case .copied where !isWanted: return []
        case .copied(let text, let count):
            return [.tell("\(UserTasks.counted(count)) copied"), .effect(.copy(text))]
        case .tooLong(let count):
            let messages = "\(UserTasks.counted(count)) \(count == 1 ? "is" : "are")"
            return [
                .warn("\(messages) too long for the clipboard; \(keymap.keyName(.writeFile)) writes to a file")
            ]
        case .written(let count, let file):
            return [.pane(.written), .tell("\(UserTasks.counted(count)) written to \(file)")]
        case .exists(let range, let file):
            return [panel == nil ? .prompt(.replace(file, by: range)) : .warn("\(file) exists; nothing was written")]
        case .failed(let reason): return [.warn(reason)]
        case .unread: return []
        }
    }

    private static func counted(_ count: Int) -> String {
        count == 1 ? "1 message" : "\(count.grouped) messages"
    }

    /// - Returns: the page with which the conversation can be marked; nil if there is none.
    mutating func receive(
        _ result: Result<Page, StoreError>, of task: UserTask
    ) -> (page: Page?, outcomes: [Outcome]) {
        switch result {
        case .success(let page): return (end(task) == nil ? nil : page, [])
        case .failure(let error):
            if let again = fail(task, error) { return (nil, [.effect(again)]) }
            return (nil, end(task) == nil ? [] : [.warn("not marked: \(error)")])
        }
    }
}

extension Attachment? {
    /// The fetched part of a file: `1.2 MB of 3.4 MB`. Empty if nothing is fetched yet.
    func share(_ received: Int64) -> String {
        guard received > 0 else { return "" }
        return ByteCount.label(received) + (self?.size.map { $0 >= received ? " of \(ByteCount.label($0))" : "" } ?? "")
    }
}

extension UserTask {
    var effect: Effect {
        switch self {
        case .open(let file): .ask(.file(file), .task(self))
        case .mark(_, let request): .ask(.page(request), .task(self))
        case .copy(let range): .ask(.copy(range), .task(self))
        case .write(let range, let file, let replaces):
            .ask(.write(range, file: file, replaces: replaces), .task(self))
        }
    }
}

/// The risk of a file that the desktop may run, or whose kind differs from the name on the screen. The user is asked first; only
/// `y` opens the file.
struct FileRisk {
    /// The reason, with the name of the file on the disk.
    let reason: String

    /// The result is nil for a picture, sound, film, text or PDF whose name says so.
    /// - Parameters:
    ///   - isExecutable: true if the file may be run as a program.
    ///   - name: the name of the file on the screen.
    init?(_ path: String, isExecutable: Bool, shownAs name: String) {
        let real = path.split(separator: "/").last.map(String.init) ?? path
        let (ending, shown) = (FileRisk.ending(real), FileRisk.ending(CleanText(name).string))
        let mayRun = isExecutable || !FileRisk.harmless.contains(ending)
        let isAnother = !shown.isEmpty && FileRisk.kind(shown) != FileRisk.kind(ending)
        guard mayRun || isAnother else { return nil }
        reason = (name == real ? real : "\(name) is the file \(real)") + (mayRun ? ", which may run a program" : "")
    }

    /// The ending of a file name in lower case, without the dot.
    private static func ending(_ name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    /// One name for all endings of the same kind.
    private static func kind(_ ending: String) -> String {
        switch ending {
        case "jpeg", "jpe", "jfif": "jpg"
        case "tif": "tiff"
        case "oga", "ogv", "opus": "ogg"
        case "mpeg": "mpg"
        case "text", "log", "md": "txt"
        default: ending
        }
    }

    private static let harmless: Set<String> = [
        "png", "jpg", "jpeg", "jpe", "jfif", "gif", "webp", "bmp", "tif", "tiff", "heic", "heif", "avif", "ico",
        "mp3", "ogg", "oga", "opus", "flac", "wav", "m4a", "aac", "wma", "amr", "mid",
        "mp4", "m4v", "mkv", "webm", "mov", "avi", "mpg", "mpeg", "3gp", "ogv", "wmv",
        "txt", "text", "log", "md", "csv", "tsv", "pdf",
    ]
}
