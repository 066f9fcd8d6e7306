/// Whether a store can reach the server whose messages it holds.
package enum StoreReach: Hashable, Sendable {
    case online
    /// - Parameter reason: one line for people.
    case offline(reason: String)
}
