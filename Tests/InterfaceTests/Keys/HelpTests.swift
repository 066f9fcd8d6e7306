import Display
import Testing

@testable import Interface

struct HelpTests {
    @Test func `No line of the help is cut on a screen of 80 columns`() {
        for row in Help.rows(.standard) { #expect(row.columns <= 80, "\(row)") }
    }
}
