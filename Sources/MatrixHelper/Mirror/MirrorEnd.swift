/// Why a mirror stopped.
package enum MirrorEnd: Error, Hashable, Sendable {
    /// Everything that was wanted is here, or the caller has stopped it.
    case done
    /// Only a new login helps.
    case loggedOut(isSoft: Bool)
    /// One line for people.
    case refused(String)
    case disk(String)
}
