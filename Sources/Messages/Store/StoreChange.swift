/// Something that changed in a conversation while somebody looks at it.
package enum StoreChange: Hashable, Sendable {
    /// A message as it is now (edited, deleted, reacted to, answered to in its thread).
    case updated(Message)
    /// A message behind the newest one; or a reply in a thread, behind the newest of those.
    case arrived(Message)
    /// Messages may be others than they were, or gone.
    case replaced
    /// Who is writing, besides oneself: all of them, for the next few seconds.
    case typing([Person])
    /// The store knows more than before: where the messages stand, and what they quote.
    case indexed
    /// What has come in was passed over: the problems say why.
    case passedOver
}
