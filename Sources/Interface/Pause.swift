/// The end of a pause, by the number under which it began: the end of an earlier one counts for nothing.
package enum Pause: Hashable, Sendable {
    /// A list is on its way for so long that it is worth a word.
    case list(Int)
    /// The first moments of a list have passed.
    case settling(Int)
    /// No change has come in for a moment.
    case quiet(Int)
    /// The number of messages is asked for again.
    case counting(Int)
    /// The store works for so long that it is worth a word.
    case preparation(Int)
    /// A draft is kept.
    case draft(Int)
    /// The list of conversations is shown as far as it is there.
    case switcher(Int)
}
