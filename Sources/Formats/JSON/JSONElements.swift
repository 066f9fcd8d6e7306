/// The values of an array, in order.
package struct JSONElements: Sequence, IteratorProtocol {
    private var current: JSONValue
    private let end: Int

    init(next: JSONValue, end: Int) {
        current = next
        self.end = end
    }

    package mutating func next() -> JSONValue? {
        guard current.index < end else { return nil }
        defer { current = JSONValue(tape: current.tape, strings: current.strings, index: current.end) }
        return current
    }
}
