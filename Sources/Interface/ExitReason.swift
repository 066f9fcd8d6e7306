package import Messages

/// The reason why the program ends.
package enum ExitReason: Error, Hashable, Sendable {
    case done
    case interrupted
    /// A signal ended the process.
    case signal(Int32)
    case failed(StoreError)
}
