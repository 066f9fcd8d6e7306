/// Events and responses of a Matrix homeserver, as JSON.
package enum Events {
    /// A text by Ana; `more` are further fields of the event.
    package static func text(_ id: String, _ body: String? = nil, sender: String = "@ana:e.org", _ more: String = "")
        -> String
    {
        event(id, #""msgtype":"m.text","body":"\#(body ?? id)""#, sender: sender, more)
    }

    package static func event(
        _ id: String, _ content: String, type: String = "m.room.message", sender: String = "@ana:e.org",
        _ more: String = ""
    ) -> String {
        #"{"type":"\#(type)","event_id":"$\#(id)","sender":"\#(sender)","origin_server_ts":1000,"content":{\#(content)}"#
            + (more.isEmpty ? "}" : ",\(more)}")
    }

    package static func state(_ id: String, _ type: String, _ content: String, key: String = "") -> String {
        event(id, content, type: type, #""state_key":"\#(key)""#)
    }

    package static func member(_ id: String, _ person: String, name: String, membership: String = "join") -> String {
        state(id, "m.room.member", #""membership":"\#(membership)","displayname":"\#(name)""#, key: person)
    }

    /// A room of a response to /sync.
    package static func room(
        _ id: String, _ timeline: [String], state: [String] = [], limited: Bool = false, from: String? = nil,
        summary: String = "", typing: [String]? = nil, fullyRead: String? = nil,
        receipts: String? = nil
    ) -> String {
        let from = from.map { #","prev_batch":"\#($0)""# } ?? ""
        return #""\#(id)":{"timeline":{"events":[\#(timeline.joined(separator: ","))],"limited":\#(limited)\#(from)},"#
            + #""state":{"events":[\#(state.joined(separator: ","))]},"summary":{\#(summary)}"#
            + (typing.map { people in
                let list = people.map { "\"\($0)\"" }.joined(separator: ",")
                return #","ephemeral":{"events":[{"type":"m.typing","content":{"user_ids":[\#(list)]}}]}"#
            } ?? "")
            + (receipts.map { #","ephemeral":{"events":[{"type":"m.receipt","content":{\#($0)}}]}"# } ?? "")
            + (fullyRead.map {
                #","account_data":{"events":[{"type":"m.fully_read","content":{"event_id":"\#($0)"}}]}"#
            } ?? "") + "}"
    }

    /// The content of an event `m.receipt`: one receipt.
    package static func receipt(
        _ event: String, _ person: String, _ time: Int = 1_000, type: String = "m.read", thread: String? = nil
    ) -> String {
        let thread = thread.map { #","thread_id":"\#($0)""# } ?? ""
        return #""\#(event)":{"\#(type)":{"\#(person)":{"ts":\#(time)\#(thread)}}}"#
    }

    package static func sync(_ next: String, _ rooms: [String] = [], left: [String] = []) -> String {
        #"{"next_batch":"\#(next)","rooms":{"join":{\#(rooms.joined(separator: ","))},"leave":{\#(left.joined(separator: ","))}}}"#
    }

    /// A response to /messages.
    package static func page(_ newestFirst: [String], end: String? = nil) -> String {
        #"{"chunk":[\#(newestFirst.joined(separator: ","))]"# + (end.map { #","end":"\#($0)""# } ?? "") + "}"
    }
}

extension Events {
    /// A response to sliding sync. `more` are further rooms, such as changed ones.
    package static func sliding(
        _ pos: String, count: Int, _ rooms: [(id: String, timeline: [String])], limited: Bool = false,
        from: String? = nil,
        state: [String] = [], more: [String] = [], fullyRead: [String: String] = [:]
    ) -> String {
        let from = from.map { #","prev_batch":"\#($0)""# } ?? ""
        let rooms = rooms.map { room in
            #""\#(room.id)":{"initial":true,"timeline":[\#(room.timeline.joined(separator: ","))],"limited":\#(limited)\#(from),"#
                + #""required_state":[\#(state.joined(separator: ","))]}"#
        }
        let marks = fullyRead.sorted { $0.key < $1.key }.map { room, event in
            #""\#(room)":[{"type":"m.fully_read","content":{"event_id":"\#(event)"}}]"#
        }
        return
            #"{"pos":"\#(pos)","lists":{"all":{"count":\#(count)}},"rooms":{\#((rooms + more).joined(separator: ","))},"#
            + #""extensions":{"account_data":{"global":[],"rooms":{\#(marks.joined(separator: ","))}}}}"#
    }
}
