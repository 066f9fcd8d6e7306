package import Messages

/// A line of the helper to Kedge: the response to a request, or a notice that nobody asked for. Events of rooms are never
/// among them: they stand in the files.
///
///     {"n":1,"version":3}
///     {"n":2,"ok":{}}
///     {"n":3,"ok":{"segment":"messages-500000000000000000.jsonl"}}
///     {"n":3,"ok":{"file":"files/e.org/AbC.png"}}
///     {"n":3,"received":65536}
///     {"n":3,"ok":{"conversation":"harbour"}}
///     {"n":3,"ok":{"members":[["@ana:e.org","Ana"],["@ben:e.org","Ben Ong"]]}}
///     {"n":4,"error":"the server cannot be reached","retry":5000}
///     {"state":"offline","reason":"no route to host"}
///     {"read":{"conversation":"harbour","event":"$a"}}
///     {"typing":{"conversation":"harbour","people":["@ana:e.org"]}}
///     {"receipts":{"conversation":"harbour","all":[{"person":"@ana:e.org","event":"$a","thread":"main","at":1764000000000}]}}
///     {"rooms":"changed"}
package enum RelayNews: Hashable, Sendable {
    case response(Int, RelayResponse)
    /// How many bytes of the file have come that the request with this number asks for.
    case progress(Int, received: Int64)
    /// Whether the server can be reached. `reason` is one line for people; empty when online.
    case state(isOnline: Bool, reason: String)
    /// The user has read up to this event, here or in another client.
    case read(ConversationID, MessageID)
    /// The other people who are typing now.
    case typing(ConversationID, people: [PersonID])
    /// How far other people have read, those who came last first: all that is known.
    case receipts(ConversationID, [RelayReceipt])
    /// The files list other rooms, spaces or invitations than before, or other titles of theirs.
    case rooms
}
