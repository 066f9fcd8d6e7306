import Foundation
import Messages
import Search
import Testing

@testable import Archive

/// Messages whose own line tells their state, as exports and servers write them.
struct ExportedMessageTests {
    @Test func `A page shows the state that the line of a message describes`() async throws {
        let archive = try TemporaryArchive(
            message("m1", more: #","edited":true,"source":{"id":"x","line":7}"#),
            message("m2", "secret", more: #","deleted":true,"attachments":[{"name":"a.png"}]"#),
            message("m3", more: #","reactions":[{"emoji":"👍","count":9,"people":["ben","cy","ben"]}]"#),
            message("m4", more: #","replyTo":"m2""#))
        let store = try archive.open()
        let page = try await store.page(.earliest)
        #expect(page.messages.map(\.isEdited) == [true, false, false, false])
        #expect(page.messages.map(\.isDeleted) == [false, true, false, false])
        #expect(page.messages[1].text.isEmpty && page.messages[1].attachments.isEmpty)
        let reaction = try #require(page.messages[2].reactions.first)
        #expect(reaction.count == 9 && reaction.people.map(\.id) == ["ben", "cy"])
        #expect(page.messages[3].quote?.content == .deleted)
        #expect(await store.problems() == [])
    }

    @Test(arguments: [
        (#"[]"#, []), (#"["👍"]"#, []), (#"[{"count":2}]"#, []), (#"[{"emoji":"","count":2}]"#, []),
        (#"[{"emoji":"👍"}]"#, []), (#"[{"emoji":"👍","count":-3}]"#, []), (#"[{"emoji":"👍","count":"3"}]"#, []),
        (#"[{"emoji":"👍","count":0.5,"people":["ben"]}]"#, [1]), (#"[{"emoji":"👍","count":1,"people":7}]"#, [1]),
        (#"[{"emoji":"👍","count":0,"people":["ben",3,"","cy"]}]"#, [2]),
        (#"[{"emoji":"👍","count":1},{"emoji":"🎉","count":2}]"#, [1, 2]),
    ])
    func `Odd reactions are left out, and the message is shown`(json: String, counts: [Int]) async throws {
        let archive = try TemporaryArchive(message("m1", more: #","reactions":\#(json)"#))
        let store = try archive.open()
        #expect(try await store.first()?.reactions.map(\.count) == counts)
        #expect(await store.problems() == [])
    }

    @Test(arguments: [true, false])
    func `A message that is deleted in its own line is no hit`(isIndexed: Bool) async throws {
        let archive = try TemporaryArchive(
            message("m1", "the tide"), message("m2", "the tide", more: #","deleted":true"#),
            message("m3", "a tide", more: #","deleted":true,"attachments":[{"name":"a.png"}]"#),
            record("edit", "e1", on: "m2", more: #","text":"tide again""#))
        if isIndexed { try archive.makeIndex() }
        let store = try archive.open(index: isIndexed ? archive.index : nil)
        for query in ["tide", "from:ana", "-harbour", "has:file"] {
            let hits = try await store.hits(SearchRequest(Query(query))).map(\.message.rawValue)
            #expect(hits == (query == "has:file" ? [] : ["m1"]), "\(query)")
            #expect(try await store.places(query, in: "general").map(\.order) == hits.map { _ in 0 }, "\(query)")
        }
        if isIndexed { try IndexCheckTests.expectRight(archive, "deleted") }
    }

    @Test func `A deletion by a moderator counts, and the index agrees`() async throws {
        let archive = try TemporaryArchive(message("m1", "tide"), message("m2", "tide"))
        try archive.append(
            firstSegment,
            record("delete", "d1", on: "m1", from: "mod", more: #","by":"mod""#) + "\n"
                + record("delete", "d2", on: "m1", from: "mod") + "\n"
                + record("delete", "d3", on: "m2", from: "mod", more: #","by":"bot""#) + "\n")
        for isIndexed in [false, true] {
            if isIndexed { try archive.makeIndex() }
            let store = try archive.open(index: isIndexed ? archive.index : nil)
            #expect(try await store.page(.earliest).messages.map(\.isDeleted) == [true, false])
            #expect(try await store.hits(SearchRequest(Query("tide"))).map(\.message) == ["m2"])
        }
        try IndexCheckTests.expectRight(archive, "moderated")
    }
}
