/// Why a mirror stopped.
package enum MirrorEnd: Error, Hashable, Sendable {
    /// Everything that was wanted is here, or the caller has stopped it.
    case done
    /// Only a new login helps.
    case loggedOut(isSoft: Bool)
    /// One line for people.
    case refused(String)
    case disk(String)

    /// One line for people; nil when it is done.
    /// - Parameter user: the ID of the account.
    package func reason(for user: String) -> String? {
        switch self {
        case .done: nil
        case .loggedOut: "the session has ended; go on with: kedge-matrix login \(user)"
        case .refused(let reason), .disk(let reason): reason
        }
    }
}
