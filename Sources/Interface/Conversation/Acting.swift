import Messages
import Timeline

/// The actions of keys on the conversation.
extension OpenConversation {
    mutating func act(_ action: Action, _ outside: Outside) -> [Outcome] {
        switch action {
        case .find: return openFind(towards: .newer, outside)
        case .findBackward: return openFind(towards: .older, outside)
        case .findNext: return inFind(outside) { $0.step(again: true, in: $1) }
        case .findPrevious: return inFind(outside) { $0.step(again: false, in: $1) }
        case .back: return goBack(outside)
        case .forward: return walk(by: 1, outside)
        case .date:
            dropPending()
            return [.prompt(.date)]
        case .firstUnread: return goToFirstUnread(outside)
        case .thread: return toggleThread(outside)
        case .markRead: return conversation.map { [.list(.mark(.read, $0.id))] } ?? []
        case .markUnread: return markUnreadFromSelected(outside)
        case .mute: return conversation.map { [.list(.mute($0.id))] } ?? []
        case .leftPane: panes.focus(main.number)
        case .rightPane: if let thread = openThread { panes.focus(thread.number) }
        default: return actInPane(action, outside)
        }
        return []
    }

    mutating func actInPane(_ action: Action, _ outside: Outside) -> [Outcome] {
        inPane(pane.number, outside) { $0.handle(.action(action), in: $1) }
    }
}
