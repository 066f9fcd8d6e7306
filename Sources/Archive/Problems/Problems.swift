internal import Logging
internal import Synchronization

/// All current problems, by source. When a source is read again, its new problems replace the old ones.
final class Problems: Sendable {
    private struct State {
        var lists: [(source: String, list: ProblemList)] = []
        /// The index of each source in `lists`.
        var places: [String: Int] = [:]
    }

    private let logger: Logger
    private let state = Mutex(State())

    init(logger: Logger) { self.logger = logger }

    var all: [String] { state.withLock { $0.lists.flatMap { $0.list.all(source: $0.source) } } }

    /// Logs each line that was not known yet.
    func replace(_ source: @autoclosure () -> String, with list: ProblemList) {
        state.withLock { state in
            // As for most of a hundred thousand conversations.
            if state.places.isEmpty, list.lines.isEmpty { return }
            let source = source()
            let index = state.places[source]
            if index == nil, list.lines.isEmpty { return }
            let known = Set(index.map { state.lists[$0].list.all(source: source) } ?? [])
            for line in list.all(source: source) where !known.contains(line) { logger.warning("\(line)") }
            if let index {
                state.lists[index].list = list
            } else {
                state.places[source] = state.lists.count
                state.lists.append((source, list))
            }
        }
    }
}
