import Messages
import Testing

@testable import Archive

@Suite("Folding later lines into a message")
struct FoldingTests {
    private func fold(_ amendments: (String?, Amendment.Action)..., sender: PersonID? = PersonID("ana"))
        -> FoldedMessage
    {
        let message = StoredMessage(
            id: "m", at: Timestamp(milliseconds: 0), sender: sender, text: "old",
            place: LinePlace(segment: 0, offset: 10))
        let list = amendments.enumerated().map { index, amendment in
            Amendment(
                target: "m", sender: amendment.0.map { PersonID($0) }, action: amendment.1,
                place: LinePlace(segment: 0, offset: Int64(20 + index)))
        }
        return FoldedMessage(message, list)
    }

    @Test("nothing behind it: as it was written")
    func plain() {
        let folded = fold()
        #expect(folded.text == "old" && !folded.isEdited && !folded.isDeleted && folded.replyCount == 0)
    }

    @Test("the last edit of the author wins")
    func lastEdit() {
        let folded = fold(("ana", .edit("new")), ("ana", .edit("newest")))
        #expect(folded.text == "newest" && folded.isEdited)
    }

    @Test("edits and deletions of others, or of nobody, do not count")
    func strangers() {
        let folded = fold(("ben", .edit("new")), (nil, .edit("new")), ("ben", .delete), (nil, .delete))
        #expect(folded.text == "old" && !folded.isEdited && !folded.isDeleted)
    }

    @Test("a message of nobody is never edited or deleted")
    func noAuthor() {
        let folded = fold((nil, .edit("new")), (nil, .delete), ("ana", .delete), sender: nil)
        #expect(folded.text == "old" && !folded.isEdited && !folded.isDeleted)
    }

    @Test("a deletion leaves nothing but the replies, whatever follows")
    func deletion() {
        let folded = fold(
            ("ben", .react("👍", isRemoved: false)), ("ana", .delete), ("ana", .edit("new")),
            (nil, .replies(2, last: Timestamp(milliseconds: 7))), ("ben", .replies(1, last: Timestamp(milliseconds: 5)))
        )
        #expect(folded.isDeleted && folded.text.isEmpty && !folded.isEdited && folded.reactions.isEmpty)
        #expect(folded.replyCount == 3 && folded.lastReply == Timestamp(milliseconds: 5))
    }

    @Test("lines before the message, and lines about others, do not count")
    func otherLines() {
        let message = StoredMessage(
            id: "m", at: Timestamp(milliseconds: 0), sender: PersonID("ana"), text: "old",
            place: LinePlace(segment: 1, offset: 10))
        let before = Amendment(
            target: "m", sender: PersonID("ana"), action: .delete, place: LinePlace(segment: 0, offset: 99))
        let other = Amendment(
            target: "x", sender: PersonID("ana"), action: .delete, place: LinePlace(segment: 2, offset: 0))
        #expect(!FoldedMessage(message, [before, other]).isDeleted)
    }

    @Test("the last state of each emoji and person wins, in the order of first use")
    func reactions() {
        let folded = fold(
            ("ben", .react("👍", isRemoved: false)), ("cy", .react("🎉", isRemoved: false)),
            ("cy", .react("👍", isRemoved: false)), ("ben", .react("👍", isRemoved: true)),
            ("cy", .react("🎉", isRemoved: true)), ("dan", .react("😀", isRemoved: true)),
            (nil, .react("😀", isRemoved: false)), ("ben", .react("👍", isRemoved: false)),
            ("ben", .react("👍", isRemoved: false)))
        #expect(folded.reactions == [.init(emoji: "👍", people: [PersonID("ben"), PersonID("cy")])])
    }
}

extension OpaqueID: ExpressibleByStringLiteral, ExpressibleByExtendedGraphemeClusterLiteral,
    ExpressibleByUnicodeScalarLiteral
{
    package init(stringLiteral value: String) { self.init(value) }
}
