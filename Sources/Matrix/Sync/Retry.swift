/// Decides what follows a request that failed: pauses that grow, the pause that the server asks for, or the end.
package struct Retry: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// In milliseconds.
        case pause(Int)
        /// The server does not know the token any more: everything is asked for as if for the first time.
        case restart
        /// The session has ended, and only a new login helps.
        case loggedOut(isSoft: Bool)
        /// Another try would fail as well: one line for people.
        case giveUp(String)
    }

    private var failures = 0
    private static let longest = 60_000
    /// A server may ask for patience, but not for ever.
    private static let longestAsked = 600_000

    package init() {}

    package mutating func succeeded() { failures = 0 }

    /// - Parameters:
    ///   - hasToken: whether the request carried a token of the server's (`since`).
    ///   - jitter: 0 to 1: many clients of one server are not to come back in the same moment.
    package mutating func failed(_ error: ServerError, hasToken: Bool, jitter: Double) -> Step {
        if error.isOfToken { return .loggedOut(isSoft: error.isSoftLogout) }
        if let pause = error.retryAfter, error.status == 429 || error.status >= 500 {
            failures += 1
            return .pause(min(max(pause, 100), Retry.longestAsked))
        }
        switch error.status {
        case 429, 408, 500...: return .pause(pause(jitter))
        case 400 where hasToken && (error.code == "M_UNKNOWN" || error.code == "M_INVALID_PARAM"): return .restart
        case 401, 403: return .giveUp("the server refuses: \(error.status) \(error.code) \(error.text)")
        default:
            // A proxy may say anything while the server restarts.
            return error.code.isEmpty
                ? .pause(pause(jitter)) : .giveUp("the server refuses: \(error.status) \(error.code) \(error.text)")
        }
    }

    /// After a request without a response.
    package mutating func failed(jitter: Double) -> Step { .pause(pause(jitter)) }

    /// 1 s, 2 s, 4 s … 60 s, and up to half of it more.
    private mutating func pause(_ jitter: Double) -> Int {
        failures += 1
        let pause = min(1_000 << min(failures - 1, 16), Retry.longest)
        return pause + Int(Double(pause) / 2 * min(max(jitter, 0), 1))
    }
}
