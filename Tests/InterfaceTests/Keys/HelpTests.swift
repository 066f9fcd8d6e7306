import Display
import Messages
import Testing

@testable import Interface

struct HelpTests {
    @Test func `No line of the help is cut on a screen of 80 columns, nor on a narrow one`() {
        for columns in [30, 40, 62, 80, 100] {
            for row in Help.rows(.standard, columns: columns) { #expect(row.columns <= columns, "\(row.text)") }
        }
    }

    @Test func `The help has as many columns as fit, and leaves out nothing`() {
        var stage = Stage.open(Script.long(10), at: nil, columns: 200, rows: 60)
        stage.press(.character("h"))
        for title in ["Moving", "Searching and jumping", "Acting", "Mouse"] { #expect(stage.screen.contains(title)) }
        for binding in Keymap.standard.bindings(in: .conversation) {
            #expect(stage.screen.contains(binding.help.prefix(20)), "\(binding.help)")
        }
    }

    @Test func `All columns of the help begin in the row below the title`() {
        for (columns, rows) in [(80, 24), (140, 24), (140, 30), (140, 47), (200, 30)] {
            var stage = Stage.open(Script.long(10), at: nil, columns: columns, rows: rows)
            stage.press(.character("h"))
            let count = max(1, columns / 62)
            for column in 0..<count {
                let start = column * (columns / count)
                let cell = stage.rows[1].dropFirst(start).prefix(columns / count)
                #expect(cell.contains(#/\S/#), "\(columns)x\(rows): \(stage.rows[1])")
            }
        }
    }

    @Test func `Typed words select rows, and Esc closes the help`() {
        var stage = Stage.open(Script.long(10), at: nil, columns: 80, rows: 20)
        let before = stage.frame
        stage.press(.function(1))
        stage.type("newer messages")
        #expect(stage.screen.contains("End  G"))
        #expect(!stage.screen.contains("half a screen"))
        stage.type(" zzz")
        #expect(stage.screen.contains("no match"))
        stage.press(.control("u"))
        #expect(stage.screen.contains("half a screen"))
        stage.press(.escape)
        #expect(stage.frame == before)
    }

    @Test func `It opens at the keys that are in use, also from every prompt`() {
        var stage = Stage.open(Script.long(10), at: nil, columns: 80, rows: 20, me: PersonID("ben"))
        for (key, title) in [
            (Key.character("i"), "While writing"), (.character("/"), "In prompts"),
            (.character("d"), "In prompts"), (.control("k"), "In prompts"),
            (.character("x"), "In prompts"), (.character("+"), "In prompts"), (.control("l"), "Moving"),
        ] {
            stage.press(key)
            let before = stage.frame
            stage.press(.function(1))
            #expect(stage.rows.prefix(3).contains { $0.contains(title) }, "\(key)")
            stage.press(.escape)
            #expect(stage.frame == before, "\(key)")
            stage.press(.escape)
            stage.settle()
        }
    }
}
