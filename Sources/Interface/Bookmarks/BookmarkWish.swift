import Messages

/// A wish of a prompt or a list of bookmarks.
enum BookmarkWish: Hashable, Sendable {
    /// Sets a bookmark at a message of the conversation on the screen.
    case set(Character, MessageID)
    case go(Character)
    /// Goes to where the last jump started; again, back to here.
    case goBack
    case open(Bookmark)
    case remove(Bookmark)
}
