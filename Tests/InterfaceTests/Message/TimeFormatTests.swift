import Display
import Messages
import Testing

@testable import Interface

/// Times and widths as the settings want them.
struct TimeFormatTests {
    private static var twelve: Zone {
        var zone = Zone.utc
        zone.hasTwelveHours = true
        return zone
    }

    private static let times = [
        "2025-03-01T00:05:09Z", "2025-03-01T09:05:09Z", "2025-03-01T12:00:00Z", "2025-03-01T23:59:59Z",
    ]

    private static func talk() -> [Message] {
        times.enumerated().map { index, time in
            var script = Script(time)
            script.add("text \(index)", from: index.isMultiple(of: 2) ? "Ana" : "Ben", after: 0, id: "m-\(index)")
            return script.messages[0]
        }
    }

    @Test(arguments: zip(Self.times, ["12:05 AM", "9:05 AM", "12:00 PM", "11:59 PM"]))
    func `A clock of twelve hours has no hour 0, and noon is PM`(time: String, clock: String) throws {
        let moment = try #require(Timestamp(iso8601: time))
        #expect(Self.twelve.clock(Self.twelve.civil(moment)) == clock)
        #expect(Zone.utc.clock(Zone.utc.civil(moment)) == Zone.utc.civil(moment).clock)
    }

    @Test func `Clocks of twelve hours end at one column, and the texts stand below each other`() {
        let stage = Stage.open(Self.talk(), at: nil, columns: 80, zone: Self.twelve)
        for (clock, text) in zip([" 12:05 AM", "  9:05 AM", " 12:00 PM", " 11:59 PM"], 0...3) {
            let row = stage.rows.first { $0.contains("text \(text)") }
            #expect(row?.dropFirst().hasPrefix(clock.dropFirst()) == true, "\(row ?? "no row")")
        }
        let columns = Set(
            stage.rows.compactMap { row in
                row.firstRange(of: "text ").map { row.distance(from: row.startIndex, to: $0.lowerBound) }
            })
        #expect(columns.count == 1)
    }

    @Test func `A preview has the columns of the conversation on the screen`() throws {
        var stage = Stage.open(Self.talk(), at: nil, columns: 100, rows: 24, zone: Self.twelve)
        stage.press(.character("s"))
        stage.typeAndWait("text")
        stage.settle()
        let rows = stage.rows.filter { $0.contains("text 1") }
        let preview = try #require(rows.last)
        #expect(preview.contains(" 9:05 AM "), "\(stage.screen)")
    }

    @Test func `With seconds at first, T hides them, and no text moves`() {
        var stage = Stage.open(Self.talk(), at: nil, columns: 80, zone: Self.twelve, prefer: { $0.showsSeconds = true })
        #expect(stage.screen.contains("9:05:09 AM"))
        let before = stage.rows.map { $0.firstRange(of: "text ")?.lowerBound }
        stage.press(.character("T"))
        #expect(!stage.screen.contains(":09 AM") && stage.screen.contains("9:05 AM"))
        #expect(stage.rows.map { $0.firstRange(of: "text ")?.lowerBound } == before)
    }

    @Test(arguments: [(nil, 8), (20, 20), (4, 4), (60, 26)])
    func `Names have the columns of the settings, at most a third of the screen`(width: Int?, columns: Int) {
        let stage = Stage.open(Self.talk(), at: nil, columns: 80, prefer: { $0.nameWidth = width })
        #expect(stage.model.main.grid.nameColumns == columns)
        let row = stage.rows.first { $0.contains("text 1") } ?? ""
        #expect(
            row.firstRange(of: "text 1").map { row.distance(from: row.startIndex, to: $0.lowerBound) } == 10 + columns)
    }

    @Test func `Lists have room for the longer times`() {
        #expect(When.columns(.utc) == 12 && When.columns(Self.twelve) == 15)
    }
}
