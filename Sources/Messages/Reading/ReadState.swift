/// How far a conversation counts as read.
package enum ReadState: Hashable, Sendable {
    /// Up to this message and with it: somebody has seen it, or it stood last when the archive was first opened.
    case upTo(MessageID)
    /// The conversation was not there when the archive was first opened, and nobody has looked at it since: nothing is read.
    case nothing
    /// Nobody has noted yet what was there when the archive was first opened: all counts as read.
    case unknown
}

/// How far somebody has read in the conversations of an archive.
package struct ReadStates: Hashable, Sendable {
    /// Of the conversations that were looked at.
    package var positions: [ConversationID: ReadPosition]
    /// The message that stood last in each conversation when the archive was first opened, a thread reply too; nothing of a
    /// conversation that was empty. Nil as long as that is not noted.
    package var baseline: [ConversationID: MessageID]?

    package init(
        positions: [ConversationID: ReadPosition] = [:], baseline: [ConversationID: MessageID]? = nil
    ) {
        self.positions = positions
        self.baseline = baseline
    }

    package subscript(id: ConversationID) -> ReadState {
        if let position = positions[id] { return .upTo(position.message) }
        guard let baseline else { return .unknown }
        return baseline[id].map { .upTo($0) } ?? .nothing
    }

    /// What waits in the threads of a conversation; nil where that was never noted.
    package func threads(of id: ConversationID) -> ThreadMarks? { positions[id]?.threads }
}
