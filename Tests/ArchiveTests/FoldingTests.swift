import Messages
import Testing

@testable import Archive

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

    @Test func `A message without later lines stays as it was written`() {
        let folded = fold()
        #expect(folded.text == "old" && !folded.isEdited && !folded.isDeleted && folded.replyCount == 0)
    }

    @Test func `The last edit of the author wins`() {
        let folded = fold(("ana", .edit("new")), ("ana", .edit("newest")))
        #expect(folded.text == "newest" && folded.isEdited)
    }

    @Test func `Edits and deletions from anyone but the author have no effect`() {
        let folded = fold(("ben", .edit("new")), (nil, .edit("new")), ("ben", .delete), (nil, .delete))
        #expect(folded.text == "old" && !folded.isEdited && !folded.isDeleted)
    }

    @Test func `A message without a sender is never edited or deleted`() {
        let folded = fold((nil, .edit("new")), (nil, .delete), ("ana", .delete), sender: nil)
        #expect(folded.text == "old" && !folded.isEdited && !folded.isDeleted)
    }

    @Test func `A deletion leaves only the replies`() {
        let folded = fold(
            ("ben", .react("👍", isRemoved: false)), ("ana", .delete), ("ana", .edit("new")),
            (nil, .replies(2, last: Timestamp(milliseconds: 7))), ("ben", .replies(1, last: Timestamp(milliseconds: 5)))
        )
        #expect(folded.isDeleted && folded.text.isEmpty && !folded.isEdited && folded.reactions.isEmpty)
        #expect(folded.replyCount == 3 && folded.lastReply == Timestamp(milliseconds: 5))
    }

    @Test func `Lines before the message and lines about other messages have no effect`() {
        let message = StoredMessage(
            id: "m", at: Timestamp(milliseconds: 0), sender: PersonID("ana"), text: "old",
            place: LinePlace(segment: 1, offset: 10))
        let before = Amendment(
            target: "m", sender: PersonID("ana"), action: .delete, place: LinePlace(segment: 0, offset: 99))
        let other = Amendment(
            target: "x", sender: PersonID("ana"), action: .delete, place: LinePlace(segment: 2, offset: 0))
        #expect(!FoldedMessage(message, [before, other]).isDeleted)
    }

    @Test func `The last state of each emoji and person counts, in the order of first use`() {
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
