internal import Formats

/// Requests of the first look at an account: the newest rooms before all others.
extension MatrixRequest {
    /// Asks for a token after which everything is new; the response holds no room.
    package static let syncToken: MatrixRequest = {
        let nothing = #"{"not_types":["*"]}"#
        let filter = #"{"room":{"rooms":[]},"presence":\#(nothing),"account_data":\#(nothing)}"#
        return MatrixRequest(
            .get, ["_matrix", "client", "v3", "sync"], query: [("filter", filter), ("timeout", "0")], limit: 180_000,
            longestResponse: 16 << 20)
    }()

    /// The state that a room's facts come from, and the members who have written.
    private static let slidingState = [
        #"["m.room.create",""]"#, #"["m.room.name",""]"#, #"["m.room.topic",""]"#, #"["m.room.canonical_alias",""]"#,
        #"["m.room.encryption",""]"#, #"["m.room.power_levels",""]"#, #"["m.room.tombstone",""]"#,
        #"["m.space.child","*"]"#,
        #"["m.room.member","$LAZY"]"#, #"["m.room.member","$ME"]"#,
    ]

    /// Asks for the newest rooms by simplified sliding sync (MSC4186).
    /// - Parameters:
    ///   - count: how many of them; those that came in earlier responses come again only if they have changed.
    ///   - pos: the token of the response before; nil for the first.
    ///   - hasPeople: whether it is wanted how far people have read.
    package static func slidingSync(rooms count: Int, pos: String?, hasPeople: Bool = false) -> MatrixRequest {
        let body =
            #"{"conn_id":"kedge","lists":{"all":{"ranges":[[0,\#(max(count, 1) - 1)]],"timeline_limit":\#(timelineLimit),"#
            + #""required_state":[\#(slidingState.joined(separator: ","))]}},"#
            + #""extensions":{"account_data":{"enabled":true}\#(hasPeople ? #","receipts":{"enabled":true}"# : "")}}"#
        return MatrixRequest(
            .post, ["_matrix", "client", "unstable", "org.matrix.simplified_msc3575", "sync"],
            query: [("pos", pos), ("timeout", "0")], body: Array(body.utf8), limit: 600_000,
            longestResponse: 512 << 20)
    }
}
