internal import Messages

/// A later line that changes how a message is displayed.
struct Amendment: Equatable {
    enum Action: Equatable {
        case edit(String)
        /// - Parameter isModeration: whether somebody with the right to delete messages of others deleted it.
        case delete(isModeration: Bool)
        case react(String, isRemoved: Bool)
        /// The number of replies in the message's thread, and the time of the last one.
        case replies(Int, last: Timestamp)

        /// Whether it changes the text of the message.
        var isTextChange: Bool {
            switch self {
            case .edit, .delete: true
            case .react, .replies: false
            }
        }

        /// Whether it counts although its sender is not the author of the message.
        var isModeration: Bool { self == .delete(isModeration: true) }
    }

    let target: MessageID
    let sender: PersonID?
    let action: Action
    /// The place of the line; of the last line if the amendment sums up several replies.
    let place: LinePlace
    /// The bytes of the new text that are left out, to save memory.
    var omitted = 0

    /// The bytes of the new text that it has.
    var weight: Int { if case .edit(let text) = action { text.utf8.count } else { 0 } }

    /// The same with the beginning of the new text.
    /// - Parameter count: in Unicode scalars.
    func cut(to count: Int) -> Amendment {
        guard case .edit(let text) = action else { return self }
        let beginning = text.beginning(count)
        return Amendment(
            target: target, sender: sender, action: .edit(beginning), place: place,
            omitted: omitted + text.utf8.count - beginning.utf8.count)
    }
}
