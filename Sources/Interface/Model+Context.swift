import Messages
import Timeline

/// The parts of the model that its components and views may look at.
extension Model {
    var context: Context {
        Context(
            keymap: keymap, size: size, now: now, zone: zone, me: me, panel: panel, hasNotice: notice != nil,
            directory: directory,
            conversation: conversation, main: main, thread: isInThread ? pane : nil, folds: currentFolds,
            hasConversation: opening != .nothing,
            day: pane.selectedEntry?.date, writingPlace: writingPlace,
            sent: writing.history, composerColumns: composerColumns)
    }

    var paneContext: PaneContext {
        PaneContext(
            keymap: keymap, now: now, zone: zone, me: me, conversation: conversation, reading: reading,
            folds: currentFolds,
            isWriting: panel == .composer,
            isAskingAboutMessage: panel == .prompt && (prompt?.isAboutMessage ?? false),
            canWrite: me != nil && obstacle == nil)
    }

    var directory: Directory { Directory(current: conversation, listed: switcher.known, visited: trail.visited) }

    /// The conversation; with its ID for a title when it is not known.
    func known(_ id: ConversationID) -> Conversation { directory.conversation(id) }

    /// The part of the state that changes the look of messages.
    var looks: Looks {
        Looks(
            me: me, own: addressee, clockStyle: clockStyle, clockColumns: zone.clockColumns, now: now,
            links: (prompt as? LinkPrompt)?.numbers,
            openKey: keymap.keyName(.activate))
    }
}
