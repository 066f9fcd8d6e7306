import Foundation
import Messages
import Testing

@testable import Settings

final class ArchiveStateTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-state-\(UUID().uuidString)").path
    private let general = ConversationID("general")

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func drafts(_ archive: String) -> Drafts {
        Drafts(folder: folder, archive: archive, writer: PersonID("ana"))
    }

    private func bookmarks(_ archive: String) -> Bookmarks {
        Bookmarks(folder: folder, archive: archive, reader: PersonID("ana"))
    }

    private func muted(_ archive: String) -> MutedConversations {
        MutedConversations(folder: folder, archive: archive, reader: PersonID("ana"))
    }

    @Test func `What a person left in an archive is forgotten, and nothing of other archives`() throws {
        let mark = try #require(Bookmark("a", conversation: general, message: MessageID("m-1")))
        let replies = [MessageID("m-2"): Draft.Reply(text: "a thought")]
        let draft = Draft(text: "half", replies: replies, edits: [MessageID("m-3"): Draft.Edit("better")])
        for archive in ["/a", "/b"] {
            var drafts = drafts(archive)
            #expect(drafts.keep([general: draft]) == nil)
            #expect(bookmarks(archive).set(mark).problem == nil)
            #expect(muted(archive).set(general, true).problem == nil)
        }
        #expect(ArchiveState.forget(archive: "/a", person: PersonID("ana"), folder: folder) == [])
        for (archive, isKept) in [("/a", false), ("/b", true)] {
            var drafts = drafts(archive)
            #expect(drafts.load().drafts.isEmpty != isKept)
            #expect(bookmarks(archive).load().bookmarks.isEmpty != isKept)
            #expect(muted(archive).load().muted.isEmpty != isKept)
        }
    }

    @Test func `Where nothing was left, no file is made`() {
        #expect(ArchiveState.forget(archive: "/a", person: PersonID("ana"), folder: folder) == [])
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
