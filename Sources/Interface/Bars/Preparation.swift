/// The work by which the store becomes fast.
struct Preparation: Hashable, Sendable {
    /// How much of it is done, 0 to 1; nil when nothing is left to do.
    var share: Double?
    /// Names the pause after which it is told: work of a moment is not worth a word. Nil while it is told.
    var epoch: Int?

    /// The share that is told.
    var shown: Double? { epoch == nil ? share : nil }
}
