/// A change in a conversation that is open.
package enum StoreChange: Hashable, Sendable {
    /// A message in its new form: edited, deleted, reacted to, or replied to in its thread.
    case updated(Message)
    /// A message after the newest one; or a reply in a thread, after the newest reply there.
    case arrived(Message)
    /// These messages, which arrive with this change, are replies in threads that the reader has begun or has written in.
    case inOwnThreads(Set<MessageID>)
    /// Messages are missing between the newest message before this change and those that arrive after it.
    case gap
    /// Messages have come into a gap: an edge with a gap has to be asked for again.
    case filled
    /// The server of the archive can be reached, or no longer.
    case reach(StoreReach)
    /// Any message may have changed, or may be gone.
    case replaced
    /// All people who are typing, apart from the user, for the next few seconds.
    case typing([Person])
    /// How far other people have read: all that is known of that.
    case readers([Reader])
    /// The store knows more than before: the places of messages, and what they quote.
    case indexed
    /// A new line was ignored: the problems say why.
    case passedOver
}
