import Foundation
import Interface
import Logging
import Messages
import Settings
import Testing

@testable import Archive
@testable import kedge

/// How far the user has read in other clients of an account.
final class ServerReadsTests {
    private static let general = ConversationID("general")
    private let scratch: ScratchArchive
    private let state = FileManager.default.temporaryDirectory.appending(path: "kedge-reads-\(UUID().uuidString)").path
    private let mailbox: Mailbox

    init() throws {
        scratch = try ScratchArchive()
        mailbox = try #require(Mailbox())
        let lines = (1...5).map { ScratchArchive.message("n-\($0)", "text") + "\n" }
        try scratch.write(ScratchArchive.segment, lines.joined())
    }

    deinit { try? FileManager.default.removeItem(atPath: state) }

    private func marks() -> ReadMarks {
        let positions = ReadPositions(folder: state, archive: scratch.path, reader: PersonID("ana"))
        let baseline = Baseline(folder: state, archive: scratch.path, reader: PersonID("ana"))
        let marks = ReadMarks(positions, baseline, troubles: Troubles(logger: Logger(label: "test"), mailbox: mailbox))
        _ = marks.load()
        return marks
    }

    private func reads(_ marks: ReadMarks) throws -> ServerReads {
        let store = try JSONArchive.open(path: scratch.path, logger: Logger(label: "test"))
        return ServerReads(store: store, marks: marks, mailbox: mailbox)
    }

    /// The messages up to which something was read, as the screen is told.
    private func told() -> [String] {
        mailbox.takeAll().flatMap { event -> [String] in
            guard case .news(.readElsewhere(let positions)) = event else { return [] }
            return positions.values.map { $0.message?.rawValue ?? "-" }
        }
    }

    @Test func `A mark of the server moves the position forward, never back`() async throws {
        let marks = marks()
        let reads = try reads(marks)
        await reads.take(MessageID("n-2"), in: Self.general)
        #expect(told() == ["n-2"], "nothing was noted here before")
        await reads.take(MessageID("n-4"), in: Self.general)
        await reads.take(MessageID("n-3"), in: Self.general)
        #expect(told() == ["n-4"])
        #expect(marks.finish() == nil)
        let kept = self.marks().position(of: Self.general)
        #expect(kept?.message == MessageID("n-4") && kept?.server == MessageID("n-3"))
    }

    @Test func `A mark at an event that is not here changes nothing`() async throws {
        let marks = marks()
        marks.keep(ReadPosition(message: MessageID("n-2"), index: 1), of: Self.general)
        await (try reads(marks)).take(MessageID("elsewhere"), in: Self.general)
        #expect(told().isEmpty && marks.position(of: Self.general)?.message == MessageID("n-2"))
    }

    @Test func `What the user marks as unread stays so when the server says the same again`() async throws {
        let marks = marks()
        marks.keep(ReadPosition(message: MessageID("n-5"), index: 4), of: Self.general)
        // The echo of what this Kedge has told the server.
        await (try reads(marks)).take(MessageID("n-5"), in: Self.general)
        var back = ReadPosition(message: MessageID("n-1"), index: 0)
        back.isChosen = true
        marks.keep(back, of: Self.general)
        #expect(marks.finish() == nil)
        let later = self.marks()
        await (try reads(later)).take(MessageID("n-5"), in: Self.general)
        #expect(told().isEmpty && later.position(of: Self.general)?.message == MessageID("n-1"))
        await (try reads(later)).take(MessageID("n-3"), in: Self.general)
        #expect(told() == ["n-3"])
    }
}
