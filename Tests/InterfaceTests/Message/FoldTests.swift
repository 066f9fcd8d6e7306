import Display
import Messages
import TestSupport
import Testing
import Timeline

@testable import Interface

/// Long messages.
struct FoldTests {
    private static func lines(_ count: Int, word: String = "line") -> String {
        (1...count).map { "\(word) \($0)." }.joined(separator: "\n")
    }

    /// A message of 100 lines among short ones.
    private static func talk(_ index: Int = 10, lines count: Int = 100, of total: Int = 30) -> [Message] {
        var messages = Script.long(total)
        messages[index].text = lines(count)
        return messages
    }

    @Test func `A long message shows its first rows, and the number of further ones`() {
        let stage = Stage.open(Self.talk(), at: "m-10", columns: 80, rows: 26)
        #expect(stage.screen.contains("line 12."))
        #expect(!stage.screen.contains("line 13."))
        #expect(stage.screen.contains("… 88 more rows, z unfolds"))
        #expect(stage.screen.contains("message 11"))
    }

    @Test(arguments: [40, 41])
    func `A message of few rows more than a screen is shown whole`(count: Int) {
        for columns in [30, 72, 200] {
            let stage = Stage.open(Self.talk(lines: count), at: "m-10", columns: columns, rows: 26)
            #expect(stage.screen.contains("z unfolds") == (count > 40))
        }
    }

    @Test func `z unfolds and folds again, and gives the same screen`() {
        var stage = Stage.open(Self.talk(), at: "m-10", columns: 80, rows: 26)
        let before = stage.screen
        let row = stage.rows.firstIndex { $0.contains("line 1.") }
        stage.press(.character("z"))
        #expect(stage.screen.contains("line 13."))
        #expect(!stage.screen.contains("z unfolds"))
        #expect(stage.rows.firstIndex { $0.contains("line 1.") } == row)
        stage.press(.character("z"))
        #expect(stage.screen == before)
    }

    @Test func `A spoiler is covered everywhere until z or Enter opens it, and nothing moves`() {
        var messages = Self.talk(0, lines: 1)
        messages[10].text = "(plot) ||the butler did it|| at last"
        messages[11] = Script.reply(to: 10, "no!", like: messages[11])
        var stage = Stage.open(messages, at: "m-10", columns: 80, rows: 26)
        let covered = stage.rows
        #expect(stage.screen.contains("(plot) ||▒▒▒ ▒▒▒▒▒▒ ▒▒▒ ▒▒|| at last") && !stage.screen.contains("butler"))
        stage.press(.character("z"))
        #expect(stage.screen.contains("(plot) ||the butler did it|| at last"))
        let unchanged = zip(covered, stage.rows).dropLast().filter { $0 != $1 }
        #expect(unchanged.count == 1 && covered.count == stage.rows.count)
        stage.press(.character("z"))
        #expect(stage.rows.dropLast() == covered.dropLast())
        // Search finds it, and shows it covered.
        stage.press(.character("s"))
        stage.typeAndWait("butler")
        #expect(stage.screen.contains("▒▒▒▒▒▒") && !stage.screen.contains("the butler"))
    }

    @Test func `Enter opens a spoiler of a message that leads nowhere else`() {
        var messages = Self.talk(0, lines: 1)
        messages[10].text = "||butler||"
        var stage = Stage.open(messages, at: "m-10", columns: 80, rows: 26)
        stage.press(.enter)
        #expect(stage.screen.contains("||butler||"))
    }

    @Test func `A whole message can be folded, and a short one cannot`() {
        var stage = Stage.open(Self.talk(lines: 20), at: "m-10", columns: 80, rows: 30)
        #expect(stage.screen.contains("line 20."))
        stage.press(.character("z"))
        #expect(stage.screen.contains("… 8 more rows, z unfolds"))
        stage.press(.down, .character("z"))
        #expect(stage.rows.last?.contains("this message is short") == true)
    }

    @Test func `A message folded in the middle has a row that says so, and unfolding brings the middle back`() {
        var stage = Stage.open(Self.talk(), at: "m-10", columns: 80, rows: 14)
        stage.press(.character("z"))
        stage.press(.control("e"), times: 50)
        let before = stage.screen
        let top = stage.rows[2]
        #expect(top.contains("line 4") || top.contains("line 5"))
        stage.press(.character("z"))
        #expect(stage.rows[2].contains("… 88 more rows, z unfolds"))
        #expect(stage.rows[3].contains("11"), "the message after it")
        stage.press(.character("z"))
        #expect(stage.screen == before)
    }

    @Test func `Folded or not, a message shows that it was edited`() {
        var talk = Self.talk()
        talk[10].isEdited = true
        var stage = Stage.open(talk, at: "m-10", columns: 80, rows: 26)
        #expect(stage.screen.contains("… 88 more rows (edited), z unfolds"))
        stage.press(.character("z"))
        stage.press(.control("e"), times: 90)
        #expect(stage.screen.contains("line 100. (edited)"))
    }

    @Test func `Folding the last message leaves no screen without messages`() {
        var stage = Stage.open(Self.talk(29), at: "m-29", columns: 80, rows: 14)
        stage.press(.character("z"))
        stage.press(.control("e"), times: 60)
        stage.press(.character("z"))
        #expect(stage.screen.contains("… 88 more rows, z unfolds"))
        #expect(stage.screen.contains("line 12."))
    }

    @Test func `At the end of the conversation reading continues in place`() {
        var stage = Stage.open(Self.talk(29), at: nil, columns: 80, rows: 26)
        let before = stage.rows
        let row = stage.rows.firstIndex { $0.contains("z unfolds") }
        guard let row else { return #expect(row != nil) }
        stage.press(.character("z"))
        #expect(stage.rows[..<row].map { $0.dropLast() } == before[..<row].map { $0.dropLast() })
        #expect(stage.rows[row].contains("line 13."))
    }

    @Test func `Folding a message does not stop following`() {
        var stage = Stage.open(Self.talk(3, lines: 20, of: 4), at: nil, columns: 80, rows: 40)
        stage.press(.character("z"))
        #expect(stage.screen.contains("… 8 more rows"))
        #expect(stage.model.timeline.viewport.isFollowing)
    }

    @Test(arguments: [UInt64](1...60))
    func `At random, folding leaves the selected message's row and all rows above it in place`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var messages = Script.long(40)
        for index in messages.indices where Int.random(in: 0..<3, using: &random) == 0 {
            messages[index].text = Self.lines(Int.random(in: 14...80, using: &random))
        }
        var stage = Stage.open(messages, at: "m-20", columns: Int.random(in: 40...100, using: &random), rows: 20)
        for _ in 0..<30 {
            let keys: [Key] = [.up, .down, .control("e"), .control("y"), .pageUp, .pageDown]
            if let key = keys.randomElement(using: &random) { stage.press(key) }
            stage.answerAll()
            let timeline = stage.model.timeline
            guard let index = timeline.selectedIndex, timeline.isVisible(index), let anchor = timeline.anchor,
                timeline.measure(of: index).canFold, !timeline.viewport.isFollowing
            else { continue }
            let before = stage.rows
            let top = timeline.screenRow(of: index)
            stage.press(.character("z"))
            guard stage.model.timeline.anchor == anchor else { continue }
            // Rows of other messages above it, and its own first row, stay.
            #expect(top < 0 || stage.model.timeline.screenRow(of: index) == top, "seed \(seed)")
            if top > 0 {
                #expect(stage.rows[2..<2 + top].map { $0.dropLast() } == before[2..<2 + top].map { $0.dropLast() })
            }
            if Bool.random(using: &random) {
                stage.press(.character("z"))
                #expect(stage.rows.dropLast() == before.dropLast(), "seed \(seed)")
            }
        }
    }

    @Test func `Changes of and around a folded message leave it folded`() {
        var messages = Self.talk()
        var stage = Stage.open(messages, at: "m-10", columns: 80, rows: 26)
        stage.passTime()
        let before = stage.screen
        messages[10].text += "\none more"
        stage.send(.changed(Stage.general.id, [.updated(messages[10])]))
        stage.passTime()
        #expect(stage.screen == before.replacing("88 more", with: "89 more"))
        stage.press(.character("z"))
        messages[10].text += "\nand one"
        stage.send(.changed(Stage.general.id, [.updated(messages[10])]))
        #expect(!stage.screen.contains("z unfolds"))
    }

    @Test func `A hit in the hidden rows unfolds the message and is on the screen`() {
        var messages = Self.talk()
        messages[10].text = Self.lines(70) + "\nthe needle\n" + Self.lines(20)
        var stage = Stage.open(messages, at: "m-20", columns: 80, rows: 14)
        stage.press(.character("/"))
        stage.typeAndWait("needle")
        #expect(stage.screen.contains("the needle"))
        #expect(highlights(stage.frame) == ["needle"])
        stage.press(.enter)
        #expect(stage.screen.contains("the needle"))
        #expect(stage.selection == "m-10")
        stage.press(.control("o"), .escape)
        stage.answerAll()
        #expect(stage.selection == "m-20")
    }

    @Test func `A hit in the visible rows unfolds nothing`() {
        var stage = Stage.open(Self.talk(), at: "m-20", columns: 80, rows: 20)
        stage.press(.character("/"))
        stage.typeAndWait("\"line 3\"")
        #expect(stage.selection == "m-10")
        #expect(stage.screen.contains("z unfolds"))
    }

    @Test func `Esc folds again what a search has unfolded, and brings back the exact screen`() {
        var messages = Self.talk()
        messages[10].text = Self.lines(70) + "\nthe needle\n" + Self.lines(20)
        var stage = Stage.open(messages, at: "m-11", columns: 80, rows: 14)
        let before = stage.screen
        #expect(before.contains("z unfolds"))
        stage.press(.character("/"))
        stage.typeAndWait("needle")
        #expect(stage.screen != before)
        stage.press(.escape)
        stage.settle()
        #expect(stage.screen == before)
    }

    @Test func `A hit of the search everywhere is on the screen too, and in the preview`() {
        var messages = Self.talk()
        messages[10].text = Self.lines(70) + "\nthe needle\n" + Self.lines(20)
        var stage = Stage.open(messages, at: "m-20", columns: 120, rows: 20)
        stage.press(.character("s"))
        stage.typeAndWait("needle")
        #expect(stage.screen.contains("line 70."), "the preview shows what stands around it")
        stage.press(.enter)
        stage.settle()
        #expect(stage.screen.contains("the needle"))
        #expect(stage.selection == "m-10")
    }

    @Test func `An unfolded message is still unfolded when the user returns to the conversation`() {
        let other = Conversation(id: ConversationID("other"), title: "Other", topic: nil)
        var stage = Stage.open(
            Self.talk(), at: "m-10", columns: 80, rows: 14, beside: [(other, Script.long(20))])
        stage.press(.character("z"))
        stage.press(.control("e"), times: 40)
        let before = stage.screen
        stage.go(to: "other")
        #expect(stage.screen != before)
        stage.press(.control("o"))
        stage.answerAll()
        #expect(stage.screen == before)
    }
}
