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

    /// Replaces the problems of a source by those that `read` adds.
    func replace<Result, Failure>(
        _ source: @autoclosure () -> String, by read: (inout ProblemList) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var problems = ProblemList()
        let result = try read(&problems)
        replace(source(), with: problems)
        return result
    }

    /// Logs each line that was not known yet.
    func replace(_ source: @autoclosure () -> String, with list: ProblemList) {
        state.withLock { state in
            // This is so for most of a hundred thousand conversations.
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

/// The problems of one file or folder: the first ones as lines, and the number of the others.
package struct ProblemList: Sendable {
    static let kept = 100

    package private(set) var lines: [String] = []
    package private(set) var more = 0
    private let most: Int

    /// - Parameter most: the number of lines to keep.
    init(most: Int = ProblemList.kept) { self.most = most }

    mutating func add(_ line: @autoclosure () -> String) {
        if lines.count < most { lines.append(line()) } else { more += 1 }
    }

    /// - Parameter source: the file or folder, named in the last line if lines are left out.
    func all(source: String) -> [String] {
        more == 0 ? lines : lines + ["\(source): \(more) more lines are skipped"]
    }
}

/// Makes text from a file safe to include in a line for the user: without control characters, and at most 80 characters long.
func printable(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(80).map { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: Unicode.Scalar(0xFFFD) ?? scalar
        default: scalar
        }
    }
    return String(String.UnicodeScalarView(scalars))
}
