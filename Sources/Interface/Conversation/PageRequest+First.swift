package import Messages

extension PageRequest {
    /// The request that `Model.start` makes, for as many messages as fill the screen. It can be made before there is a model, which
    /// takes some time to make.
    /// - Parameters:
    ///   - rows: of the screen.
    ///   - read: how far each conversation has been read.
    package static func first(
        in conversation: ConversationID, at position: Position, rows: Int, read: ReadStates
    ) -> PageRequest {
        PageRequest(
            conversation: conversation, position: position, limit: rows, since: read[conversation],
            threads: read.threads(of: conversation))
    }
}
