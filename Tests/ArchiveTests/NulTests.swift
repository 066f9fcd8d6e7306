import Foundation
import Messages
import Search
import Testing

@testable import Archive

/// NUL is an ordinary character, with and without an index: nothing is cut off at it.
struct NulTests {
    private static let nul = #"\u0000"#

    private func archive() throws -> TemporaryArchive {
        let archive = try TemporaryArchive(
            message("m1", "one"), message("m" + NulTests.nul + "2", from: "ana" + NulTests.nul + "evil", "two"),
            message("m" + NulTests.nul + "3", from: NulTests.nul, "three"),
            message("m4", "four", more: #","replyTo":"m\#(NulTests.nul)2","thread":"m\#(NulTests.nul)3""#),
            message("m5", "five a" + NulTests.nul + "b", more: #","thread":"m\#(NulTests.nul)""#),
            record("reaction", "r" + NulTests.nul, on: "m1", from: "ana" + NulTests.nul, more: #","emoji":"👍\u0000""#),
            record("edit", "e1", on: "m" + NulTests.nul + "2", more: #","text":"not by its author""#))
        try archive.write(
            "people.json", #"[{"id":"ana","name":"Ana Ruiz"},{"id":"ana\u0000evil","name":"Eve\u0000"}]"#)
        return archive
    }

    @Test(arguments: [true, false])
    func `An ID may contain NUL`(isIndexed: Bool) async throws {
        let archive = try archive()
        let store = try isIndexed ? archive.open() : archive.open(index: nil)
        #expect(try await store.ids() == ["m1", "m\u{0}2", "m\u{0}3", "m5"])
        let second = try await store.message("m\u{0}2", in: general)
        #expect(second.sender == Person(id: "ana\u{0}evil", name: "Eve\u{0}") && second.text == "two")
        let quote = try await store.message("m4", in: general).quote?.content
        #expect(quote == .message(sender: second.sender, text: "two"))
        #expect(try await store.message("m\u{0}3", in: general).replyCount == 1)
        let reaction = try await store.message("m1", in: general).reactions.first
        #expect(reaction?.emoji == "👍\u{0}" && reaction?.people.map(\.id) == ["ana\u{0}"])
        await #expect(throws: StoreError.noSuchMessage("m", in: general)) { try await store.message("m", in: general) }
    }

    @Test(arguments: [true, false])
    func `A sender whose ID contains NUL is found by the whole ID only`(isIndexed: Bool)
        async throws
    {
        let archive = try TemporaryArchive(
            message("m1", "one"), message("m2", from: #"ana\u0000evil"#, "two"),
            message("m3", from: #"ana\u0000"#, "three"),
            message("m4", from: #"\u0000ana"#, "four"), message("m5", from: "ana-b", "five"))
        let store = try isIndexed ? archive.open() : archive.open(index: nil)
        func found(_ query: String) async throws -> [String] {
            var ids: [String] = []
            let request = SearchRequest(ResolvedQuery(Query(query)))
            for await batch in store.search(request) { ids += try batch.get().hits.map(\.message.rawValue) }
            return ids.sorted()
        }
        #expect(try await found("from:ana") == ["m1", "m5"])
        #expect(try await found("from:evil") == [])
        #expect(try await found("from:ana two") == [])
        #expect(try await found("-from:ana") == ["m2", "m3", "m4"])
        #expect(await store.knows(sender: "ana"))
        #expect(await !store.knows(sender: "evil"))
    }

    @Test func `The index check finds no difference in an archive with NUL`() async throws {
        let archive = try archive()
        try archive.makeIndex(isRebuilding: true)
        let verdict = try ArchiveIndex(archive: archive.path, in: archive.index).check()
        guard case .compared(let checks) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(checks.map(\.faults.lines) == [[]])
        let statistics = try ArchiveIndex(archive: archive.path, in: archive.index).statistics(of: general, in: .utc)
        #expect(
            Set(statistics.statistics.people.map(\.person.id.rawValue)) == ["ana", "ana\u{0}evil", "\u{0}"])
    }
}
