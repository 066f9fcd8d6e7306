import Foundation
import Messages
import Testing

@testable import Settings

final class BookmarksTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-marks-\(UUID().uuidString)")
    private var path: String { folder.path + "/bookmarks.json" }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func bookmarks(_ archive: String = "/archive", of reader: PersonID? = nil) -> Bookmarks {
        Bookmarks(folder: folder.path, archive: archive, reader: reader)
    }

    private func mark(_ letter: Character, _ message: String, in id: String = "one") throws -> Bookmark {
        try #require(Bookmark(letter, conversation: ConversationID(id), message: MessageID(message)))
    }

    @Test func `Bookmarks are there the next time, for their archive and reader alone`() throws {
        let a = try mark("a", "m \"1\"")
        #expect(bookmarks().load().bookmarks == [])
        #expect(bookmarks().set(a).bookmarks == [a])
        let others = [bookmarks("/other"), bookmarks(of: PersonID("ana"))]
        for other in others {
            #expect(other.load().bookmarks == [])
            _ = other.set(try mark("b", "m-2"))
        }
        let (all, problem) = bookmarks().load()
        #expect(all == [a] && problem == nil)
    }

    @Test func `A letter is replaced in its conversation, a capital in the whole archive`() throws {
        let kept = try mark("a", "m-2", in: "two")
        for bookmark in [try mark("a", "m-1"), kept, try mark("C", "m-1"), try mark("C", "m-2", in: "two")] {
            #expect(bookmarks().set(bookmark).problem == nil)
        }
        let last = try mark("a", "m-9")
        #expect(bookmarks().set(last).bookmarks == [kept, try mark("C", "m-2", in: "two"), last])
    }

    @Test func `Two processes that set bookmarks at once lose none`() async throws {
        let all = try "abcdefghijklmnopqrstuvwxyz".map { try mark($0, "m-\($0)") }
        await withTaskGroup { group in
            for bookmark in all { group.addTask { [bookmarks = bookmarks()] in _ = bookmarks.set(bookmark) } }
        }
        #expect(Set(bookmarks().load().bookmarks) == Set(all))
    }

    @Test func `Removing a bookmark leaves the one that another process has set under its letter`() throws {
        let (old, new) = (try mark("a", "m-1"), try mark("a", "m-2"))
        _ = bookmarks().set(old)
        _ = bookmarks().set(new)
        #expect(bookmarks().remove(old).bookmarks == [new])
        #expect(bookmarks().remove(new).bookmarks == [])
    }

    @Test func `A damaged file is set aside, and one of a later version stays`() throws {
        try "{\"version\":1,\"records\":[{\"letter\":3}]}".write(toFile: path, atomically: false, encoding: .utf8)
        #expect(bookmarks().load().problem?.contains("your bookmarks could not be read") == true)
        let a = try mark("a", "m-1")
        let (all, problem) = bookmarks().set(a)
        #expect(all == [a] && problem?.contains("bookmarks.json.broken") == true)
        let later = "{\"version\":2,\"records\":[]}"
        try later.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(bookmarks().set(a).bookmarks == nil)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == later)
    }
}
