/// How the search for a file of a message goes.
package enum FileNews: Hashable, Sendable {
    /// It is being fetched, and this number of bytes has come.
    case coming(received: Int64)
    case here(path: String)
    /// With the reason, in one line for people.
    case failed(String)
}
