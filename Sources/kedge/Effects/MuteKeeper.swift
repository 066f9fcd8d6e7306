import Interface
import Messages
import Settings
import Threads

/// Reads and changes on the disk which conversations are muted, on a thread of its own. Each time it tells the event loop all of
/// them.
final class MuteKeeper: Sendable {
    private let conversations: MutedConversations
    /// A slow disk, or another process that holds the lock, must not stop the screen.
    private let disk = SerialThread()
    private let mailbox: Mailbox
    private let troubles: Troubles

    init(_ conversations: MutedConversations, troubles: Troubles, mailbox: Mailbox) {
        self.conversations = conversations
        self.troubles = troubles
        self.mailbox = mailbox
    }

    func load() {
        disk.run { [self] in
            let (all, problem) = conversations.load()
            tell(all, problem)
        }
    }

    func set(_ id: ConversationID, _ isMuted: Bool) {
        disk.run { [self] in
            let (all, problem) = conversations.set(id, isMuted)
            tell(all, problem)
        }
    }

    /// Waits at most a second for the disk.
    /// - Returns: a line for people when something is not on the disk then.
    func finish() -> String? {
        disk.finish(within: .seconds(1)) ? nil : "the muted conversations could not be written within a second"
    }

    private func tell(_ all: Set<ConversationID>?, _ problem: String?) {
        troubles.tell(problem)
        if let all { mailbox.post(.muted(all)) }
    }
}
