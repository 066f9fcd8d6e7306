/// Lines for events that are no messages.
enum MatrixState {
    /// Nil for an event that people do not see.
    static func text(of event: MatrixEvent, by actor: String) -> String? {
        let content = event.content
        func value(_ key: StaticString) -> String { content?[key]?.string ?? "" }
        switch event.type.string {
        case "m.room.create": return "\(actor) created the room"
        case "m.room.name":
            return value("name").isEmpty
                ? "\(actor) removed the room's name" : "\(actor) named the room «\(value("name"))»"
        case "m.room.topic":
            return value("topic").isEmpty
                ? "\(actor) removed the topic" : "\(actor) changed the topic to «\(value("topic"))»"
        case "m.room.avatar": return "\(actor) changed the room's picture"
        case "m.room.canonical_alias":
            return value("alias").isEmpty
                ? "\(actor) changed the room's addresses" : "\(actor) set the room's address to \(value("alias"))"
        case "m.room.encryption": return "\(actor) turned on encryption"
        case "m.room.pinned_events": return "\(actor) changed the pinned messages"
        case "m.room.tombstone":
            return value("body").isEmpty ? "\(actor) moved the room" : "\(actor) moved the room: \(value("body"))"
        case "m.room.power_levels": return "\(actor) changed permissions"
        case "m.room.join_rules": return "\(actor) changed who may join: \(value("join_rule"))"
        case "m.room.history_visibility":
            return "\(actor) changed who may read the history: \(value("history_visibility"))"
        case "m.room.guest_access": return "\(actor) changed whether guests may join: \(value("guest_access"))"
        case "m.room.server_acl": return "\(actor) changed the servers that may take part"
        case "m.call.invite": return "\(actor) called"
        case "m.call.hangup": return "\(actor) ended the call"
        case "m.beacon_info", "org.matrix.msc3672.beacon_info":
            guard content?["live"]?.isTrue == true else { return "\(actor) stopped sharing their live location" }
            let about = value("description").isEmpty ? "" : ": \(value("description"))"
            return "\(actor) shared their live location\(about)"
        case "m.beacon", "org.matrix.msc3672.beacon":
            let place = content?["m.location"] ?? content?["org.matrix.msc3488.location"]
            let address = place?["uri"]?.string.map { " (\($0))" } ?? ""
            return "\(actor) sent their live location\(address)"
        default: return nil
        }
    }

    /// Whether a change of settings is of no more interest than joins and leaves.
    static func isMinor(_ type: Bytes) -> Bool {
        switch type.string {
        case "m.room.power_levels", "m.room.join_rules", "m.room.history_visibility", "m.room.guest_access",
            "m.room.server_acl", "m.room.canonical_alias", "m.room.avatar", "m.beacon", "org.matrix.msc3672.beacon":
            true
        default: false
        }
    }
}
