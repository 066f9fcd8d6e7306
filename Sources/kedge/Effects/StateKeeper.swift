import Interface
import Logging
import Messages
import Settings
import Synchronization
import Threads

/// Reads and changes one of the user's own files on a thread, and reports the whole contents to the event loop each time.
final class StateKeeper: Sendable {
    /// The name of the contents, for people.
    private let name: String
    /// A slow disk, or another process that holds the lock, must not stop the screen.
    private let disk = SerialThread()
    private let mailbox: Mailbox
    private let troubles: Troubles

    init(_ name: String, troubles: Troubles, mailbox: Mailbox) {
        self.name = name
        self.troubles = troubles
        self.mailbox = mailbox
    }

    /// Returns at once.
    /// - Parameter work: returns the new contents, nil when they are not known; and a line for people about a problem.
    func run<Contents>(
        _ work: @escaping @Sendable () -> (Contents?, String?), then news: @escaping @Sendable (Contents) -> News
    ) {
        disk.run { [self] in
            let (contents, problem) = work()
            troubles.tell(problem)
            if let contents { mailbox.post(.news(news(contents))) }
        }
    }

    /// Waits at most a second for the disk.
    /// - Returns: a line for people when something is not on the disk then.
    func finish() -> String? {
        disk.finish(within: .seconds(1)) ? nil : "\(name) could not be written within a second"
    }
}

/// Saves the user's bookmarks on the disk.
struct BookmarkKeeper {
    private let bookmarks: Bookmarks
    let keeper: StateKeeper

    init(_ bookmarks: Bookmarks, troubles: Troubles, mailbox: Mailbox) {
        self.bookmarks = bookmarks
        keeper = StateKeeper("a bookmark", troubles: troubles, mailbox: mailbox)
    }

    func make(_ change: BookmarkChange) {
        keeper.run(
            { [bookmarks] in
                switch change {
                case .none: bookmarks.load()
                case .set(let bookmark): bookmarks.set(bookmark)
                case .remove(let bookmark): bookmarks.remove(bookmark)
                }
            }, then: News.bookmarks)
    }
}

/// Saves the list of muted conversations on the disk.
struct MuteKeeper {
    private let conversations: MutedConversations
    let keeper: StateKeeper

    init(_ conversations: MutedConversations, troubles: Troubles, mailbox: Mailbox) {
        self.conversations = conversations
        keeper = StateKeeper("the list of muted conversations", troubles: troubles, mailbox: mailbox)
    }

    func load() { keeper.run({ [conversations] in conversations.load() }, then: News.muted) }

    func set(_ id: ConversationID, _ isMuted: Bool) {
        keeper.run({ [conversations] in conversations.set(id, isMuted) }, then: News.muted)
    }
}

/// Reports problems with the user's own files, in the log and on the screen.
final class Troubles: Sendable {
    private let reported = Mutex<Set<String>>([])
    private let logger: Logger
    private let mailbox: Mailbox

    init(logger: Logger, mailbox: Mailbox) {
        self.logger = logger
        self.mailbox = mailbox
    }

    /// Writes to the log only.
    func log(_ line: String) { logger.warning("\(line)") }

    /// Reports each problem once, though it comes again with every write.
    func tell(_ problem: String?) {
        guard let problem else { return }
        guard reported.withLock({ $0.insert(problem).inserted }) else { return }
        logger.warning("\(problem)")
        mailbox.post(.trouble(problem))
    }
}
