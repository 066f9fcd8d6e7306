package import Messages

/// Who reads and writes in an archive.
package enum Identity: Hashable, Sendable {
    /// The one whom the archive itself names, if it names somebody.
    case ofArchive
    case person(PersonID)
    case nobody
}
