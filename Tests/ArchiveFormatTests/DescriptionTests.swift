import JSON
import Testing

@testable import ArchiveFormat

/// The files besides those with records.
struct DescriptionTests {
    private func people(_ file: String) -> [PersonEntry] {
        let list = JSONReader(names: "")
        var people: [PersonEntry] = []
        Array(file.utf8).withUnsafeBytes { bytes in
            try? PersonEntry.forEach(in: bytes) { person in
                people.append(
                    PersonEntry(
                        id: person.id.string, name: person.name?.string ?? "", plain: person.plain,
                        names: person.names(by: list)))
                return true
            }
        }
        return people
    }

    @Test func `People are read as they were written`() {
        let some = [
            PersonEntry(id: "@ana:e.org", name: "Ana \"A\""), PersonEntry(id: "b", name: "Ben (b)", plain: "Ben"),
            PersonEntry(id: "c", name: "Cy", names: ["Captain", "C\u{1B}"]),
        ]
        #expect(people(PersonEntry.file(some)) == some)
        #expect(
            people("[7,{\"name\":\"x\"},{\"id\":\"d\",\"names\":7},{\"id\":7}]") == [PersonEntry(id: "d", name: "")])
        #expect(people("{}").isEmpty && people("").isEmpty)
    }

    @Test func `A conversation is read as it was written`() throws {
        var file = ConversationFile(id: "general", title: "Gen\"eral", topic: "x")
        #expect(file.json.text == #"{"id":"general","title":"Gen\"eral","topic":"x"}"#)
        (file.members, file.aliases) = (["ana", "ben"], ["C1"])
        (file.readUpTo, file.predecessor, file.successor, file.movedTo) = ("m1", "a", "b", "https://e.org")
        (file.memberCount, file.callsAll, file.isClosed, file.hasLeft) = (12, true, true, true)
        (file.link, file.names) = ("https://e.org/1", [PersonEntry(id: "ana", name: "Ana")])
        file.matrix = JSONText(json: #"{"room":"!r","children":["a"]}"#)
        let read = try file.json.bytes.withUnsafeBytes { try ConversationFileReader(isWhole: true).read($0) }
        #expect(read.json == file.json)
        let part = try file.json.bytes.withUnsafeBytes { try ConversationFileReader().read($0) }
        #expect(part.aliases.isEmpty && part.matrix == nil && part.members == ["ana", "ben"])
    }

    @Test func `One reader reads many conversations`() throws {
        let reader = ConversationFileReader(isWhole: true)
        for number in 0..<20 {
            var file = ConversationFile(id: "\(number)", title: nil, topic: nil)
            file.members = (0..<number).map { "person-\($0)" }
            file.aliases = (0..<(20 - number)).map { "alias-\($0)" }
            #expect(try file.json.bytes.withUnsafeBytes { try reader.read($0) }.json == file.json)
        }
        #expect(throws: JSONReader.Failure.wrongKind) { try Array("[]".utf8).withUnsafeBytes { try reader.read($0) } }
    }

    @Test func `Spaces and invitations are read as they were written`() throws {
        let spaces = [
            SpaceEntry(id: "s", title: nil, conversations: []),
            SpaceEntry(id: "t", title: "T\"", conversations: ["a", "b"], matrix: JSONText(json: #"{"room":"!t"}"#)),
        ]
        #expect(try SpaceEntry.file(spaces).withUnsafeBytes { try SpaceEntry.all(in: $0) } == spaces)
        let invitations = [
            InvitationEntry(id: "!a", title: "Pier", sender: "@ana:e.org", senderName: "Ana", isToSpace: true),
            InvitationEntry(id: "!b", title: nil, sender: nil, senderName: nil, isToSpace: false),
        ]
        #expect(
            try InvitationEntry.file(invitations).withUnsafeBytes { try InvitationEntry.all(in: $0) } == invitations)
    }
}
