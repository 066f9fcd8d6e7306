/// The progress of work with which a store becomes fast.
package struct StoreProgress: Hashable, Sendable {
    package let work: Work
    /// The share that is done, 0 to 1.
    package let share: Double

    package enum Work: Hashable, Sendable {
        /// An export of another program is read.
        case reading
        case indexing
    }

    package init(_ work: Work, share: Double) {
        self.work = work
        self.share = share
    }
}
