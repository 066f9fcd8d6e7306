internal import Formats

/// An invitation to a room. The person who invites says what stands in it.
package struct Invitation: Hashable, Sendable {
    package let room: String
    package let name: String?
    /// The ID of the person who invites.
    package let inviter: String?

    /// Reads a response to the request for invitations; nil if it is none.
    /// - Parameter me: the ID of this account.
    package static func all(_ body: UnsafeRawBufferPointer, me: String) -> [Invitation]? {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let value = tree.parse(body), value["next_batch"]?.isString == true else { return nil }
        var invitations: [Invitation] = []
        value["rooms"]?["invite"]?.forEachField { room, value in
            if !room.isEmpty { invitations.append(Invitation(room.string, value, me: me)) }
            return true
        }
        return invitations.sorted { $0.room < $1.room }
    }

    private init(_ room: String, _ value: JSONValue, me: String) {
        var (name, alias, inviter): (String?, String?, String?)
        if let events = value["invite_state"]?["events"] {
            for event in events.elements {
                let content = event["content"]
                switch event["type"]?.string {
                case "m.room.name": name = content?["name"]?.string
                case "m.room.canonical_alias": alias = content?["alias"]?.string
                case "m.room.member" where event["state_key"]?.string == me: inviter = event["sender"]?.string
                default: break
                }
            }
        }
        self.room = room
        self.name = name ?? alias
        self.inviter = inviter
    }
}
