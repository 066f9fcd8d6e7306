import Display
import Messages
import Testing

@testable import Interface

/// The program asks for a first list that is as long as the screen is high, and for the other messages after the first frame.
struct FirstListTests {
    private static let count = 400

    private static let positions: [PageRequest.Position] =
        [.earliest, .latest, .share(0.5), .date(NamedTime(Script.long(count)[300].at))]
        + [0, 1, 5, 20, 200, 379, 394, 398, 399].map { .message(MessageID("m-\($0)")) }

    private func opened(
        _ messages: [Message], _ position: PageRequest.Position, rows: Int, isCut: Bool
    ) throws -> Stage {
        var stage = Stage(messages, columns: 72, rows: rows)
        stage.start(at: position)
        let request = try #require(stage.requests.first)
        stage.answerLists(with: isCut ? request.filling(rows: rows) : request)
        return stage
    }

    @Test(arguments: positions, [8, 14, 24, 60, 120])
    func `The first frame of a short list equals that of a long one, and the pages after it move no row`(
        position: PageRequest.Position, rows: Int
    ) throws {
        let messages = Script.long(Self.count)
        var stage = try opened(messages, position, rows: rows, isCut: true)
        let first = stage.rows
        #expect(first == (try opened(messages, position, rows: rows, isCut: false).rows))
        #expect(stage.entries.count <= rows)
        #expect(!stage.requests.isEmpty)
        stage.answerAll()
        #expect(stage.rows == first)
        #expect(stage.entries.count >= min(Self.count, 3 * rows))
    }

    @Test(arguments: positions, [14, 60])
    func `A screen up needs only the pages that are requested with the first frame`(
        position: PageRequest.Position, rows: Int
    ) throws {
        var stage = try opened(Script.long(Self.count), position, rows: rows, isCut: true)
        stage.answerAll()
        stage.press(.pageUp)
        #expect(!stage.screen.contains("loading"))
    }

    @Test(arguments: positions + [.unread], [1, 8, 14, 60, 120])
    func `The first list is the one that can be asked for without a model`(
        position: PageRequest.Position, rows: Int
    ) throws {
        let id = Stage.general.id
        let marks = ThreadMarks(upTo: MessageID("m-9"))
        let noted = ReadStates(positions: [id: ReadPosition(message: MessageID("m-8"), index: 8, threads: marks)])
        for read in [ReadStates(), ReadStates(baseline: [:]), ReadStates(baseline: [id: MessageID("m-7")]), noted] {
            var model = Model(size: Size(columns: 72, rows: rows), zone: .utc, read: read)
            let effects =
                position == .unread
                ? model.startAtUnread(in: Stage.general) : model.start(in: Stage.general, at: position)
            let asked = effects.compactMap { effect in
                if case .ask(.page(let request), .list) = effect { request.filling(rows: rows) } else { nil }
            }
            #expect(asked == [.first(in: id, at: position, rows: rows, read: read)])
        }
    }
}
