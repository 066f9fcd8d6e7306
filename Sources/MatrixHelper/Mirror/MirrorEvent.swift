/// Something that happened to a mirror.
enum MirrorEvent: Sendable {
    /// The response to /sync.
    case synced(Result<HTTPResponse, HTTPFailure>)
    /// The response to the request that the filling of gaps has begun.
    case filled(Result<HTTPResponse, HTTPFailure>)
    case stopped
}
