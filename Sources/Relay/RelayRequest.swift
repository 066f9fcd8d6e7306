package import Messages

/// A request of Kedge to the helper of a server, as a line of JSON: it has a number, which the response repeats.
///
///     {"n":1,"hello":5}
///     {"n":2,"fill":{"conversation":"harbour","segment":"messages-500000000000000000.jsonl","side":"before","limit":50}}
///     {"n":3,"around":{"conversation":"harbour","event":"$a"}}
///     {"n":4,"send":{"conversation":"harbour","post":{"type":"message","id":"01J…","at":1764000000000,"from":"@me:e.org","text":"…"}}}
///     {"n":5,"read":{"conversation":"harbour","event":"$a","receipt":"private"}}
///     {"n":6,"typing":{"conversation":"harbour","on":true}}
///     {"n":7,"media":{"conversation":"harbour","event":"$a"}}
///     {"n":8,"follow":{"conversation":"harbour","on":true}}
///     {"n":9,"renewed":true}
///     {"n":10,"search":{"words":"deploy today","conversation":"harbour","limit":20,"next":"token"}}
///     {"n":11,"join":{"address":"#harbour:e.org"}}
///     {"n":12,"decline":{"room":"!AbC:e.org"}}
///     {"n":13,"leave":{"conversation":"harbour"}}
///     {"n":14,"members":{"conversation":"harbour"}}
///     {"n":15,"history":true}
package struct RelayRequest: Hashable, Sendable {
    /// The version of this protocol. A helper of another version is of no use.
    package static let version = 5

    package let number: Int
    package let content: Content

    package enum Content: Hashable, Sendable {
        /// The first request of a connection. The response has the version of the helper.
        case hello(version: Int)
        /// Fetches events that stand right before a segment (the name of its file), or right after it, if a gap is there: at
        /// most `limit` of them, or as many as the server sends at a time. The response comes when they are in the files, and it
        /// is the same when no gap is left there.
        case fill(ConversationID, segment: String, side: Side, limit: Int)
        /// Fetches an event and the events around it, unless it is in the files. The response has the segment that holds it.
        case around(ConversationID, MessageID)
        /// Sends a post. Its ID is the transaction: a request that is repeated sends nothing twice. The response comes when
        /// the server has accepted it; the record with this ID as its `transaction` may be in the files before or after.
        case send(ConversationID, Post)
        /// Tells the server how far the user has read.
        case read(ConversationID, MessageID, ReadReceipt)
        /// Tells the server whether the user is typing. To be repeated every 20 seconds while that is so.
        case typing(ConversationID, isOn: Bool)
        /// Asks to be told who has read how far in a conversation, now and whenever that changes; or not any more.
        case follow(ConversationID, isOn: Bool)
        /// Says that the user has logged in again.
        case renewed
        /// Fetches the file of a message into the archive. The response has its path there.
        case media(ConversationID, MessageID)
        /// Lets the server search.
        case search(RelaySearch)
        /// Joins a room, also one to which the user is invited: by its ID, an alias or a link. The response has its conversation, and
        /// comes when that is in the files.
        case join(address: String)
        /// Declines an invitation to a room.
        case decline(room: String)
        /// Leaves a room. What is in the files stays.
        case leave(ConversationID)
        /// Asks the server for all members of a room.
        case members(ConversationID)
        /// Fetches all rooms from their beginnings. The response comes when they are in the files.
        case history
    }

    /// A side of a segment.
    package enum Side: String, Hashable, Sendable {
        case before
        case after
    }

    package init(_ number: Int, _ content: Content) { (self.number, self.content) = (number, content) }
}
