package import JSON

/// A space in spaces.json, whose order is that of the screen.
package struct SpaceEntry: Hashable, Sendable {
    package let id: String
    package let title: String?
    package let conversations: [String]
    /// An object that only the network's helper reads.
    package let matrix: JSONText?

    package init(id: String, title: String?, conversations: [String], matrix: JSONText? = nil) {
        (self.id, self.title, self.conversations, self.matrix) = (id, title, conversations, matrix)
    }

    /// The content of the file.
    package static func file(_ spaces: [SpaceEntry]) -> [UInt8] {
        let lines: [JSONText] = spaces.map { space in
            [
                "id": JSONText(space.id), "title": JSONText(ifAny: space.title),
                "conversations": JSONText(space.conversations), "matrix": space.matrix,
            ]
        }
        return Array(JSONText.lines(lines).utf8)
    }

    /// The spaces in the content of the file.
    package static func all(in file: Bytes) throws(JSONReader.Failure) -> [SpaceEntry] {
        var spaces: [SpaceEntry] = []
        let list = JSONReader(names: "")
        try JSONReader(names: "id title conversations matrix").array(file) { fields in
            guard let id = fields.text(0) else { return true }
            let matrix = fields.kind(3) == .object ? JSONText(json: fields.bytes(3).string) : nil
            let conversations = fields.kind(2) == .array ? try? list.strings(fields.bytes(2)) : nil
            spaces.append(
                SpaceEntry(id: id, title: fields.text(1), conversations: conversations ?? [], matrix: matrix))
            return true
        }
        return spaces
    }
}

/// An invitation in invitations.json, the oldest first. Its contents come from the person who invites.
package struct InvitationEntry: Hashable, Sendable {
    /// The conversation's ID on the server.
    package let id: String
    package let title: String?
    /// The ID of the person who invites.
    package let sender: String?
    /// The name of that person in the conversation.
    package let senderName: String?
    package let isToSpace: Bool

    package init(id: String, title: String?, sender: String?, senderName: String?, isToSpace: Bool) {
        (self.id, self.title, self.sender, self.senderName) = (id, title, sender, senderName)
        self.isToSpace = isToSpace
    }

    /// The content of the file.
    package static func file(_ invitations: [InvitationEntry]) -> [UInt8] {
        let lines: [JSONText] = invitations.map { invitation in
            [
                "id": JSONText(invitation.id), "title": JSONText(ifAny: invitation.title),
                "from": JSONText(ifAny: invitation.sender), "fromName": JSONText(ifAny: invitation.senderName),
                "space": invitation.isToSpace ? true : nil,
            ]
        }
        return Array(JSONText.lines(lines).utf8)
    }

    /// The invitations in the content of the file.
    package static func all(in file: Bytes) throws(JSONReader.Failure) -> [InvitationEntry] {
        var invitations: [InvitationEntry] = []
        try JSONReader(names: "id title from fromName space").array(file) { fields in
            guard let id = fields.text(0) else { return true }
            invitations.append(
                InvitationEntry(
                    id: id, title: fields.text(1), sender: fields.text(2), senderName: fields.text(3),
                    isToSpace: fields.kind(4) == .yes))
            return true
        }
        return invitations
    }
}
