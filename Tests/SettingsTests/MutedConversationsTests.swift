import Foundation
import Messages
import Testing

@testable import Settings

final class MutedConversationsTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-muted-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func muted(_ archive: String = "/archive", of reader: PersonID? = nil) -> MutedConversations {
        MutedConversations(folder: folder.path, archive: archive, reader: reader)
    }

    private let one = ConversationID("one")
    private let two = ConversationID("two")

    @Test func `Muted conversations are there the next time, for their archive and reader alone`() {
        #expect(muted().set(one, true).muted == [one])
        #expect(muted().set(one, true).muted == [one])
        #expect(muted(of: PersonID("ana")).set(two, true).muted == [two])
        #expect(muted("/other").load().muted == [])
        #expect(muted().set(two, true).muted == [one, two])
        #expect(muted().set(one, false).muted == [two])
        #expect(muted().load().muted == [two] && muted(of: PersonID("ana")).load().muted == [two])
    }
}
