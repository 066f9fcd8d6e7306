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
