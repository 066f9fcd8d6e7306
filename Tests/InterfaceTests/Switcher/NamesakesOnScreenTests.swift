import Display
import Messages
import Testing

@testable import Interface

/// Conversations of equal titles in lists.
struct NamesakesOnScreenTests {
    private static func stage(columns: Int) -> Stage {
        let channels = ["libera.kedge", "oftc.kedge"].map { id in
            var script = Script("2025-03-09T08:00:00Z")
            script.add("hello", from: "Ben")
            return (Conversation(id: ConversationID(id), title: "#kedge", topic: nil), script.messages)
        }
        var stage = Stage.open(
            Script.long(100), at: nil, columns: columns, rows: 12, beside: channels, hidesList: false)
        stage.settle()
        return stage
    }

    @Test func `The list to choose from tells them apart, also while letters are marked`() {
        var stage = Self.stage(columns: 72)
        stage.press(.control("k"))
        stage.settle()
        for letters in ["", "ke"] {
            stage.type(letters)
            for name in ["#kedge (libera)", "#kedge (oftc)"] { #expect(stage.screen.contains(name), "\(stage.screen)") }
        }
        #expect(!stage.screen.contains("General ("))
    }

    @Test func `The list beside the messages tells them apart`() {
        let stage = Self.stage(columns: 130)
        for name in ["#kedge (libera)", "#kedge (oftc)"] { #expect(stage.screen.contains(name), "\(stage.screen)") }
    }
}
