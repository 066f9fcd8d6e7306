internal import Formats

/// Requests that change a room.
extension MatrixRequest {
    private static let client = ["_matrix", "client", "v3"]

    /// Sends an event. A request that is repeated sends nothing twice.
    /// - Parameters:
    ///   - transaction: names the event for the server: the same for each try.
    ///   - content: JSON.
    package static func send(
        _ type: String, _ content: String, room: String, transaction: String
    ) -> MatrixRequest {
        MatrixRequest(.put, client + ["rooms", room, "send", type, transaction], body: Array(content.utf8))
    }

    /// Removes the content of an event.
    package static func redact(_ event: String, room: String, transaction: String) -> MatrixRequest {
        MatrixRequest(.put, client + ["rooms", room, "redact", event, transaction], body: Array("{}".utf8))
    }

    /// Says that everything up to an event is read.
    /// - Parameter receipt: `m.read` to tell the other people, `m.read.private` for the user's other clients; nil for neither.
    package static func read(_ event: String, room: String, receipt: String?) -> MatrixRequest {
        let event = JSONString.text(event)
        let told = receipt.map { ",\"\($0)\":\(event)" } ?? ""
        let body = "{\"m.fully_read\":\(event)\(told)}"
        return MatrixRequest(.post, client + ["rooms", room, "read_markers"], body: Array(body.utf8))
    }

    /// Says whether a person is typing. It counts for half a minute.
    package static func typing(_ isOn: Bool, room: String, user: String) -> MatrixRequest {
        let body = isOn ? "{\"typing\":true,\"timeout\":30000}" : "{\"typing\":false}"
        return MatrixRequest(.put, client + ["rooms", room, "typing", user], body: Array(body.utf8))
    }
}
