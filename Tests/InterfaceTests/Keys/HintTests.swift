import Display
import Testing

@testable import Interface

/// The keys in the status line.
struct HintTests {
    @Test func `The key that leads to the end is named where it leads somewhere`() {
        var stage = Stage.open(Script.long(100), at: nil, columns: 110, rows: 12)
        #expect(stage.rows.last?.contains("End newest") == false)
        stage.press(.pageUp)
        #expect(stage.rows.last?.contains("End newest") == true)
        stage.press(.end)
        stage.settle()
        #expect(stage.rows.last?.contains("End newest") == false)
    }
}
