import Display
import Messages
import Timeline

/// The root of a thread is the first message that can be selected in its pane. It stands above the timeline of the replies,
/// whose own selection stays meanwhile.
extension Pane {
    /// Whether the root is under the cursor. Without replies it always is.
    var isRootSelected: Bool {
        root != nil && opening == .shown && (timeline.list.isEmpty || selectsRoot && hasHead)
    }

    /// The message under the cursor as the screen shows it.
    var selectedEntry: Entry? {
        isRootSelected ? root?.entry : timeline.selectedIndex.map { timeline.list[$0] }
    }

    /// The message with this ID, if the pane shows it.
    func loaded(_ id: MessageID) -> Message? {
        if let root, root.message.id == id { return root.message }
        return timeline.list.index(of: id).map { timeline.list[$0].message }
    }

    /// Moves the cursor between the root and the replies.
    /// - Returns: false for any other move.
    mutating func moveAtRoot(_ action: Action) -> Bool {
        guard isRootSelected else {
            guard isBelowRoot, [.up, .pageUp, .halfUp].contains(action) else { return false }
            selectsRoot = true
            return true
        }
        switch action {
        case .down:
            guard let first = timeline.visibleIndices.first else { return true }
            timeline.select(atScreenRow: max(0, timeline.screenRow(of: first)))
            selectsRoot = false
            return true
        case .up: return true
        case .pageUp, .halfUp: return isAtFirstReply
        case .pageDown, .halfDown: selectsRoot = false
        default: break
        }
        return false
    }

    /// Whether the first reply is under the cursor, so that the next step up leads to the root.
    private var isBelowRoot: Bool {
        root != nil && hasHead && mark == nil && timeline.selectedEdge == nil && timeline.selectedIndex == 0
            && isAtFirstReply
    }

    /// Whether the first reply begins on the screen.
    private var isAtFirstReply: Bool {
        !timeline.hasOlder && (timeline.list.isEmpty || timeline.screenRow(of: 0) >= 0)
    }

    /// A click on the head of the thread selects the root.
    mutating func clickHead() -> [Outcome] {
        guard root != nil, mark == nil else { return [] }
        dropPending()
        timeline.leaveEdge()
        selectsRoot = true
        return [.stay]
    }
}
