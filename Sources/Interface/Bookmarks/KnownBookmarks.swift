import Messages

/// The bookmarks as they were last read. They are read when they are first needed, and not at the start.
struct KnownBookmarks: Hashable, Sendable {
    /// Nil before they were read.
    var all: [Bookmark]?
    /// The letter that was typed before they were read, and the conversation then.
    var wanted: Wanted?

    struct Wanted: Hashable, Sendable {
        let letter: Character
        let conversation: ConversationID
    }
}
