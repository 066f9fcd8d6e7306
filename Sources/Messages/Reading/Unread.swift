/// The messages of a conversation that are new to a person.
package struct Unread: Hashable, Sendable {
    /// Messages of the main timeline, without the person's own.
    package var count: Int
    /// The messages among them that name the person or reply to the person, such replies in threads, and all replies in threads that
    /// the person has begun or has written in.
    package var mentions: Int

    package init(count: Int = 0, mentions: Int = 0) {
        self.count = count
        self.mentions = mentions
    }

    package var isEmpty: Bool { count == 0 && mentions == 0 }

    package static func + (a: Unread, b: Unread) -> Unread {
        Unread(count: a.count + b.count, mentions: a.mentions + b.mentions)
    }

    package static func += (a: inout Unread, b: Unread) { a = a + b }
}
