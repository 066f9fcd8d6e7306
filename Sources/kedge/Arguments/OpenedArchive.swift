import Messages
import Mirror
import Search

/// An archive that a command has opened.
struct OpenedArchive {
    let store: any MessageStore
    /// Nil for an archive of Kedge's own.
    let mirror: MirroredStore?
    /// Whether a server is asked for what is missing, and sends what is written.
    var isServed = false

    /// The one conversation of the archive, which is opened without being named; nil if there are several. An invitation stands in
    /// the list of conversations, which is shown then.
    /// - Parameter path: of the archive.
    func only(at path: String) throws -> Link? {
        guard let id = SingleConversation.id(in: mirror, at: path) else { return nil }
        if isServed {
            let invitations = try waiting { () async throws(StoreError) in await store.invitations() }
            guard invitations.isEmpty else { return nil }
        }
        return Link(conversation: id, message: nil)
    }

    /// Why no conversation can be made, for the screen; nil if one can.
    var obstacleToMaking: String? {
        if mirror != nil { return MirroredStore.obstacle }
        return isServed ? "rooms are made on the server; an address such as #name:server joins one" : nil
    }

    /// The place that a link names, by Kedge's own IDs.
    func resolved(_ link: Link) -> Link { mirror?.resolved(link) ?? link }

    /// The conversation of a link, and the link with the conversation's ID: a link may name the conversation by its title too,
    /// and as `#general`, in any case.
    /// - Throws: `noSuchConversation`, and a `Failure` when several conversations have the name.
    func conversation(of link: Link) throws -> (conversation: Conversation, link: Link) {
        let link = resolved(link)
        do {
            return (
                try waiting { () async throws(StoreError) in try await store.conversation(link.conversation) }, link
            )
        } catch StoreError.noSuchConversation(let id, let nearest) {
            guard let found = try OpenedArchive.conversation(named: id.rawValue, in: store) else {
                throw StoreError.noSuchConversation(id, nearest: nearest)
            }
            return (found, Link(conversation: found.id, message: link.message))
        }
    }

    /// The conversation whose ID or title is the name, but for case, accents and a "#" before it; nil if there is none.
    /// - Throws: a `Failure` when there are several.
    static func conversation(named name: String, in store: any ConversationListing) throws -> Conversation? {
        let wanted = QueryName(name)
        let all = try waiting { () async throws(StoreError) in try await store.conversations() }
        let found = all.filter(wanted.names)
        guard found.count > 1 else { return found.first }
        let ids = found.prefix(5).map { "\"\($0.id.rawValue.shortened)\"" }.joined(separator: ", ")
        throw Failure(
            .usage,
            "\(found.count) conversations are called \"\(name.shortened)\": use an ID (\(ids)\(found.count > 5 ? ", …" : ""))"
        )
    }
}
