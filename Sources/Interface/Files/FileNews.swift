package import Messages

/// How the search for a file of a message goes.
package enum FileNews: Hashable, Sendable {
    /// It is being fetched, and this number of bytes has come.
    case coming(received: Int64)
    /// - Parameter isExecutable: whether it may be run as a program.
    case here(path: String, isExecutable: Bool = false)
    case failed(StoreError)
}
