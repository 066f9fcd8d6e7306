import Messages
import Timeline

/// The store learns more of a conversation while it is shown: that comes in without moving a row.
extension Model {
    /// The store knows more than before: the place of the window is asked for, and the messages that are quoted in it.
    mutating func askForPlace() -> [Effect] {
        guard let conversation, let first = main.timeline.list.first else { return [] }
        let shown = panes.flatMap { pane in (0..<pane.timeline.count).map { pane.timeline.list[$0].message } }
        let pending = shown.filter { $0.quote?.content == .pending }
        return [.locate(conversation.id, first.id, first.cursor, Set(pending.map(\.id)))]
    }

    /// The message that a kept reply quotes may not be loaded.
    func askForQuoted() -> [Effect] {
        guard let conversation, let first = main.timeline.list.first, case .reply(let quote)? = composer?.intent,
            quote.content == .pending, timeline.list.index(of: quote.id) == nil
        else { return [] }
        return [.locate(conversation.id, first.id, first.cursor, [quote.id])]
    }

    mutating func receivePlace(_ id: ConversationID, of first: MessageID, _ place: Place?, _ messages: [Message]) {
        guard id == conversation?.id else { return }
        fillAnswers(in: id, messages)
        changeAll { model in
            model.fill(messages)
            guard !model.isInThread, let place, let index = model.timeline.list.index(of: first) else { return }
            // What the place counts already would be counted again when it is shown.
            model.pane.changes.mustLocate = !model.pane.changes.waiting.isEmpty
            if model.pane.changes.mustLocate { return }
            model.pane.timeline.locate(start: place.index - index, total: place.total)
        }
    }

    private mutating func fillAnswers(in id: ConversationID, _ messages: [Message]) {
        for (place, composer) in writing.composers where place.conversation == id {
            guard case .reply(let quote) = composer.intent, let quoted = messages.first(where: { $0.id == quote.id })
            else { continue }
            writing.composers[place]?.intent = .reply(Quote(of: quoted))
        }
    }

    private mutating func fill(_ messages: [Message]) {
        for message in messages {
            guard let index = timeline.list.index(of: message.id) else { continue }
            pane.timeline.update(Entry(message, replacing: timeline.list[index]))
        }
    }
}
