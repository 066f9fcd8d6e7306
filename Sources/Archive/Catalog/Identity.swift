package import Messages

/// Who reads and writes in an archive.
package enum Identity: Hashable, Sendable {
    /// The one whom the archive itself names, if it names somebody.
    case ofArchive
    case person(PersonID)
    case nobody
}

/// Whom somebody means by an ID or a name.
package enum PersonMatch: Hashable, Sendable {
    case one(PersonID)
    /// Several people have this name.
    case several([Person])
    /// Nobody has it; these may be meant instead, the nearest first.
    case nobody(nearest: [Person])
}
