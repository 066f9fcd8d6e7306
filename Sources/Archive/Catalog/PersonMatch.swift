package import Messages

/// Whom somebody means by an ID or a name.
package enum PersonMatch: Hashable, Sendable {
    case one(PersonID)
    /// Several people have this name.
    case several([Person])
    /// Nobody has it; these may be meant instead, the nearest first.
    case nobody(nearest: [Person])
}
