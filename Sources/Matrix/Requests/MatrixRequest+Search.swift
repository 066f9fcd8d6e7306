internal import Formats

extension MatrixRequest {
    /// Searches for messages, the newest first.
    /// - Parameters:
    ///   - room: nil for all rooms.
    ///   - token: that of the page before; nil for the first one.
    package static func search(_ words: String, room: String?, limit: Int, from token: String?) -> MatrixRequest {
        let rooms = room.map { ",\"rooms\":[\(JSONString.text($0))]" } ?? ""
        let body =
            "{\"search_categories\":{\"room_events\":{\"search_term\":\(JSONString.text(words)),"
            + "\"keys\":[\"content.body\"],\"order_by\":\"recent\",\"filter\":{\"limit\":\(limit)\(rooms)}}}}"
        return MatrixRequest(
            .post, ["_matrix", "client", "v3", "search"], query: [("next_batch", token)], body: Array(body.utf8),
            longestResponse: 8 << 20)
    }
}
