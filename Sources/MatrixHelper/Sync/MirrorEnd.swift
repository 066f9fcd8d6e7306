internal import Relay

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

/// Something that happened to a mirror.
enum MirrorEvent: Sendable {
    /// The response to /sync, with the number of the request.
    case synced(Int, Result<HTTPResponse, HTTPFailure>)
    /// The response to a request that the filling of gaps has begun, with the number of that request.
    case filled(Int, Result<HTTPResponse, HTTPFailure>)
    /// The response to a request that sends a post.
    case sent(Result<HTTPResponse, HTTPFailure>)
    /// The response to a request for the events around one, in a room.
    case found(Asker, event: String, room: String, Result<HTTPResponse, HTTPFailure>)
    /// The server's word on where an event stands, with those around it.
    case placed(FoundIsland, Result<HTTPResponse, HTTPFailure>)
    /// The response to a request that only its asker waits for.
    case replied(Asker, Result<HTTPResponse, HTTPFailure>)
    /// The response to a request for the members of a room.
    case listed(Asker, Result<HTTPResponse, HTTPFailure>)
    /// The response to a request that joins a room.
    case joined(Asker, Result<HTTPResponse, HTTPFailure>)
    /// The response to a request for a file, with its path in the archive.
    case fetched(String, Result<HTTPResponse, HTTPFailure>)
    /// The number of bytes that have come of a file, with its path in the archive.
    case moved(String, Int64)
    /// The response to a search.
    case searched(Asker, Result<HTTPResponse, HTTPFailure>)
    /// A request of Kedge.
    case asked(Asker, RelayRequest.Content)
    /// The response to a request for the reactions to a message.
    case reacted(Result<HTTPResponse, HTTPFailure>)
    /// The connection of a Kedge has ended.
    case left(Int)
    case stopped
}

/// Time and chance, which tests set.
package struct MirrorPace: Sendable {
    /// The longest pauses of a mirror that does not follow the server, added up, in milliseconds: it tries again for half a minute.
    static let patience = 40_000
    /// How long such a mirror waits for a byte, in seconds.
    static let longestSilence = 40

    package var now: @Sendable () -> ContinuousClock.Instant
    /// 0 to 1.
    package var jitter: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        (self.now, self.jitter) = (now, jitter)
    }
}
