import Messages

/// A row of the list of conversations that can be chosen.
struct SwitcherRow: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case conversation(ConversationSummary)
        case invitation(Invitation)
        /// A room that can be joined, by its typed address.
        case address(String)
    }

    /// The text with the matched letters.
    struct Match: Hashable, Sendable {
        enum Part: Hashable, Sendable { case title, id, topic, people, space }

        let part: Part
        let text: String
        /// UTF-8 offsets in `text`.
        let ranges: [Range<Int>]
    }

    enum ID: Hashable, Sendable {
        case conversation(ConversationID)
        case invitation(String)
        case address
    }

    let content: Content
    var match: Match?

    var id: ID {
        switch content {
        case .conversation(let summary): .conversation(summary.conversation.id)
        case .invitation(let invitation): .invitation(invitation.id)
        case .address: .address
        }
    }

    var summary: ConversationSummary? { if case .conversation(let summary) = content { summary } else { nil } }
    var conversation: Conversation? { summary?.conversation }
}

/// What a line of the list of conversations shows.
enum SwitcherLine: Hashable, Sendable {
    /// The title of the space whose conversations stand below.
    case heading(String)
    /// The row with this index.
    case row(Int)

    var isHeading: Bool { if case .heading = self { true } else { false } }
}
