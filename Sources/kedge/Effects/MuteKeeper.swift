import Interface
import Messages
import Settings

/// Keeps on the disk which conversations are muted.
struct MuteKeeper {
    private let conversations: MutedConversations
    private let keeper: StateKeeper

    init(_ conversations: MutedConversations, troubles: Troubles, mailbox: Mailbox) {
        self.conversations = conversations
        keeper = StateKeeper("the list of muted conversations", troubles: troubles, mailbox: mailbox)
    }

    func load() { keeper.run({ [conversations] in conversations.load() }, then: Event.muted) }

    func set(_ id: ConversationID, _ isMuted: Bool) {
        keeper.run({ [conversations] in conversations.set(id, isMuted) }, then: Event.muted)
    }

    /// Waits at most a second for the disk.
    /// - Returns: a line for people when something is not on the disk then.
    func finish() -> String? { keeper.finish() }
}
