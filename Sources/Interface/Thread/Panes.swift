/// The panes on the screen, from the left: the main timeline and, while one is open, a thread. One of them has the keys.
struct Panes: Sendable {
    /// The main timeline is always there.
    private var panes: [Pane]
    private var focusedIndex = 0

    init(main: Pane) { panes = [main] }

    var main: Pane { panes[0] }
    var thread: Pane? { panes.count > 1 ? panes[1] : nil }

    /// The one that has the keys. It is changed in its place: a copy of a window takes its time.
    var focused: Pane {
        get { panes[focusedIndex] }
        _modify { yield &panes[focusedIndex] }
    }

    /// Gives the keys to a pane, if it is still there.
    mutating func focus(_ number: Int) {
        if let index = panes.firstIndex(where: { $0.number == number }) { focusedIndex = index }
    }

    /// Opens a thread in place of the one that is open, and gives it the keys.
    mutating func open(_ thread: Pane) {
        panes = [main, thread]
        focusedIndex = 1
    }

    mutating func closeThread() {
        focusedIndex = 0
        panes.removeLast(panes.count - 1)
    }
}

extension Panes: Sequence {
    /// The one that has the keys comes first.
    func makeIterator() -> some IteratorProtocol<Pane> {
        (panes[focusedIndex...] + panes[..<focusedIndex]).makeIterator()
    }
}
