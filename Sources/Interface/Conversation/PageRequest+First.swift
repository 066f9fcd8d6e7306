package import Messages

extension PageRequest {
    /// What `Model.start` asks for, for as many messages as fill the screen. It can be asked for before there is a model, which
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
