import Display
import Messages
import TestSupport
import Testing

@testable import Interface

/// Keys and clicks that move the cursor within a text.
struct QueryCursorTests {
    private static let moves: [Key] = [
        .left, .right, .home, .end, .control("a"), .control("e"), .alt("b"), .alt("f"), .held(.control, .left),
        .held(.alt, .right),
    ]

    private static func selected(_ stage: Stage) -> [String] { stage.rows.filter { $0.hasPrefix("▌") } }

    private static func open(_ key: Key, _ text: String) -> Stage {
        let others = ["harbour", "tide", "anchor", "beacon", "chart"].map {
            (Conversation(id: ConversationID($0), title: $0, topic: nil), Script.long(3))
        }
        var stage = Stage.open(Script.long(20), at: nil, columns: 80, rows: 20, beside: others, me: PersonID("ana"))
        stage.press(key)
        stage.settle()
        stage.typeAndWait(text)
        return stage
    }

    @Test(arguments: [(Key.control("k"), "a"), (.control("k"), ""), (.character(":"), "un"), (.character(":"), "")])
    func `A key that only moves the cursor leaves the selection alone`(key: Key, text: String) {
        for move in Self.moves {
            var stage = Self.open(key, text)
            stage.press(.down, .down)
            stage.settle()
            let before = Self.selected(stage)
            #expect(before.count == 1)
            stage.press(move)
            stage.settle()
            #expect(Self.selected(stage) == before, "\(move)")
            // Other words select again.
            stage.press(.held(.control, .home))
            let first = Self.selected(stage)
            stage.press(.down, .down, .end)
            stage.typeAndWait("n")
            stage.press(.backspace)
            stage.settle()
            if !text.isEmpty { #expect(Self.selected(stage) == first, "\(move)") }
        }
    }

    @Test func `Ctrl-Home and Ctrl-End go to the ends of a list`() {
        for key in [Key.control("k"), .character(":")] {
            var stage = Self.open(key, "")
            stage.press(.held(.control, .end))
            let last = Self.selected(stage)
            stage.press(.down)
            #expect(Self.selected(stage) == last && last.count == 1)
            stage.press(.held(.control, .home))
            let first = Self.selected(stage)
            stage.press(.up)
            #expect(Self.selected(stage) == first && first != last)
        }
    }

    @Test func `A list that is only read keeps its row, and so do emoji and names to complete`() {
        struct Row: ListedRow {
            let id: Int
            var searched: String { "row \(id)" }
        }
        var list = RowList<Row>()
        list.show((0..<9).map { Row(id: $0) })
        let area = PreviewLayout.Area(row: 1, column: 0, columns: 40, rows: 5)
        for event in [PanelEvent.text(["r"]), .settled, .action(.down), .action(.down), .edit(.fieldStart), .settled] {
            _ = list.handle(event, in: area)
        }
        #expect(list.selectedRow?.id == 2)
        _ = list.handle(.text(["o"]), in: area)
        _ = list.handle(.settled, in: area)
        #expect(list.selectedRow == nil, "no row has the word \"or\"")

        var palette = ReactionPalette(target: MessageID("m-1"))
        let context = Self.open(.escape, "").model.context
        for event in [PanelEvent.text(["h"]), .settled, .action(.down), .edit(.fieldStart), .settled] {
            _ = palette.handle(event, in: context)
        }
        #expect(palette.selected == 1)

        var stage = Self.open(.character("i"), "@")
        stage.press(.down, .right)
        #expect(stage.model.composer?.completion?.selected == 1)
    }

    // MARK: - Words

    @Test(arguments: [
        (Key.held(.control, .left), "tide at X", " noon"), (.held(.alt, .left), "tide at X", " noon"),
    ])
    func `Ctrl and Alt with an arrow go by words, and with Del delete them`(key: Key, _: String, _: String) {
        for panel in [Key.character("i"), .character("/")] {
            var stage = Self.open(panel, "tide at noon")
            func text() -> String? {
                panel == .character("i") ? stage.model.composer?.area.text : stage.model.find?.field.text
            }
            stage.press(key, .character("X"))
            #expect(text() == "tide at Xnoon")
            stage.press(.home, key == .held(.alt, .left) ? .held(.alt, .right) : .held(.control, .right))
            stage.press(.held(.control, .delete))
            #expect(text() == "tide Xnoon")
            stage.press(.held(.control, .backspace))
            #expect(text() == " Xnoon")
        }
    }

    // MARK: - The mouse

    @Test(arguments: [
        (row: 0, column: 3, text: "Xone\n漢字 two"), (row: 0, column: 5, text: "onXe\n漢字 two"),
        (row: 0, column: 60, text: "oneX\n漢字 two"), (row: 0, column: 0, text: "Xone\n漢字 two"),
        (row: 1, column: 5, text: "one\n漢X字 two"), (row: 1, column: 6, text: "one\n漢X字 two"),
        (row: 1, column: 9, text: "one\n漢字 tXwo"), (row: 1, column: 71, text: "one\n漢字 twoX"),
    ])
    func `A click places the cursor in the composer`(row: Int, column: Int, text: String) {
        for isReply in [false, true] {
            var stage = Stage.open(Script.long(8), at: nil, me: PersonID("ben"))
            stage.passTime()
            stage.press(.character(isReply ? "r" : "i"))
            stage.type("one")
            stage.press(.altEnter)
            stage.type("漢字 two")
            let before = stage.selection
            stage.mouse(.press(clicks: 1), row: 11 + row, column: column)
            stage.mouse(.release, row: 11 + row, column: column)
            stage.type("X")
            #expect(stage.model.composer?.area.text == text)
            #expect(stage.selection == before && stage.model.panel == .composer)
            // The line that says what is replied to is no text.
            stage.mouse(.press(clicks: 1), row: 10, column: 8)
            #expect(stage.model.composer?.area.text == text)
        }
    }

    @Test func `A click on a row of a long text that has scrolled places the cursor in that row`() {
        var stage = Stage.open(Script.long(8), at: nil, me: PersonID("ben"))
        stage.passTime()
        stage.press(.character("i"))
        for number in 0..<20 {
            stage.type("row \(number)")
            if number < 19 { stage.press(.altEnter) }
        }
        let rows = stage.rows
        for (index, row) in rows.enumerated() where row.contains("row 1") && !row.contains("message") {
            let shown = row.filter { !"› ".contains($0) }
            var clicked = stage
            clicked.mouse(.press(clicks: 1), row: index, column: 40)
            clicked.type("X")
            let text = clicked.model.composer?.area.text ?? ""
            let changed = text.split(separator: "\n").first { $0.hasSuffix("X") }?.filter { $0 != " " }
            #expect(changed == shown + "X")
        }
        #expect(rows.contains { $0.contains("row 19") })
    }
}
