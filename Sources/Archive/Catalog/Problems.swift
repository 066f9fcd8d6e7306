internal import Logging

/// The reasons why parts of one file or folder could not be read: the first hundred lines of it, and how many more.
struct ProblemList {
    static let kept = 100

    private(set) var lines: [String] = []
    private var more = 0

    mutating func add(_ line: @autoclosure () -> String) {
        if lines.count < ProblemList.kept { lines.append(line()) } else { more += 1 }
    }

    /// - Parameter source: names what the problems are in.
    func all(source: String) -> [String] {
        more == 0 ? lines : lines + ["\(source): \(more) more lines are passed over"]
    }
}

/// All problems so far, by their source: what is read again replaces what was said of it before.
struct Problems {
    private let logger: Logger
    private var lists: [(source: String, list: ProblemList)] = []
    /// Where the list of a source is.
    private var places: [String: Int] = [:]

    init(logger: Logger) { self.logger = logger }

    var all: [String] { lists.flatMap { $0.list.all(source: $0.source) } }

    /// Logs each line that was not known yet.
    mutating func replace(_ source: String, with list: ProblemList) {
        let index = places[source]
        if index == nil, list.lines.isEmpty { return }
        let known = Set(index.map { lists[$0].list.all(source: source) } ?? [])
        for line in list.all(source: source) where !known.contains(line) { logger.warning("\(line)") }
        if let index {
            lists[index].list = list
        } else {
            places[source] = lists.count
            lists.append((source, list))
        }
    }
}

/// A text from a file within a line for people: no control characters, and not without end.
func printable(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(80).map { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: Unicode.Scalar(0xFFFD) ?? scalar
        default: scalar
        }
    }
    return String(String.UnicodeScalarView(scalars))
}
