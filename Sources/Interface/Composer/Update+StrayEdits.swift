import Display
import Messages

/// Edits whose message is gone. No `e` can open them, so their texts become a draft.
extension Model {
    /// Asks which messages of unsent edits are gone.
    func findStrayEdits(in id: ConversationID) -> [Effect] {
        let targets = Set((writing.edits[id] ?? [:]).keys)
        return targets.isEmpty ? [] : [.findMissing(id, targets)]
    }

    /// Moves the edits of missing messages into the draft of the conversation. While the user is writing there, they wait
    /// until the composer is closed.
    mutating func receive(missing targets: Set<MessageID>, in id: ConversationID) -> [Effect] {
        let isWriting = panel == .composer && id == conversation?.id
        let stray = targets.filter { writing.edits[id]?[$0] != nil }.sorted { $0.rawValue < $1.rawValue }
        guard !isWriting, !stray.isEmpty else { return [] }
        let taken = stray.filter { writing.takeStrayEdit(of: $0, in: id) }
        guard !taken.isEmpty else { return [] }
        let title = id == conversation?.id ? "" : " in \(known(id).title)"
        warn("the edited message\(title) is gone; \(keymap.keyName(.compose)) continues its text as a new message")
        return keepDraft(of: id)
    }
}

extension Writing {
    /// Appends the edit to the draft of the main timeline.
    /// - Returns: false when the edit stays where it is, because the draft is itself an edit, or would be too long.
    fileprivate mutating func takeStrayEdit(of target: MessageID, in id: ConversationID) -> Bool {
        guard let text = edits[id]?[target]?.text else { return false }
        let place = WritingPlace(conversation: id)
        var composer = composers[place] ?? Composer()
        if case .edit = composer.intent { return false }
        let whole = composer.area.isBlank ? text : composer.area.text + "\n\n" + text
        guard whole.count <= TextArea.longest else { return false }
        composer.area = TextArea(whole)
        composers[place] = composer
        edits[id]?[target] = nil
        return true
    }
}
