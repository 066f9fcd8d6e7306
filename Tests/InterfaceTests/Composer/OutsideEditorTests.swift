import Display
import Messages
import Testing
import Timeline

@testable import Interface

/// Writing in the user's own editor, by ^X ^E.
struct OutsideEditorTests {
    private static func stage() -> Stage {
        var stage = Stage.open(Script.long(40), at: "m-20", columns: 80, me: PersonID("ana"))
        stage.press(.character("i"))
        stage.type("one")
        return stage
    }

    private func edited(_ stage: Stage) -> [String] {
        stage.others.compactMap { if case .edit(let text) = $0 { text } else { nil } }
    }

    @Test func `^X ^E asks for the editor with the text, after the draft is kept`() {
        var stage = Self.stage()
        stage.press(.control("x"))
        #expect(stage.screen.contains("^X …") && edited(stage).isEmpty)
        stage.press(.control("e"))
        #expect(edited(stage) == ["one"])
        let names = stage.others.suffix(2).map { effect in
            if case .keepDraft = effect { "keep" } else if case .edit = effect { "edit" } else { "other" }
        }
        #expect(names == ["keep", "edit"])
    }

    @Test func `The text comes back as a draft without the last line feeds, and can be undone`() {
        var stage = Self.stage()
        stage.send(.edited(.success("one\ntwo\n\n")))
        #expect(stage.model.panel == .composer && stage.model.composer?.area.text == "one\ntwo")
        #expect(!stage.others.contains { if case .ask(.send, _) = $0 { true } else { false } })
        stage.press(.control("_"))
        #expect(stage.model.composer?.area.text == "one")
    }

    @Test func `A failure leaves the draft as it was, and says so`() {
        var stage = Self.stage()
        let before = stage.rows.dropLast()
        stage.send(.edited(.failure(EffectError("vi failed with status 1"))))
        #expect(stage.screen.contains("vi failed with status 1; the draft is unchanged"))
        #expect(stage.rows.dropLast() == before)
        stage.send(.edited(.success(String(repeating: "a", count: TextArea.longest + 1))))
        #expect(stage.model.composer?.area.text == "one" && stage.screen.contains("the draft is unchanged"))
    }

    @Test func `A key that continues no sequence has its own meaning`() {
        var stage = Self.stage()
        stage.press(.control("x"), .character("y"))
        #expect(stage.model.composer?.area.text == "oney" && !stage.screen.contains("^X …"))
        stage.press(.control("x"), .escape)
        #expect(stage.model.panel == nil)
        stage.press(.control("e"))
        #expect(edited(stage).isEmpty)
    }

    @Test func `A sequence can be the key of any command, unless its first key has one`() {
        let (keymap, problems) = Keymap.standard.changed(by: [
            KeyChange("beginning", [.sequence(.character("g"), .character("g"))], at: "c:2"),
            KeyChange("reply", [.sequence(.character("q"), .character("q"))], at: "c:3"),
        ])
        #expect(problems == ["c:3: keys.reply: \"q q\" begins with the key of keys.quit; ignored"])
        var stage = Stage.open(Script.long(40), at: "m-20", keymap: keymap)
        stage.press(.character("g"))
        #expect(stage.screen.contains("g …") && stage.model.main.timeline.selection == MessageID("m-20"))
        stage.press(.character("g"))
        stage.settle()
        #expect(stage.model.main.timeline.selection == MessageID("m-0"))
    }

    /// The terminal cuts a paste by bytes: what is left of it may have few characters.
    @Test(arguments: [
        String(repeating: "a", count: TextArea.longest), String(repeating: "👨‍👩‍👧‍👦", count: TextArea.longestPaste / 25 + 1),
    ])
    func `A paste that a message cannot hold adds nothing, and the status line says so`(text: String) {
        var stage = Self.stage()
        stage.send(.input([.paste(text)]))
        #expect(stage.model.composer?.area.text == "one" && stage.screen.contains("too long: a message can have"))
    }
}
