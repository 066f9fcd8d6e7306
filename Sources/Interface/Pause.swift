/// A pause that is over. If its ticket is not that of the last pause of its kind, nothing happens.
package enum Pause: Hashable, Sendable {
    /// A list is slow, so the status line says that it is being loaded.
    case list(PaneTicket)
    /// The first moments of a list are over.
    case settling(PaneTicket)
    /// No change has come in for a moment.
    case quiet(PaneTicket)
    /// The number of messages shall be asked for again.
    case counting(PaneTicket)
    /// The hits of this search may have changed, so they are collected again.
    case hits(Int)
    /// The hits of this search in all conversations may have changed.
    case results(Int)
    /// The store's preparation is slow, so its progress is shown.
    case preparation(Int)
    /// The draft shall be kept.
    case draft(Int)
    /// The list of conversations is slow, so it is shown as far as it has come.
    case switcher(Int)
}
