package import Messages

/// How the program ends.
package enum Departure: Error, Hashable, Sendable {
    case done
    case interrupted
    /// The process was told to go.
    case signal(Int32)
    case failed(StoreError)
}
