import Display
package import Messages

/// A task that the user has asked for, and that needs the store. It goes on until it is done or the user gives it up.
package enum UserTask: Hashable, Sendable {
    case open(MessageFile)
    /// Marks a conversation: the request is for its end.
    case mark(ReadMark, PageRequest)
    case copy(MarkedRange)
    case write(MarkedRange, file: String, replaces: Bool)

    var effect: Effect {
        switch self {
        case .open(let file): .findFile(file)
        case .mark(let mark, let request): .loadEnd(mark, request)
        case .copy(let range): .copyRange(range)
        case .write(let range, let file, let replaces): .write(range, file: file, replaces: replaces)
        }
    }
}

/// The tasks that are not done yet.
struct UserTasks: Hashable, Sendable {
    private struct State: Hashable, Sendable {
        /// The bytes of a file, or the messages of a range, that have come; nil while nothing is known of a need to fetch a file.
        var received: Int64?
        var retries = Retries()
    }

    private var states: [UserTask: State] = [:]
    /// The task that was asked for last.
    private var last: UserTask?

    /// - Returns: false if it is not done since it was asked for before.
    mutating func begin(_ task: UserTask) -> Bool {
        last = task
        if states[task] != nil { return false }
        states[task] = State()
        return true
    }

    /// - Returns: false if nobody wants it any more.
    mutating func note(received: Int64, of task: UserTask) -> Bool {
        guard states[task] != nil else { return false }
        states[task]?.received = received
        return true
    }

    /// - Returns: whether the status line has named it; nil if nobody wants it any more.
    mutating func end(_ task: UserTask) -> Bool? {
        let wasShown = isShown(task)
        return states.removeValue(forKey: task) == nil ? nil : wasShown
    }

    /// A try has failed. After one that brought more than those before, the pauses begin with the shortest again.
    /// - Returns: the effect that leads to the next try; nil when there is none.
    mutating func fail(_ task: UserTask, _ error: StoreError, received: Int64? = nil) -> Effect? {
        guard var state = states[task] else { return nil }
        if let received, received > state.received ?? 0 { state = State(received: received) }
        let next = state.retries.fail(error, .task(task))
        states[task] = state
        return next
    }

    /// The next try begins.
    /// - Returns: false if nobody wants the result any more.
    mutating func retry(_ task: UserTask) -> Bool {
        states[task]?.retries.begin()
        return states[task] != nil
    }

    /// Gives up all tasks that the status line names.
    mutating func giveUp() { states = states.filter { !isShown($0.key) } }

    /// A file that is here at once is not named.
    private func isShown(_ task: UserTask) -> Bool {
        guard let state = states[task] else { return false }
        if case .open = task { return state.received != nil || state.retries.count > 0 }
        return true
    }

    /// The tasks, for the status line; nil if there are none.
    /// - Parameter title: of a conversation.
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

extension Attachment? {
    /// The part of a file that has come: `1.2 MB of 3.4 MB`. Empty as long as nothing has.
    func share(_ received: Int64) -> String {
        guard received > 0 else { return "" }
        return ByteCount.label(received) + (self?.size.map { $0 >= received ? " of \(ByteCount.label($0))" : "" } ?? "")
    }
}

extension Model {
    mutating func begin(_ task: UserTask) -> [Effect] { tasks.begin(task) ? [task.effect] : [] }

    /// - Parameter key: says how to give the tasks up, where that is possible.
    func taskStatus(_ key: String = "") -> Span? {
        tasks.status { known($0).title }.map { Span(CleanText($0 + key), Style(.accent)) }
    }
}
