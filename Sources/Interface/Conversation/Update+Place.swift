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

    mutating func receivePlace(
        _ id: ConversationID, of first: MessageID, _ place: Place?, _ messages: [Message]
    ) -> [Effect] {
        guard id == conversation?.id else { return [] }
        fillAnswers(in: id, messages)
        return onAll { model in
            model.fill(messages)
            if let place { model.locate(place, of: first) }
            return model.pane.viewportMoved()
        }
    }

    private mutating func locate(_ place: Place, of first: MessageID) {
        guard !isInThread, let index = timeline.list.index(of: first) else { return }
        // The place counts the changes that wait already: they would be counted again when they are shown.
        pane.changes.mustLocate = !pane.changes.waiting.isEmpty
        if !pane.changes.mustLocate { pane.timeline.locate(start: place.index - index, total: place.total) }
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
