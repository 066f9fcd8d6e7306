/// The state of a store's connection to its server.
package enum StoreReach: Hashable, Sendable {
    case online
    /// - Parameter reason: one line for people.
    case offline(reason: String)
}
