import Interface
import Messages
import Settings

/// Keeps the user's bookmarks on the disk.
struct BookmarkKeeper {
    private let bookmarks: Bookmarks
    private let keeper: StateKeeper

    init(_ bookmarks: Bookmarks, troubles: Troubles, mailbox: Mailbox) {
        self.bookmarks = bookmarks
        keeper = StateKeeper("a bookmark", troubles: troubles, mailbox: mailbox)
    }

    func load() { keeper.run({ [bookmarks] in bookmarks.load() }, then: Event.bookmarks) }

    func set(_ bookmark: Bookmark) { keeper.run({ [bookmarks] in bookmarks.set(bookmark) }, then: Event.bookmarks) }

    func remove(_ bookmark: Bookmark) {
        keeper.run({ [bookmarks] in bookmarks.remove(bookmark) }, then: Event.bookmarks)
    }

    /// Waits at most a second for the disk.
    /// - Returns: a line for people when something is not on the disk then.
    func finish() -> String? { keeper.finish() }
}
