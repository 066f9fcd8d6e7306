/// The problems of one file or folder: the first hundred as lines, and the number of the others.
struct ProblemList {
    static let kept = 100

    private(set) var lines: [String] = []
    private var more = 0

    mutating func add(_ line: @autoclosure () -> String) {
        if lines.count < ProblemList.kept { lines.append(line()) } else { more += 1 }
    }

    /// - Parameter source: the file or folder, named in the last line if lines are left out.
    func all(source: String) -> [String] {
        more == 0 ? lines : lines + ["\(source): \(more) more lines are skipped"]
    }
}
