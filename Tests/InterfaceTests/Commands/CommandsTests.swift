import Display
import Testing

@testable import Interface

/// The list of all commands.
struct CommandsTests {
    private static func stage() -> Stage { Stage.open(Script.long(100), at: "m-50", columns: 80, rows: 20) }

    @Test func `A command is found by some letters of its name, and carried out`() {
        var stage = Self.stage()
        stage.press(.character(":"))
        #expect(stage.rows[0].hasPrefix(" :") && stage.rows[0].contains("commands"))
        #expect(stage.rows[19].contains("Enter run") && !stage.rows[19].contains("go there"))
        stage.paste("exact")
        #expect(stage.rows[1].contains("exact-times") && stage.rows[1].contains("T "))
        stage.press(.enter)
        #expect(stage.model.screen.clockStyle == .seconds)
        stage.press(.character(":"))
        stage.paste("quit")
        stage.press(.enter)
        #expect(stage.others.contains { if case .quit(.done) = $0 { true } else { false } })
    }

    @Test
    func
        `An explanation that has no room in its row stands whole in the last one, and no row ends with a lone ellipsis`()
    {
        var stage = Self.stage()
        stage.press(.character(":"))
        stage.paste("exact")
        let binding = Keymap.standard.bindings(in: .conversation).first {
            $0.help.utf8.count > 37 && $0.help.utf8.count < 56
        }
        stage.press(.control("u"))
        stage.paste(binding?.name ?? "")
        #expect(stage.rows[1].contains(binding?.name ?? "?") && stage.rows[1].contains("…"))
        #expect(stage.rows[19].contains(binding?.help ?? "?") && stage.rows[19].contains("Enter run"))
        var small = Stage.open(Script.long(100), at: "m-50", columns: 40, rows: 12)
        small.press(.character(":"))
        #expect(small.rows[1...10].allSatisfy { !$0.contains("…") }, "\(small.screen)")
        #expect(small.rows[11].contains("previous mes") && small.rows[11].contains("Enter run"))
    }

    @Test func `A name and its keys never touch`() {
        var stage = Stage.open(Script.long(100), at: "m-50", columns: 100, rows: 60)
        stage.press(.character(":"))
        let rows = stage.rows.dropFirst().dropLast().filter { $0.contains { $0.isLetter } }
        #expect(rows.count > 40 && rows.contains { $0.hasPrefix(" next-unread-conversa… ") })
        for row in rows { #expect(row.dropFirst(22).hasPrefix(" "), "\(row)") }
    }

    @Test func `The words of the explanation find a command, too, and Esc changes nothing`() {
        var stage = Self.stage()
        let before = stage.frame
        stage.press(.character(":"))
        stage.paste("percent")
        #expect(stage.screen.contains("no match"))
        stage.press(.control("u"))
        stage.paste("search backw")
        #expect(stage.rows[1].contains("search-backward"))
        stage.press(.control("u"))
        stage.paste("started")
        let found = stage.frame.lines[1].spans.first { $0.text.string == "started" }
        #expect(found?.style.attributes.contains(.underline) == true, "\(stage.screen)")
        stage.press(.escape)
        #expect(stage.frame == before)
    }

    @Test func `Each command has a name of its own, and keys`() {
        let bindings = Keymap.standard.bindings(in: .conversation)
        #expect(bindings.allSatisfy { !$0.keys.isEmpty && !$0.help.isEmpty })
        for context in Keymap.Context.allCases {
            let names = Keymap.standard.bindings(in: context).map(\.name)
            #expect(Set(names).count == names.count)
            // Tables of the settings.
            #expect(!names.contains("writing") && !names.contains("prompts"))
        }
        #expect(Action.searchEverywhere.name == "search-everywhere")
    }
}
