import Dates
import Messages
import Testing

@testable import Formats
@testable import Mirror

struct RecognizerTests {
    /// A format that recognises everything alike.
    private struct Fixed: Format {
        let id: String
        let recognition: Recognition
        var name: String { "format \(id)" }

        func recognise(_ source: Source) -> Recognition { recognition }
        func archive(in source: Source) -> ForeignArchive { ForeignArchive() }
        func converter(for feed: Feed, in context: FeedContext) -> any Converter {
            IRCFormat().converter(for: feed, in: context)
        }
    }

    private let none = Fixed(id: "none", recognition: .no)
    private let part = Fixed(id: "part", recognition: .weak)
    private let other = Fixed(id: "other", recognition: .weak)
    private let sure = Fixed(id: "sure", recognition: .certain)

    private func format(named: String? = nil, of formats: Fixed...) throws -> String {
        var source = Source(["a": [1]])
        source.options.format = named
        return try Recognizer.format(of: source, at: "x", among: formats).id
    }

    @Test func `a format that understands a part is taken if there is no other`() throws {
        #expect(try format(of: none, part) == "part")
        #expect(try format(of: part, sure) == "sure")
        #expect(throws: StoreError.unreadable("x: may be in several formats: use --format part or --format other")) {
            try format(of: part, none, other)
        }
    }

    @Test func `the user decides the format`() throws {
        #expect(try format(named: "other", of: part, other) == "other")
        #expect(try format(named: "part", of: part, sure) == "part")
        #expect(throws: StoreError.unreadable("x: nothing in it has the format that you named (format none)")) {
            try format(named: "none", of: none, sure)
        }
    }
}
