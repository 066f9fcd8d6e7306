/// An invitation to a conversation of a server. The person who invites says what stands in it.
package struct Invitation: Hashable, Sendable, Identifiable {
    /// By which it is accepted or declined: the ID of the room on its server.
    package let id: String
    package let title: String?
    package let sender: Person?
    /// Whether it is to a space, and not to a conversation.
    package let isToSpace: Bool

    package init(id: String, title: String?, sender: Person?, isToSpace: Bool = false) {
        (self.id, self.title, self.sender, self.isToSpace) = (id, title, sender, isToSpace)
    }

    /// What a list calls it: the title, the person who invites, or the ID.
    package var name: String { title ?? sender?.name ?? id }
}
