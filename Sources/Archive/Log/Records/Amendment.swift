internal import Messages

/// A later line that changes how a message is shown.
struct Amendment: Equatable {
    enum Action: Equatable {
        case edit(String)
        case delete
        case react(String, isRemoved: Bool)
        /// People answered in its thread, so often, and when they last did.
        case replies(Int, last: Timestamp)

        /// Whether it changes what the message says.
        var isTextChange: Bool {
            switch self {
            case .edit, .delete: true
            case .react, .replies: false
            }
        }
    }

    let target: MessageID
    let sender: PersonID?
    let action: Action
    /// Of the last of them where it stands for several lines.
    let place: LinePlace
}
