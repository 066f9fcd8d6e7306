package import ArchiveFormat
internal import Formats
internal import JSON

/// Invitations in the server's responses.
extension InvitationEntry {
    /// Reads a response to the request for invitations; nil for any other response.
    /// - Parameter me: the ID of this account.
    package static func all(_ body: UnsafeRawBufferPointer, me: String) -> [InvitationEntry]? {
        guard let text = LongJSON(document: body, by: JSONTree()), text["next_batch"]?.string != nil else { return nil }
        return all(in: text["rooms"]?["invite"], me: me).sorted { $0.id < $1.id }
    }

    /// More invitations are spam, and are not read.
    private static let most = 10_000

    /// - Parameter list: the list in a response to /sync.
    static func all(in list: LongJSON?, me: String) -> [InvitationEntry] {
        guard let list else { return [] }
        return list.fields.lazy.filter { !$0.name.isEmpty }.prefix(most).compactMap { room, text in
            text.value.map { InvitationEntry(room, $0, me: me) }
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
        let sender = inviter.flatMap { UserID.isValid($0) ? $0 : nil }
        self.init(
            id: room, title: [name, alias].compactMap { $0?.visibleName }.first, sender: sender,
            senderName: sender.flatMap { names[$0] }.flatMap(\.visibleName), isToSpace: type == "m.space")
    }
}
