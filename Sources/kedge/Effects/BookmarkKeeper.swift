import Interface
import Messages
import Settings
import Threads

/// Reads and changes the bookmarks on the disk, on a thread of its own. Each time it tells the event loop all of them.
final class BookmarkKeeper: Sendable {
    private let bookmarks: Bookmarks
    /// A slow disk, or another process that holds the lock, must not stop the screen.
    private let disk = SerialThread()
    private let mailbox: Mailbox
    private let troubles: Troubles

    init(_ bookmarks: Bookmarks, troubles: Troubles, mailbox: Mailbox) {
        self.bookmarks = bookmarks
        self.troubles = troubles
        self.mailbox = mailbox
    }

    func load() {
        disk.run { [self] in
            let (all, problem) = bookmarks.load()
            tell(all, problem)
        }
    }

    func set(_ bookmark: Bookmark) {
        disk.run { [self] in
            let (all, problem) = bookmarks.set(bookmark)
            tell(all, problem)
        }
    }

    func remove(_ bookmark: Bookmark) {
        disk.run { [self] in
            let (all, problem) = bookmarks.remove(bookmark)
            tell(all, problem)
        }
    }

    /// Waits at most a second for the disk.
    /// - Returns: a line for people when something is not on the disk then.
    func finish() -> String? {
        disk.finish(within: .seconds(1)) ? nil : "a bookmark could not be written within a second"
    }

    private func tell(_ all: [Bookmark]?, _ problem: String?) {
        troubles.tell(problem)
        if let all { mailbox.post(.bookmarks(all)) }
    }
}
