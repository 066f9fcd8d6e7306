import Messages

/// A row of the list of conversations at the left.
enum SidebarItem: Hashable, Sendable {
    case conversation(ConversationID)
    case invitation(Invitation)
    /// The title of the conversations below it.
    case heading(String)

    var conversation: ConversationID? { if case .conversation(let id) = self { id } else { nil } }
    var isHeading: Bool { if case .heading = self { true } else { false } }
}
