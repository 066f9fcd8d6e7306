internal import Formats

/// An invitation to a room. The person who invites says what stands in it.
package struct RoomInvitation: Hashable, Sendable {
    package let room: String
    package let name: String?
    /// The ID of the person who invites.
    package let inviter: String?
    /// The name that this person has there.
    package let inviterName: String?
    package let isSpace: Bool

    /// Reads a response to the request for invitations; nil if it is none.
    /// - Parameter me: the ID of this account.
    package static func all(_ body: UnsafeRawBufferPointer, me: String) -> [RoomInvitation]? {
        guard let text = LongJSON(document: body, by: JSONTree()), text["next_batch"]?.string != nil else { return nil }
        return all(in: text["rooms"]?["invite"], me: me).sorted { $0.room < $1.room }
    }

    /// More invitations are spam, and are not read.
    private static let most = 10_000

    /// - Parameter list: of a response to /sync.
    static func all(in list: LongJSON?, me: String) -> [RoomInvitation] {
        guard let list else { return [] }
        return list.fields.lazy.filter { !$0.name.isEmpty }.prefix(most).compactMap { room, text in
            text.value.map { RoomInvitation(room, $0, me: me) }
        }
    }

    private init(_ room: String, _ value: JSONValue, me: String) {
        var (name, alias, type, inviter): (String?, String?, String?, String?)
        var names: [String: String] = [:]
        if let events = value["invite_state"]?["events"] {
            for event in events.elements {
                let content = event["content"]
                switch event["type"]?.string {
                case "m.room.name": name = content?["name"]?.string
                case "m.room.canonical_alias": alias = content?["alias"]?.string
                case "m.room.create": type = content?["type"]?.string
                case "m.room.member":
                    guard let person = event["state_key"]?.string else { continue }
                    names[person] = content?["displayname"]?.string
                    if person == me { inviter = event["sender"]?.string }
                default: break
                }
            }
        }
        self.room = room
        self.name = [name, alias].compactMap { $0?.visibleName }.first
        self.inviter = inviter.flatMap { UserID.isValid($0) ? $0 : nil }
        inviterName = self.inviter.flatMap { names[$0] }.flatMap(\.visibleName)
        isSpace = type == "m.space"
    }
}

/// The file invitations.json.
extension RoomInvitation {
    package static func file(_ invitations: [RoomInvitation]) -> [UInt8] {
        let lines = invitations.map { invitation in
            var text = "\"id\":\(JSONString.text(invitation.room))"
            func add(_ key: String, _ value: String?) {
                if let value { text += ",\"\(key)\":\(JSONString.text(value))" }
            }
            add("title", invitation.name)
            add("from", invitation.inviter)
            add("fromName", invitation.inviterName)
            return "{\(text)\(invitation.isSpace ? ",\"space\":true" : "")}"
        }
        return Array("[\(lines.joined(separator: ",\n"))]\n".utf8)
    }

    package static func all(file bytes: UnsafeRawBufferPointer) -> [RoomInvitation] {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        return tree.parse(bytes)?.elements.compactMap { RoomInvitation(stored: $0) } ?? []
    }

    private init?(stored value: JSONValue) {
        guard let room = value["id"]?.string, !room.isEmpty else { return nil }
        self.room = room
        (name, inviter, inviterName) = (value["title"]?.string, value["from"]?.string, value["fromName"]?.string)
        isSpace = value["space"]?.isTrue == true
    }
}
