package import Messages

/// The result of a search for a person by ID or name.
package enum PersonMatch: Hashable, Sendable {
    case one(PersonID)
    /// Several people have this name.
    case several([Person])
    /// No match. The list has people with similar names, best first.
    case nobody(nearest: [Person])
}
