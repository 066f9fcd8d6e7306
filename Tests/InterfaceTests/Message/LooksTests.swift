import Display
import Messages
import Search
import TestSupport
import Testing
import Timeline

@testable import Interface

/// How messages look: by their marks, by who looks, by what is looked for.
struct LooksTests {
    private static func one(_ text: String, columns: Int = 60, rows: Int = 12) -> Stage {
        var script = Script("2025-03-01T09:12:33Z")
        script.add(text, from: "Ana", after: 0)
        return Stage.open(script.messages, at: nil, columns: columns, rows: rows)
    }

    /// The styles of all spans with this text.
    private static func styles(_ text: String, in stage: Stage) -> [Style] {
        stage.frame.lines.flatMap(\.spans).filter { $0.text.string == text }
            .map { Style($0.style.color, $0.style.attributes) }
    }

    @Test func `Marks stay visible, dim, and the marked text has its style`() {
        let stage = Self.one("a **bold** and *slanted* one, ~~struck~~, `co_de_`, https://a.org/")
        #expect(stage.screen.contains("a **bold** and *slanted* one"))
        let dim = Style(.standard, .dim)
        #expect(Self.styles("**", in: stage) == [dim, dim])
        #expect(Self.styles("bold", in: stage) == [Style(.standard, .bold)])
        #expect(Self.styles("slanted", in: stage) == [Style(.standard, .italic)])
        #expect(Self.styles("struck", in: stage) == [dim])
        #expect(Self.styles("co_de_", in: stage) == [Style(.code)])
        #expect(Self.styles("https://a.org/", in: stage) == [Style(.accent, .underline)])
    }

    @Test func `The text of a link never hides its address`() {
        let stage = Self.one("[the bank](https://evil.org/)")
        #expect(stage.screen.contains("[the bank](https://evil.org/)"))
        #expect(Self.styles("the bank", in: stage) == [Style(.accent, .underline)])
        #expect(Self.styles("https://evil.org/", in: stage) == [Style(.standard, .dim)])
    }

    @Test func `Lists are indented, quotes are dim, code stays as it is`() {
        let stage = Self.one(
            """
            - the first item, which goes on in the next row of this narrow screen
            12. twelve
            > a quote that goes on in the next row of it, too, as we see
            ```
            **no bold** - or list
            ```
            """, columns: 50)
        expect(
            stage.screen,
            """
             General   Where we talk                   1 of 1
             Saturday 1 March 2025
            ▌09:12 Ana
            ▌- the first item, which goes on in the next row
            ▌  of this narrow screen
            ▌12. twelve
            ▌> a quote that goes on in the next row of it,
            ▌  too, as we see
            ▌```
            ▌│ **no bold** - or list
            ▌```
             general/m-0  09:12     / search  h help  q quit
            """, ignoringBar: true)
        #expect(Self.styles("> a quote that goes on in the next row of it,", in: stage) == [Style(.standard, .dim)])
    }

    @Test func `Code in a line has a colour of its own, and its marks are dim`() {
        let stage = Self.one("see `swift test` and **bold `code`**\n> a `quoted` word")
        #expect(Self.styles("swift test", in: stage) == [Style(.code)])
        #expect(Set(Self.styles("`", in: stage)) == [Style(.standard, .dim)])
        #expect(Self.styles("quoted", in: stage) == [Style(.code, .dim)])
    }

    @Test func `System lines and deleted messages have no markup, and an action's name starts no list`() {
        var script = Script("2025-03-01T09:12:33Z")
        script.add("waves *both* hands, with a lot of words behind it that make it go on", from: "Ana", kind: .action)
        let stage = Stage.open(script.messages, at: nil, columns: 50)
        #expect(stage.rows.contains { $0.hasPrefix("▌* Ana waves *both* hands") })
        #expect(stage.rows.contains { $0.hasPrefix("▌behind") || $0.hasPrefix("▌words") || $0.hasPrefix("▌lot") })
        #expect(Self.styles("both", in: stage) == [Style(.standard, .italic)])
    }

    @Test func `A hit that touches or spans marks is highlighted, including the marks between its words`() {
        for (text, query, expected) in [
            ("a very **bold** plan", "\"very bold\"", "very **bold"), ("a **bold** plan", "bold", "bold"),
            ("**bold plan** b", "\"plan b\"", "plan** b"), ("`some code` here", "code", "code"),
            ("[the bank](https://evil.org/)", "evil", "evil"), ("half**bold**ly", "bold", "bold"),
        ] {
            var stage = Self.one(text)
            stage.press(.character("/"))
            stage.typeAndWait(query)
            #expect(highlights(stage.frame).joined() == expected, "\(text)")
            #expect(stage.screen.contains(text))
        }
    }

    /// Texts in which everything meets.
    private static func randomText(_ random: inout SeededGenerator) -> String {
        let pieces = [
            "tide", "harbour", "*", "**", "_", "~~", "`", " ", " ", "\n", "\n- ", "\n> ", "\n1. ", "[", "](",
            "https://a.org/x",
            ")", "漢字", "e\u{301}", "```\n", "long_word_with_parts", "👍",
        ]
        return (0..<40).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    @Test(arguments: [UInt64](1...150))
    func `At random, each row shows its part of the text with its hits highlighted`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var script = Script("2025-03-01T09:12:33Z")
        script.add("tide " + Self.randomText(&random), from: "Ana")
        let entry = Entry(script.messages[0], after: nil, zone: .utc)
        let query = ResolvedQuery(Query("tide"), zone: .utc, now: Timestamp(milliseconds: 0))
        for columns in [10, 33, 61, 100] {
            let grid = Grid(columns: columns)
            let rows = MessageRows(entry, grid: grid)
            let all = 0..<rows.height
            let view = MessageView(
                entry, rows: rows, grid: grid, isSelected: false, target: nil, query: query, visible: all)
            let hits = entry.hits(query, in: 0..<entry.body.end)
            var found: [Int: [Range<Int>]] = [:]
            for row in all {
                guard case .text(let wrapped, let line) = rows.rows[row].content else { continue }
                let drawn = view.line(row)
                #expect(drawn.text.contains(wrapped.text.string), "seed \(seed)")
                #expect(drawn.columns <= columns, "seed \(seed)")
                // The row ends with its text.
                var offset = wrapped.start + wrapped.text.string.utf8.count
                for span in drawn.spans.reversed() where offset > wrapped.start {
                    let start = offset - span.text.string.utf8.count
                    if span.style.attributes.contains(.reverse) { found[line, default: []].append(start..<offset) }
                    offset = start
                }
            }
            for (line, ranges) in hits {
                let expected = Set(ranges.flatMap { Array($0) })
                let drawn = Set((found[line] ?? []).flatMap { Array($0) })
                // Blanks at a break are not drawn.
                #expect(drawn.isSubset(of: expected) && expected.subtracting(drawn).count <= 1, "seed \(seed)")
            }
        }
    }

    @Test(arguments: [UInt64](1...40))
    func `At random, a resize there and back gives the same screen`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var script = Script("2025-03-01T09:12:33Z")
        for _ in 0..<30 { script.add(Self.randomText(&random), from: "Ana") }
        var stage = Stage.open(script.messages, at: "m-15", columns: 80, rows: 14)
        for _ in 0..<Int.random(in: 0...9, using: &random) { stage.press(.control("e")) }
        let before = stage.screen
        let anchor = stage.model.timeline.anchor
        for _ in 0..<5 {
            stage.send(.resized(Size(columns: Int.random(in: 8...140, using: &random), rows: 14)))
            #expect(stage.model.timeline.anchor == anchor, "seed \(seed)")
        }
        stage.send(.resized(Size(columns: 80, rows: 14)))
        #expect(stage.screen == before, "seed \(seed)")
    }

    @Test func `y copies the text with its marks`() {
        var stage = Self.one("a **bold** [one](https://a.org)")
        stage.press(.character("y"))
        #expect(stage.copies == ["a **bold** [one](https://a.org)"])
    }

    @Test func `The user's own name has the accent, and all others their colours`() {
        var script = Script("2025-03-01T09:12:33Z")
        script.add("one", from: "Ana")
        script.add("two", from: "Ben")
        var stage = Stage(script.messages, columns: 80, me: PersonID("ana"))
        stage.start(at: .latest)
        stage.answerAll()
        func style(_ name: String) -> Style? {
            stage.frame.lines.flatMap(\.spans).first { $0.text.string.hasPrefix(name + " ") }
                .map { Style($0.style.color, $0.style.attributes) }
        }
        #expect(style("Ana") == Style(.accent, .bold))
        #expect(style("Ben") == Style(.name(NameColor.index(for: PersonID("ben")))))
    }

    @Test func `A mention of the user is highlighted, and its message marked, but not the user's own`() {
        var script = Script("2025-03-01T09:12:33Z")
        script.add("ask @Ana, or write to x@ana.org", from: "Ben")
        script.add("I am @ana", from: "Ana")
        script.add("no, not me", from: "Ben")
        var stage = Stage(script.messages, columns: 80, me: PersonID("ana"))
        stage.start(at: .latest)
        stage.answerAll()
        #expect(Self.styles("@Ana", in: stage) == [Style(.unread, .bold)])
        #expect(Self.styles("@ana", in: stage).isEmpty)
        #expect(stage.rows.filter { $0.hasPrefix("@") }.count == 1)
        stage.press(.up, .up)
        let marked = stage.frame.lines.filter { $0.text.hasPrefix("@") }
        #expect(marked.count == 1 && !stage.screen.contains("▌"), "the sign stays when the message is selected")
        let sign = marked.first?.spans.first?.style
        #expect(sign?.color == .unread && sign?.attributes == [.bold, .reverse])
    }

    @Test(arguments: [80, 40, 24, 9])
    func `The sign of a message for the user stays where the target's or another mark has the gutter`(columns: Int) {
        var script = Script("2025-03-01T09:12:33Z")
        script.add("one", from: "Ben")
        script.add("ask Ana", from: "Ben")
        script.add("two", from: "Ben")
        func marks(_ change: (inout Stage) -> Void) -> [String] {
            var stage = Stage.open(
                script.messages, at: "m-1", columns: columns, rows: 20, me: PersonID("ana"))
            change(&stage)
            return stage.rows.filter { $0.contains("@") || $0.contains("►") || $0.contains("│@") }
        }
        let target = marks { $0.press(.down) }
        #expect(target.count == 1 && target[0].hasPrefix("►") && target[0].contains("@"), "\(target)")
        let marked = marks { $0.press(.character("v"), .down) }
        #expect(marked.count == 1 && marked[0].hasPrefix("│") && marked[0].contains("@"), "\(marked)")
    }

    @Test func `A name without a sign is highlighted as a mention, and so is a word of the settings`() {
        var script = Script("2025-03-01T09:12:33Z")
        script.add("Ana: are you there?", from: "Ben")
        script.add("the banana harbour", from: "Ben")
        var stage = Stage(script.messages, columns: 80, me: PersonID("ana")) { $0.highlight = ["harbour"] }
        stage.start(at: .latest)
        stage.answerAll()
        #expect(Self.styles("Ana", in: stage).last == Style(.unread, .bold))
        #expect(Self.styles("harbour", in: stage) == [Style(.unread, .bold)])
        #expect(stage.rows.filter { $0.hasPrefix("@") }.count == 2)
    }

    @Test func `The selected message has a background up to the scroll bar, and no divider has it`() {
        var stage = Stage.open(Script.long(400), at: "m-216", columns: 80)
        stage.press(.up)
        let selected = stage.frame.lines.filter { $0.spans.contains { $0.style.surface == .selection } }
        #expect(!selected.isEmpty)
        for line in selected {
            #expect(line.text.hasPrefix("▌"))
            #expect(line.spans.dropLast().allSatisfy { $0.style.surface == .selection })
        }
        let dividers = stage.frame.lines.filter { $0.text.contains("───") }
        #expect(dividers.allSatisfy { $0.spans.allSatisfy { $0.style.surface == .screen } })
    }

    @Test func `The status line shows the time, and the link only if the settings say so`() {
        var stage = Stage(Script.long(3), showsLink: false)
        stage.start(at: .latest)
        stage.answerAll()
        #expect(stage.rows.last?.hasPrefix(" 00:20  ") == true)
        #expect(stage.rows.last?.contains("general/") == false)
        stage.press(.character("Y"))
        #expect(stage.rows.last?.contains("link copied: general/m-2") == true)
    }

    @Test func `The title and the status line are bars over the whole width`() {
        let stage = Stage.open(Script.long(30), at: nil, columns: 80)
        for line in [stage.frame.lines.first, stage.frame.lines.last] {
            #expect(line?.columns == 80 && line?.spans.allSatisfy { $0.style.surface == .bar } == true)
        }
    }

    @Test func `The day is said once: by the line at the top, or by a divider below it`() {
        var script = Script("2025-03-01T23:00:00Z")
        for index in 0..<60 { script.add("message \(index)", from: "Ana", after: 7_200) }
        var stage = Stage.open(script.messages, at: "m-10", columns: 72, rows: 12)
        for _ in 0..<50 {
            stage.press(.control("e"))
            stage.answerAll()
            let days = stage.rows.filter { $0.contains("March 2025") }
            #expect(Set(days.map { $0.filter { $0.isLetter || $0.isNumber } }).count == days.count, "\(stage.screen)")
            #expect(!stage.rows[2].contains("──"))
        }
    }

    @Test func `A name has the same colour in every run`() {
        let colors = ["ana", "ben", "soren", "łukasz", ""].map { NameColor.index(for: PersonID($0)) }
        #expect(colors == [9, 10, 4, 0, 1])
    }
}

/// Times to the second.
struct ExactTimesTests {
    @Test(arguments: [20, 40, 60, 61, 72, 80, 100, 200])
    func `No row moves when times show seconds`(columns: Int) {
        var script = Script("2025-03-01T09:12:33Z")
        script.add("first", from: "Ana", after: 0)
        script.add(
            "a **long** text that takes some rows on each of these screens, however wide they are", from: "Ana",
            after: 4)
        script.add("third", from: "Bartholomew the Great", after: 90)
        var stage = Stage.open(script.messages, at: nil, columns: columns, rows: 20)
        let before = stage
        stage.press(.character("T"))
        let start = stage.model.grid.textStart
        for (old, new) in zip(before.frame.lines, stage.frame.lines).dropLast() {
            if columns > 60 { #expect(old.text.dropFirst(start) == new.text.dropFirst(start)) }
            #expect(new.columns <= columns)
        }
        let layout = stage.model.timeline.layout
        #expect(layout == before.model.timeline.layout)
        if columns > 60 {
            #expect(stage.screen.contains("09:12:33 Ana"))
            #expect(stage.screen.contains("09:12:37  "), "each message has a time of its own")
        }
        stage.press(.character("T"))
        #expect(stage.screen == before.screen)
    }

    @Test func `The status line shows day, time and zone of the selected message`() {
        var stage = Stage.open(Script.long(10), at: "m-3", columns: 80)
        #expect(stage.rows.last?.contains("general/m-3  00:26") == true)
        stage.press(.character("T"))
        #expect(stage.rows.last?.contains("general/m-3  2025-03-01 00:26:40 +00:00") == true)
        stage.press(.up)
        #expect(stage.rows.last?.contains("general/m-2  2025-03-01 00:20:00 +00:00") == true)
        #expect(Zone(secondsEast: -12_600).second(Timestamp(milliseconds: 0)) == "1969-12-31 20:30:00 -03:30")
    }
}
