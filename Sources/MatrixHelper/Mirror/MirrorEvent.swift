/// Something that happened to a mirror.
enum MirrorEvent: Sendable {
    /// The answer to /sync.
    case synced(Result<HTTPAnswer, HTTPFailure>)
    /// The answer to the request that the filling of gaps has begun.
    case filled(Result<HTTPAnswer, HTTPFailure>)
    case stopped
}
