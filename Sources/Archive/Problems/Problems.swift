internal import Logging

/// All current problems, by source. When a source is read again, its new problems replace the old ones.
struct Problems {
    private let logger: Logger
    private var lists: [(source: String, list: ProblemList)] = []
    /// The index of each source in `lists`.
    private var places: [String: Int] = [:]

    init(logger: Logger) { self.logger = logger }

    var all: [String] { lists.flatMap { $0.list.all(source: $0.source) } }

    /// Logs each line that is not yet in the list of this source.
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
