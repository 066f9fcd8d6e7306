import JSON
import Testing

@testable import ArchiveFormat

struct ArchiveLabelTests {
    private func read(_ text: String) throws -> ArchiveLabel {
        try Array(text.utf8).withUnsafeBytes { try ArchiveLabel(file: $0) }
    }

    @Test func `A label is read as it was written`() throws {
        var label = ArchiveLabel(name: "Har\"bour", me: "@ana:e.org", server: "matrix")
        label.source = "/exports/a b"
        #expect(try read(label.json.text) == label)
        let plain = ArchiveLabel(name: "Demo", me: nil)
        #expect(plain.json.text == #"{"format":"kedge","version":1,"name":"Demo"}"#)
        #expect(try read(plain.json.text) == plain)
    }

    @Test func `A label of another format is read as far as it is one`() throws {
        let label = try read(#"{"format":"other","version":"1","me":7,"server":"irc"}"#)
        #expect(label.format == "other" && label.version == nil && label.me == nil && label.server == "irc")
        #expect(throws: (any Error).self) { try read("[]") }
    }
}
