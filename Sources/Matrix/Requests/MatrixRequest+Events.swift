/// Requests for events.
extension MatrixRequest {
    private static let client = ["_matrix", "client", "v3"]
    /// The longest responses with events, in bytes. For an account of thousands of rooms the first one has some hundred megabytes at
    /// most: it is read from a file, a part at a time. Where a page is too long, a smaller one is asked for.
    private static let longestSync = 512 << 20
    private static let longestPage = 8 << 20

    /// How many of the newest events of a room a response of /sync holds at most.
    package static let timelineLimit = 50

    /// - Parameter hasPeople: whether it is wanted who is typing, and how far people have read.
    private static func filter(hasPeople: Bool) -> String {
        let typing = hasPeople ? #""types":["m.typing","m.receipt"]"# : #""not_types":["*"]"#
        return
            #"{"room":{"timeline":{"limit":\#(timelineLimit),"lazy_load_members":true},"#
            + #""state":{"lazy_load_members":true},"ephemeral":{\#(typing)},"account_data":{"types":["m.fully_read"]}},"#
            + #""presence":{"not_types":["*"]},"account_data":{"not_types":["*"]}}"#
    }

    /// Asks what is new.
    /// - Parameters:
    ///   - since: the token of the response before; nil for the first.
    ///   - wait: how long the server waits for something new, in milliseconds.
    ///   - hasPeople: whether it is wanted who is typing, and how far people have read: the server responds whenever that changes.
    package static func sync(since: String?, wait: Int, hasPeople: Bool = false) -> MatrixRequest {
        let wait = since == nil ? 0 : wait
        return MatrixRequest(
            .get, client + ["sync"],
            query: [("filter", filter(hasPeople: hasPeople)), ("since", since), ("timeout", "\(wait)")],
            // The first response may take the server minutes.
            limit: since == nil ? 1_200_000 : wait + 180_000, longestResponse: longestSync)
    }

    /// Asks for the events before a token, the newest first, or for those after it, the oldest first.
    /// - Parameter end: the token at which to stop; nil to go to the beginning of the room.
    package static func messages(
        room: String, _ direction: FillDirection, from: String, to end: String?, limit: Int
    ) -> MatrixRequest {
        MatrixRequest(
            .get, client + ["rooms", room, "messages"],
            query: [
                ("dir", direction.rawValue), ("from", from), ("to", end), ("limit", "\(limit)"),
                ("filter", #"{"lazy_load_members":true}"#),
            ], limit: 300_000, longestResponse: longestPage)
    }

    /// Asks for an event and those around it.
    /// - Parameter limit: the number of events around it.
    package static func context(room: String, event: String, limit: Int) -> MatrixRequest {
        MatrixRequest(
            .get, client + ["rooms", room, "context", event],
            query: [("limit", "\(limit)"), ("filter", #"{"lazy_load_members":true}"#)], longestResponse: longestPage)
    }

    /// Asks for the reactions to an event, the newest first: so many as a page of the server has, and no more.
    package static func reactions(room: String, event: String) -> MatrixRequest {
        MatrixRequest(
            .get, ["_matrix", "client", "v1", "rooms", room, "relations", event, "m.annotation", "m.reaction"],
            query: [("limit", "100")])
    }

    /// Asks for the tokens on both sides of an event.
    package static func tokens(room: String, event: String) -> MatrixRequest {
        MatrixRequest(.get, client + ["rooms", room, "context", event], query: [("limit", "0")])
    }
}
