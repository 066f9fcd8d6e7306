internal import Relay

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
