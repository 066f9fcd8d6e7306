import Messages
import Mirror

/// An archive that a command has opened.
struct OpenedArchive {
    let store: any MessageStore
    /// Nil for an archive of Kedge's own.
    let mirror: MirroredStore?

    /// The one conversation of an export, which is opened without being named; nil if there are several.
    var only: Link? { mirror?.onlyConversation.map { Link(conversation: $0, message: nil) } }

    /// The place that a link names, by Kedge's own IDs.
    func resolved(_ link: Link) -> Link { mirror?.resolved(link) ?? link }
}
