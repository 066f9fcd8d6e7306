package import Dates

/// An event: the fields that all have.
package struct MatrixEvent {
    package let value: JSONValue
    package let content: JSONValue?

    /// - Parameter value: an event, or the pair of a decrypted and an encrypted one that clients keep.
    package init(_ value: JSONValue) {
        self.value = value["decrypted"].flatMap { $0.isObject ? $0 : nil } ?? value
        content = self.value["content"]
    }

    package var id: Bytes? { value["event_id"]?.bytes }
    package var type: Bytes { value["type"]?.bytes ?? .empty }
    package var sender: Bytes? { value["sender"]?.bytes ?? value["user_id"]?.bytes }
    var room: JSONValue? { value["room_id"].flatMap { $0.isString ? $0 : nil } }
    package var stateKey: Bytes? { value["state_key"]?.bytes }
    /// The content that a state had before.
    var previous: JSONValue? { value["unsigned"]?["prev_content"] ?? value["prev_content"] }

    /// The first and the last moment that a record can hold: years have four digits.
    private static let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// As the sender says, which may be anything.
    package var milliseconds: Int64? {
        guard let time = value["origin_server_ts"] else { return nil }
        let number = time.integer ?? time.number.flatMap { Int64(exactly: $0.rounded(.towardZero)) }
        return number.map { min(max($0, MatrixEvent.times.lowerBound), MatrixEvent.times.upperBound) }
    }

    package var time: Timestamp? { milliseconds.map { Timestamp(milliseconds: $0) } }

    var isEvent: Bool {
        id?.first == UInt8(ascii: "$") && sender?.first == UInt8(ascii: "@") && !type.isEmpty
            && content?.isObject == true
    }

    /// Whether the event says that it was redacted, or nothing but its relation is left of its content.
    package var isRedacted: Bool {
        if value["redacted_because"] != nil || value["unsigned"]?["redacted_because"] != nil { return true }
        var isBare = true
        content?.forEachField { name, _ in
            isBare = name == "m.relates_to"
            return isBare
        }
        return isBare
    }

    /// The ID that the program gave to the event that sent it: the server tells it to that program only.
    var transaction: Bytes? { value["unsigned"]?["transaction_id"]?.bytes }

    /// The IDs of the people to whom the message speaks; `@room` for all of them.
    var mentions: [String] {
        guard let mentions = content?["m.mentions"] else { return [] }
        let people = mentions["user_ids"]?.elements.compactMap(\.string) ?? []
        return mentions["room"]?.isTrue == true ? people + ["@room"] : people
    }

    // MARK: - Relations

    package var relation: JSONValue? { content?["m.relates_to"] }

    /// The event of a relation of one kind.
    func target(_ kind: StaticString) -> Bytes? {
        guard let relation, let type = relation["rel_type"]?.bytes, type == kind else { return nil }
        return relation["event_id"]?.bytes
    }

    /// The message to which this is a reply. A thread repeats its last message for clients that know no threads: no reply.
    var replyTarget: Bytes? {
        guard relation?["is_falling_back"]?.isTrue != true else { return nil }
        return relation?["m.in_reply_to"]?["event_id"]?.bytes
    }

    /// The last edit, as the server adds it to the event.
    var bundledEdit: JSONValue? { value["unsigned"]?["m.relations"]?["m.replace"] }
}
