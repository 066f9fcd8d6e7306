/// How far a conversation counts as read.
package enum ReadState: Hashable, Sendable {
    /// Up to and including this message: a person has seen it, or it was the last one when the archive was first
    /// opened.
    case upTo(MessageID)
    /// Nothing is read: the conversation did not exist when the archive was first opened, and nobody has opened it
    /// since; or a person has marked all of it as unread.
    case nothing
    /// Everything counts as read: the state of the archive when it was first opened is not noted yet.
    case unknown
}

/// How far a person has read in the conversations of an archive.
package struct ReadStates: Hashable, Sendable {
    /// For the conversations that were opened.
    package var positions: [ConversationID: ReadPosition]
    /// The last message of each conversation when the archive was first opened, which may be a thread reply; a
    /// conversation that was empty has none. Nil as long as that is not noted.
    package var baseline: [ConversationID: MessageID]?

    package init(
        positions: [ConversationID: ReadPosition] = [:], baseline: [ConversationID: MessageID]? = nil
    ) {
        self.positions = positions
        self.baseline = baseline
    }

    package subscript(id: ConversationID) -> ReadState {
        if let position = positions[id] { return position.message.map { .upTo($0) } ?? .nothing }
        guard let baseline else { return .unknown }
        return baseline[id].map { .upTo($0) } ?? .nothing
    }

    /// The replies that wait in the threads of a conversation; nil when they were never noted.
    package func threads(of id: ConversationID) -> ThreadMarks? { positions[id]?.threads }
}
