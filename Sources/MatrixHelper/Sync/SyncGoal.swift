internal import Files

/// The reason why a `SyncLoop` stopped.
package enum SyncEnd: Error, Hashable, Sendable {
    /// The loop has fetched everything that its goal names, or the caller has stopped it.
    case done
    /// The session has ended: only a new login helps.
    case loggedOut(isSoft: Bool)
    /// One line for people.
    case refused(String)
    case disk(String)

    /// One line for people; nil for `done`.
    /// - Parameter user: the ID of the account.
    package func reason(for user: String) -> String? {
        switch self {
        case .done: nil
        case .loggedOut: "the session has ended; go on with: kedge-matrix login \(user)"
        case .refused(let reason), .disk(let reason): reason
        }
    }

    /// Runs `body`, and turns its error into `disk`.
    static func disk<Value>(_ body: () throws(FileError) -> Value) throws(SyncEnd) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw .disk(error.description)
        }
    }
}

/// The clock and the random numbers of a loop, which tests replace.
package struct SyncPace: Sendable {
    /// The time for which the server waits for new events, and the pause before a failing disk is tried again, in milliseconds.
    static let wait = 30_000
    /// The longest sum of the pauses of a loop that does not follow the server, in milliseconds: it tries again for half a minute.
    static let patience = 40_000
    /// The time for which such a loop waits for a byte, in seconds.
    static let longestSilence = 40

    package var now: @Sendable () -> ContinuousClock.Instant
    /// A random number, 0 to 1.
    package var jitter: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        (self.now, self.jitter) = (now, jitter)
    }
}

/// The part of an account to fetch, and when to stop.
package struct SyncGoal: Hashable, Sendable {
    /// True to fetch all rooms from their beginnings.
    package var hasHistory: Bool
    /// True if the loop follows the server until it is stopped.
    package var follows: Bool
    /// True if the loop serves connected Kedges: it also fetches receipts and typing, and waits for a new login.
    package var serves = false
    /// The number of events to request at a time. Servers may send fewer.
    package var pageSize = 1_000

    package init(hasHistory: Bool, follows: Bool, serves: Bool = false) {
        (self.hasHistory, self.follows, self.serves) = (hasHistory, follows, serves)
    }
}

/// The progress of a `SyncLoop`, for people.
package enum SyncReport: Hashable, Sendable {
    /// The archive holds everything that the server had at the time of the last request.
    case current(rooms: Int)
    /// A page of older events.
    case page(conversation: String, events: Int)
    /// A gap is given up until the next start: one line for people.
    case trouble(String)
    /// The server or the disk failed, with the reason; the loop tries again after a pause, in milliseconds.
    case pause(Int, String)
}
