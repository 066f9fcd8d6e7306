package import Dates
package import JSON

/// An event, with the fields that all events have.
package struct MatrixEvent {
    package let value: JSONValue
    package let content: JSONValue?

    /// - Parameter value: an event, or the pair of a decrypted and an encrypted event that clients keep.
    package init(_ value: JSONValue) {
        self.value = value["decrypted"].flatMap { $0.isObject ? $0 : nil } ?? value
        content = self.value["content"]
    }

    package var id: Bytes? { value["event_id"]?.bytes }
    package var type: Bytes { value["type"]?.bytes ?? .empty }
    package var sender: Bytes? { value["sender"]?.bytes ?? value["user_id"]?.bytes }
    var room: JSONValue? { value["room_id"].flatMap { $0.isString ? $0 : nil } }
    package var stateKey: Bytes? { value["state_key"]?.bytes }
    /// The content of a state event before this one.
    var previous: JSONValue? { value["unsigned"]?["prev_content"] ?? value["prev_content"] }

    /// The first and the last moment that a record can hold: years have four digits.
    private static let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// The time according to the sender, which may be anything.
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

    /// True if the keys of the object are IDs of people instead of fields.
    var namesPeople: Bool {
        var isName = value.isObject
        value.forEachField { name, _ in
            isName = name.first == UInt8(ascii: "@")
            return isName
        }
        return isName
    }

    /// True if the event says that it was redacted, or if its content is gone except for its relation.
    package var isRedacted: Bool {
        if value["redacted_because"] != nil || value["unsigned"]?["redacted_because"] != nil { return true }
        var isBare = true
        content?.forEachField { name, _ in
            isBare = name == "m.relates_to"
            return isBare
        }
        return isBare
    }

    /// The ID that the sending program gave to the event: the server returns it only to that program.
    var transaction: Bytes? { value["unsigned"]?["transaction_id"]?.bytes }

    /// The IDs of the people whom the message mentions; `@room` for everybody.
    var mentions: [String] {
        guard let mentions = content?["m.mentions"] else { return [] }
        let people = mentions["user_ids"]?.elements.compactMap(\.string) ?? []
        return mentions["room"]?.isTrue == true ? people + ["@room"] : people
    }

    // MARK: - Relations

    package var relation: JSONValue? { content?["m.relates_to"] }

    /// The ID of the event to which this one has a relation of some kind.
    func target(_ kind: StaticString) -> Bytes? {
        guard let relation, let type = relation["rel_type"]?.bytes, type == kind else { return nil }
        return relation["event_id"]?.bytes
    }

    /// The message to which this one replies. Nil for the reply that every thread message contains for clients without threads.
    var replyTarget: Bytes? {
        guard relation?["is_falling_back"]?.isTrue != true else { return nil }
        return relation?["m.in_reply_to"]?["event_id"]?.bytes
    }

    /// The last edit, which the server adds to the event.
    var bundledEdit: JSONValue? { value["unsigned"]?["m.relations"]?["m.replace"] }

    /// Counts of reactions, which old servers added to the event, without names of people.
    var bundledReactions: [ForeignReaction] {
        (value["unsigned"]?["m.relations"]?["m.annotation"]?["chunk"]).list.compactMap { item in
            guard let emoji = item["key"]?.string, !emoji.isEmpty, let count = item["count"]?.integer, count > 0 else {
                return nil
            }
            return ForeignReaction(emoji: emoji, count: Int(clamping: count))
        }
    }
}
