import Messages
import Timeline

/// What the store learns of a conversation while it is shown: it comes in without moving a row.
extension Model {
    /// The store knows more than before: where the window stands is asked for, and what is quoted in it.
    mutating func askForSurvey() -> [Effect] {
        guard let conversation, let first = timeline.list.first else { return [] }
        let pending = (0..<timeline.count).map { timeline.list[$0].message }.filter { $0.quote?.content == .pending }
        return [.survey(conversation.id, first.id, first.cursor, Set(pending.map(\.id)))]
    }

    mutating func receiveSurvey(_ id: ConversationID, of first: MessageID, _ place: Place?, _ messages: [Message]) {
        guard opening == .shown, id == conversation?.id else { return }
        if let place, let index = timeline.list.index(of: first) {
            timeline.locate(start: place.index - index, total: place.total)
        }
        for message in messages {
            guard let index = timeline.list.index(of: message.id) else { continue }
            timeline.update(Entry(message, replacing: timeline.list[index]))
        }
    }
}
