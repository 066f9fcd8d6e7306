package import Messages

/// How the program ends.
package enum Departure: Error, Hashable, Sendable {
    case done
    case interrupted
    /// A signal ended the process.
    case signal(Int32)
    case failed(StoreError)
}
