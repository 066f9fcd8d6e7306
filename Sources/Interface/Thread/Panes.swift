import Messages
import Timeline

/// The panes of the screen, from the left: the main timeline and, if one is open, a thread. One of them has the keys.
struct Panes: Sendable {
    /// The first one is the main timeline, which is always there.
    private var panes: [Pane]
    private var focusedIndex = 0
    /// The number of panes opened in this session.
    private var opened = 0

    init(main timeline: Timeline<MessageRuler>) { panes = [Pane(number: 0, timeline: timeline)] }

    // Panes are changed in place, since a copy of a window takes time.

    var main: Pane {
        get { panes[0] }
        _modify { yield &panes[0] }
    }

    var thread: Pane? { panes.count > 1 ? panes[1] : nil }

    /// The one that has the keys.
    var focused: Pane {
        get { panes[focusedIndex] }
        _modify { yield &panes[focusedIndex] }
    }

    subscript(number: Int) -> Pane? { panes.first { $0.number == number } }

    /// Changes a pane.
    /// - Returns: nil if it does not exist any more.
    @discardableResult
    mutating func change<Value, Failure: Error>(
        _ number: Int, _ body: (inout Pane) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        guard let index = panes.firstIndex(where: { $0.number == number }) else { return nil }
        return try body(&panes[index])
    }

    /// Changes all panes, the one that has the keys first.
    mutating func changeAll(_ body: (inout Pane) -> [Outcome]) -> [Outcome] {
        var outcomes = body(&panes[focusedIndex])
        for index in panes.indices where index != focusedIndex { outcomes += body(&panes[index]) }
        return outcomes
    }

    /// Gives the keys to a pane, if it still exists.
    mutating func focus(_ number: Int) {
        if let index = panes.firstIndex(where: { $0.number == number }) { focusedIndex = index }
    }

    /// Opens a thread in place of the open one, and gives it the keys.
    /// - Returns: the number of its pane.
    mutating func open(thread root: MessageID, _ timeline: Timeline<MessageRuler>) -> Int {
        opened += 1
        panes = [main, Pane(number: opened, conversation: main.conversation, thread: root, timeline: timeline)]
        focusedIndex = 1
        return opened
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
