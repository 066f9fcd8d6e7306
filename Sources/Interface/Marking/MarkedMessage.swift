import Messages

/// The message at which the user began to select several.
struct MarkedMessage: Hashable, Sendable {
    let id: MessageID
    /// Its index in the whole conversation, if that is known.
    let place: Int?
    let at: Timestamp
}
