package import Messages

/// The person who reads and writes in an archive.
package enum Identity: Hashable, Sendable {
    /// The person whom archive.json names, if it names one.
    case ofArchive
    case person(PersonID)
    case nobody
}
