import Foundation
import Testing

@testable import MatrixHelper

/// Archives that an older version has written.
struct OlderArchiveTests {
    private let scratch: Scratch
    private let file = "conversations/quay/conversation.json"
    private let link = #""link":"https://matrix.to/#/!quay:e.org","#

    init() throws {
        scratch = try Scratch()
        try AccountArchive.makeFolders(scratch.path)
        let folder = scratch.path + "/conversations/quay"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// The file of a room. Its topic speaks of a link.
    private func text(link: String) -> String {
        #"{"id":"quay","title":"Quay","topic":"\"link\": below","readUpTo":"$1","callsAll":true,"#
            + ##""aliases":["!quay:e.org","#quay:e.org"],"## + link
            + ##""members":["@ana:e.org"],"matrix":{"room":"!quay:e.org","name":"Quay","alias":"#quay:e.org"}}"## + "\n"
    }

    private func start() throws { _ = try AccountArchive(path: scratch.path, me: "@me:e.org") }

    @Test func `a room without a link has one after the next start, and keeps all else`() throws {
        try scratch.write(text(link: ""), to: file)
        try start()
        #expect(scratch.text(file) == text(link: link))
    }

    @Test func `a room with a link is not written at a start`() throws {
        let spaced = " " + text(link: link)
        try scratch.write(spaced, to: file)
        try start()
        #expect(scratch.text(file) == spaced)
    }

    @Test func `a link that cannot be written hinders no start`() throws {
        try scratch.write(text(link: ""), to: file)
        let obstacle = scratch.path + "/conversations/quay/.conversation.json.new"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
        try start()
        #expect(scratch.text(file) == text(link: ""))
    }
}
