import Files
import Foundation
import Messages
import Testing

@testable import Settings

/// Files in the user's folders are private.
final class PrivacyTests {
    private let root = FileManager.default.temporaryDirectory.appending(path: "kedge-private-\(UUID().uuidString)").path
    private var folder: String { root + "/deep/kedge" }
    private let general = ConversationID("general")

    deinit { try? FileManager.default.removeItem(atPath: root) }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    private func drafts() -> Drafts { Drafts(folder: folder, archive: "/a", writer: nil) }

    private func fill() throws {
        var drafts = drafts()
        #expect(drafts.keep([general: Draft(text: "hello")]) == nil)
        #expect(drafts.isKept)
    }

    @Test func `Folders and files are created for their owner alone`() throws {
        try fill()
        for path in [root, root + "/deep", folder] { #expect(mode(path) == 0o700, "\(path)") }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            #expect(mode(folder + "/" + name) == 0o600, "\(name)")
        }
    }

    @Test(arguments: [true, false])
    func `Files and folders that were open to others are closed, by reading and by writing`(byReading: Bool) throws {
        try fill()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        for path in [folder] + names.map({ folder + "/" + $0 }) { chmod(path, path == folder ? 0o777 : 0o666) }
        if byReading {
            var drafts = drafts()
            #expect(drafts.load().drafts[general]?.text == "hello")
        } else {
            try fill()
        }
        #expect(mode(folder) == 0o700)
        for name in names where !byReading || name == "drafts.json" { #expect(mode(folder + "/" + name) == 0o600) }
    }

    @Test func `A folder of another user is neither read nor written`() throws {
        try #require(geteuid() == 0, "only root can make such a folder")
        try fill()
        chown(folder, 65_534, 65_534)
        var drafts = drafts()
        let (known, problem) = drafts.load()
        #expect(known.isEmpty)
        #expect(problem == "\(folder) belongs to another user: your drafts could not be read")
        let unkept = drafts.keep([general: Draft(text: "hello")])
        #expect(unkept?.hasSuffix("is in a folder of another user: your drafts cannot be saved") == true)
        #expect(!drafts.isKept)
    }

    @Test func `Without a home nothing is kept, and that is reported`() {
        var drafts = Drafts(folder: nil, archive: "/a", writer: nil)
        #expect(drafts.load().problem == nil)
        #expect(
            drafts.keep([general: Draft(text: "hello")])
                == "there is no folder for drafts.json (set HOME or XDG_STATE_HOME): your drafts cannot be saved")
    }

    @Test func `A lock that is never released is reported with its holder, and stops nothing`() throws {
        try fill()
        let lock = open(folder + "/drafts.json.lock", O_RDWR)
        defer { close(lock) }
        try #require(flock(lock, LOCK_EX) == 0)
        var file = StateFile(folder: folder, name: "drafts.json")
        file.patience = .zero
        #expect(throws: FileError(.write, folder + "/drafts.json", .held(LockHolder.of(lock)))) {
            try file.locked {}
        }
    }
}
