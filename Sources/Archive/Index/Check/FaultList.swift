/// The first twenty faults, and the number of the others.
package struct FaultList: Sendable {
    private static let kept = 20

    package private(set) var lines: [String] = []
    package private(set) var more = 0

    var isEmpty: Bool { lines.isEmpty }

    mutating func add(_ line: @autoclosure () -> String) {
        if lines.count < FaultList.kept { lines.append(line()) } else { more += 1 }
    }

    mutating func add(_ others: FaultList) {
        for line in others.lines { add(line) }
        more += others.more
    }
}
