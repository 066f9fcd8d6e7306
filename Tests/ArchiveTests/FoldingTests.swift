import Messages
import Testing

@testable import Archive

struct FoldingTests {
    private func fold(
        _ amendments: (String?, Amendment.Action)..., sender: PersonID? = PersonID("ana"),
        kind: Message.Kind = .text, attachments: [Messages.Attachment] = []
    ) -> FoldedMessage {
        let message = StoredMessage(
            id: "m", at: Timestamp(milliseconds: 0), sender: sender, kind: kind, text: "old",
            attachments: attachments, place: LinePlace(segment: 0, offset: 10))
        let list = amendments.enumerated().map { index, amendment in
            Amendment(
                target: "m", sender: amendment.0.map { PersonID($0) }, action: amendment.1,
                place: LinePlace(segment: 0, offset: Int64(20 + index)),
                isBlank: [.edit(""), .edit(" \n")].contains(amendment.1))
        }
        return FoldedMessage(message, list)
    }

    @Test(arguments: [("❤", "❤️"), ("❤️", "❤"), ("☺︎", "☺️"), ("❤️", "❤️")])
    func `A variation selector makes no other reaction`(first: String, second: String) {
        let both = fold(("ben", .react(first, isRemoved: false)), ("cy", .react(second, isRemoved: false)))
        #expect(both.reactions == [.init(emoji: first, people: [PersonID("ben"), PersonID("cy")])])
        let gone = fold(("ben", .react(first, isRemoved: false)), ("ben", .react(second, isRemoved: true)))
        #expect(gone.reactions.isEmpty)
        // Tones do.
        let tones = fold(("ben", .react("👍", isRemoved: false)), ("cy", .react("👍🏽", isRemoved: false)))
        #expect(tones.reactions.count == 2)
    }

    @Test func `A message without later lines stays as it was written`() {
        let folded = fold()
        #expect(folded.text == "old" && !folded.isEdited && !folded.isDeleted && folded.replyCount == 0)
    }

    @Test func `The last edit of the author wins`() {
        let folded = fold(("ana", .edit("new")), ("ana", .edit("newest")))
        #expect(folded.text == "newest" && folded.isEdited)
    }

    @Test(arguments: ["", " \n"]) func `An edit leaves no message without anything to show`(text: String) {
        let folded = fold(("ana", .edit("new")), ("ana", .edit(text)))
        #expect(folded.text == "new" && folded.isEdited)
        let only = fold(("ana", .edit(text)))
        #expect(only.text == "old" && !only.isEdited && only.lastTextChange == nil)
        // The caption of a picture may go.
        let picture = fold(
            ("ana", .edit(text)), attachments: [Messages.Attachment(name: "boat.png", path: nil, size: nil)])
        #expect(picture.text == text && picture.isEdited)
    }

    @Test func `No edit rewords an event, not even by the person who caused it`() {
        let folded = fold(("ana", .edit("Ana invited nobody")), kind: .system)
        #expect(folded.text == "old" && !folded.isEdited && folded.lastTextChange == nil)
        let deleted = fold(("ana", .delete(isModeration: false)), kind: .system)
        #expect(deleted.isDeleted)
    }

    @Test func `Edits and deletions from anyone but the author have no effect`() {
        let folded = fold(
            ("ben", .edit("new")), (nil, .edit("new")), ("ben", .delete(isModeration: false)),
            (nil, .delete(isModeration: false)))
        #expect(folded.text == "old" && !folded.isEdited && !folded.isDeleted)
    }

    @Test func `A message without a sender is never edited or deleted`() {
        let folded = fold(
            (nil, .edit("new")), (nil, .delete(isModeration: false)), ("ana", .delete(isModeration: false)), sender: nil
        )
        #expect(folded.text == "old" && !folded.isEdited && !folded.isDeleted)
    }

    @Test func `A deletion leaves only the replies`() {
        let folded = fold(
            ("ben", .react("👍", isRemoved: false)), ("ana", .delete(isModeration: false)), ("ana", .edit("new")),
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
            target: "m", sender: PersonID("ana"), action: .delete(isModeration: false),
            place: LinePlace(segment: 0, offset: 99))
        let other = Amendment(
            target: "x", sender: PersonID("ana"), action: .delete(isModeration: false),
            place: LinePlace(segment: 2, offset: 0))
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

extension FoldingTests {
    /// A message of an export, which tells its own state.
    private func foldExported(
        isEdited: Bool = false, isDeleted: Bool = false, _ reactions: [CountedReaction] = [],
        _ amendments: (String?, Amendment.Action)...
    ) -> FoldedMessage {
        let message = StoredMessage(
            id: "m", at: Timestamp(milliseconds: 0), sender: "ana", text: isDeleted ? "" : "old", isEdited: isEdited,
            isDeleted: isDeleted, reactions: reactions, place: LinePlace(segment: 0, offset: 10))
        return FoldedMessage(
            message,
            amendments.enumerated().map { index, amendment in
                Amendment(
                    target: "m", sender: amendment.0.map { PersonID($0) }, action: amendment.1,
                    place: LinePlace(segment: 0, offset: Int64(20 + index)))
            })
    }

    @Test func `The state in the line of a message counts, and later lines change it`() {
        #expect(foldExported(isEdited: true).isEdited)
        let deleted = foldExported(isEdited: true, [], ("ana", .edit("new")), ("ana", .delete(isModeration: false)))
        #expect(deleted.isDeleted && !deleted.isEdited && deleted.text.isEmpty)
        let gone = foldExported(isDeleted: true, [], ("ana", .edit("new")))
        #expect(gone.isDeleted && gone.text.isEmpty && !gone.isEdited)
    }

    @Test func `A moderator deletes messages of others, and of nobody`() {
        #expect(foldExported([], ("ben", .delete(isModeration: true))).isDeleted)
        #expect(foldExported([], (nil, .delete(isModeration: true))).isDeleted)
        #expect(fold((nil, .delete(isModeration: true)), sender: nil).isDeleted)
    }

    @Test(arguments: [
        // A person who is not named and takes a reaction back was one of those who are only counted.
        ("dan", true, ["ben"], 8), ("ben", true, [], 8), ("dan", false, ["ben", "dan"], 10), ("ben", false, ["ben"], 9),
    ])
    func `Later reactions are added to the counted ones, and taken from them`(
        person: String, isRemoved: Bool, people: [PersonID], count: Int
    ) {
        let counted = CountedReaction(emoji: "👍", people: ["ben"], count: 9)
        let folded = foldExported([counted], (person, .react("👍", isRemoved: isRemoved)))
        #expect(folded.reactions == [CountedReaction(emoji: "👍", people: people, count: count)])
    }

    @Test func `A reaction that nobody has any more is gone`() {
        let counted = [
            CountedReaction(emoji: "👍", people: [], count: 1), CountedReaction(emoji: "🎉", people: ["ben"]),
        ]
        let folded = foldExported(
            counted, ("cy", .react("👍", isRemoved: true)), ("dan", .react("👍", isRemoved: true)),
            ("ben", .react("🎉", isRemoved: true)))
        #expect(folded.reactions.isEmpty)
    }

    @Test func `An emoji that is counted twice counts once`() {
        let counted = [
            CountedReaction(emoji: "👍", people: ["ben"], count: 2), CountedReaction(emoji: "🎉", people: ["cy"]),
            CountedReaction(emoji: "👍", people: ["ben", "cy"], count: 3),
        ]
        let people: [PersonID] = ["ben", "cy"]
        #expect(
            foldExported(counted).reactions == [
                CountedReaction(emoji: "👍", people: people, count: 4), CountedReaction(emoji: "🎉", people: ["cy"]),
            ])
    }
}

extension OpaqueID: ExpressibleByStringLiteral, ExpressibleByExtendedGraphemeClusterLiteral,
    ExpressibleByUnicodeScalarLiteral
{
    package init(stringLiteral value: String) { self.init(value) }
}
