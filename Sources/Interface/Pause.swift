/// The end of a pause, by its ticket: the end of an earlier pause of the same kind has no effect.
package enum Pause: Hashable, Sendable {
    /// A list is on its way for so long that it is worth a word.
    case list(PaneTicket)
    /// The first moments of a list have passed.
    case settling(PaneTicket)
    /// No change has come in for a moment.
    case quiet(PaneTicket)
    /// The number of messages is asked for again.
    case counting(PaneTicket)
    /// The store works for so long that it is worth a word.
    case preparation(Int)
    /// A draft is kept.
    case draft(Int)
    /// The list of conversations is shown as far as it is there.
    case switcher(Int)
}
