import Display
import Messages
import TestSupport
import Testing

@testable import Interface

/// Reactions and the number of replies stand at the end of the text, or in a row of their own below it.
struct MessageMetaTests {
    private static let texts = [
        "one",
        "- first\n- second, which is a rather long item that goes on up to the end of its row and beyond it, as some do",
        "1. a\n2. b\n   and more of b that is very long indeed and fills all of the row until nothing is left of it at all",
        "```\nlet code = 1\n```",
        "```\nnever closed, and so long that it takes all of the columns that there are on the screen, at 72 that is",
        "> quoted\nand said", String(repeating: "天気", count: 60), String(repeating: "x", count: 150),
        (1...60).map { "- item \($0) of a list" }.joined(separator: "\n"),
    ]

    private static func entry(_ text: String, reactions: Int, replies: Int, files: Int = 0) -> Entry {
        var script = Script("2025-03-01T12:00:00Z")
        script.add(text, from: "Ana") { message in
            message.reactions = (0..<reactions).map { index in
                Reaction(emoji: ["👍", "🎉", "😀"][index % 3], people: (0...index).map { person("P\($0)") })
            }
            message.replyCount = replies
            message.attachments = (0..<files).map {
                Attachment(
                    name: "a very long name of a file that takes all the columns there are \($0)", path: nil, size: 1)
            }
        }
        return Entry(script.messages[0], after: nil, zone: .utc)
    }

    private func lines(_ entry: Entry, _ columns: Int) -> [String] {
        let grid = Grid(columns: columns)
        let rows = MessageRows(entry, grid: grid)
        let view = MessageView(
            entry, rows: rows, grid: grid, isSelected: false, target: nil, query: nil, visible: 0..<rows.height)
        return (0..<rows.height).map { view.line($0).text }
    }

    @Test(arguments: [20, 30, 40, 60, 61, 72, 80, 100, 200], texts)
    func `Reactions and replies are counted after the text where they fit, else in a row of their own`(
        columns: Int, text: String
    ) {
        for (reactions, replies) in [(1, 0), (3, 0), (0, 1), (0, 1_200), (3, 12), (30, 5)] {
            let entry = Self.entry(text, reactions: reactions, replies: replies)
            let plain = lines(Self.entry(text, reactions: 0, replies: 0), columns)
            let lines = lines(entry, columns)
            #expect((0...1).contains(lines.count - plain.count), "\(columns): \(text)")
            for (line, without) in zip(lines, plain).prefix(plain.count - 1) { #expect(line == without) }
            let last = lines.last ?? ""
            #expect(["👍", "🎉", "😀", "↵", "repl"].contains(where: last.contains), "\(columns): \(last)")
            let shown = String((plain.last ?? "").reversed().drop { $0 == " " }.reversed())
            #expect(lines[plain.count - 1].hasPrefix(shown), "nothing of the text is hidden: \(lines)")
            // After the text they are whole, at least without the time of the last reply.
            if lines.count == plain.count, reactions == 3 { #expect(last.contains("👍") && last.contains("😀 3")) }
            #expect(CleanText(last).columns <= columns)
        }
    }

    // MARK: - More than fit

    private static let kinds = "😀 🎉 🚀 🌊 🎯 💯 👍 🙏 🔥 👀 🐟 🍕 🌵 🎧 📎 🐳 🧊 🍋 🪁 🧭 🛶".split(separator: " ").map(String.init)

    private func reacted(_ reactions: [Reaction], columns: Int) -> [String] {
        var script = Script("2025-03-01T12:00:00Z")
        script.add("text", from: "Ana") { $0.reactions = reactions }
        return lines(Entry(script.messages[0], after: nil, zone: .utc), columns)
    }

    /// The reactions of a row, and the number of those that it does not show.
    private func shown(_ row: String) -> (labels: [String], rest: Int) {
        let words = row.split(separator: " ").map(String.init)
        let rest = words.last.flatMap { $0.hasPrefix("+") ? Int($0.dropFirst()) : nil }
        return (words.filter { !$0.hasPrefix("+") && Int($0) == nil }, rest ?? 0)
    }

    @Test func `As many kinds as fit are shown, and the number of the others`() {
        for count in 1...Self.kinds.count {
            for columns in 12...120 {
                let reactions = Self.kinds.prefix(count).enumerated().map { index, emoji in
                    Reaction(emoji: emoji, people: [], count: 1 + index * 7 % 5)
                }
                let row = reacted(reactions, columns: columns).last ?? ""
                let (labels, rest) = shown(row)
                let kinds = labels.filter(Self.kinds.contains)
                #expect(kinds.count + rest == count, "\(columns): \(row)")
                #expect(columns < 30 || kinds.count >= min(count, (columns - 26) / 5), "\(columns): \(row)")
                // Those that are shown have no fewer people than those that are not.
                let counts = Dictionary(reactions.map { ($0.emoji, $0.count) }) { first, _ in first }
                guard rest > 0 else { continue }
                let least = kinds.compactMap { counts[$0] }.min() ?? .max
                let most = reactions.filter { !kinds.contains($0.emoji) }.map(\.count).max() ?? 0
                // A reaction of one person is shorter than one of several.
                #expect(least >= most || least == 1, "\(columns): \(row)")
            }
        }
    }

    @Test func `A long name hides no other reaction, wherever it stands`() {
        let long = ":" + String(repeating: "a_long_custom_emoji_name_", count: 8) + ":"
        for place in 0...5 {
            var emoji = Array(Self.kinds.prefix(5))
            emoji.insert(long, at: place)
            let row = reacted(emoji.map { Reaction(emoji: $0, people: [person("Ben")]) }, columns: 60).last ?? ""
            #expect(Self.kinds.prefix(5).allSatisfy(row.contains), "\(row)")
            #expect(row.contains(":a_long_cus…"))
        }
    }

    @Test func `The user's own reactions are among those that are shown`() {
        for own in Self.kinds {
            let reactions = Self.kinds.map { emoji in
                Reaction(emoji: emoji, people: emoji == own ? [person("Me")] : [], count: emoji == own ? 1 : 90)
            }
            var script = Script("2025-03-01T12:00:00Z")
            script.add("text", from: "Ana") { $0.reactions = reactions }
            for columns in [30, 40, 60] {
                let text = MessageMeta.text(
                    of: script.messages[0], after: 0, grid: Grid(columns: columns), now: nil, me: PersonID("me"))
                #expect(text?.string.contains(own) == true, "\(columns): \(text?.string ?? "")")
            }
        }
    }

    @Test func `A click on the number of the others shows all of them, and one on an emoji reacts`() throws {
        var messages = Script.long(20)
        messages[19].reactions = Self.kinds.map { Reaction(emoji: $0, people: [person("Ben")]) }
        var stage = Stage.open(messages, at: nil, columns: 60, rows: 20, me: PersonID("ana"))
        let row = try #require(stage.rows.firstIndex { $0.contains("🎉") })
        let before = try #require(stage.rows[row].firstRange(of: "🎉")?.lowerBound)
        stage.mouse(.press(clicks: 1), row: row, column: CleanText(stage.rows[row][..<before]).columns)
        #expect(stage.sent.map(\.content) == [.reaction(MessageID("m-19"), emoji: "🎉", isRemoved: false)])
        let plus = try #require(stage.rows[row].firstRange(of: "+")?.lowerBound)
        stage.mouse(.press(clicks: 1), row: row, column: CleanText(stage.rows[row][..<plus]).columns)
        #expect(stage.screen.contains("Reactions:"))
    }

    @Test(arguments: [20, 40, 72, 120]) func `A message with only files has these counts as well`(columns: Int) {
        let lines = lines(Self.entry("", reactions: 2, replies: 3, files: 2), columns)
        #expect(["👍", "🎉", "↵", "repl"].contains(where: (lines.last ?? "").contains), "\(lines)")
        #expect(lines.count == self.lines(Self.entry("", reactions: 0, replies: 0, files: 2), columns).count + 1)
    }

    @Test func `Text, code and quotes have one right edge, and wrapped code has a mark`() {
        let long = String(repeating: "word ", count: 60)
        var script = Script("2025-03-01T12:00:00Z")
        script.add(long + "\n```\n" + String(repeating: "x", count: 300) + "\n```", from: "Ana") {
            $0.quote = Quote(id: MessageID("q"), content: .message(sender: person("Ben"), text: long))
        }
        let entry = Entry(script.messages[0], after: nil, zone: .utc)
        for columns in [40, 72, 100, 200] {
            let lines = lines(entry, columns)
            let grid = Grid(columns: columns)
            let edge = grid.textStart + grid.textColumns
            #expect(lines.allSatisfy { CleanText($0).columns <= max(edge, columns - grid.rightMargin) })
            #expect(lines.filter { $0.contains("x") }.dropLast().allSatisfy { CleanText($0).columns == edge })
            #expect(lines.contains { $0.contains("│ xxx") } && lines.contains { $0.contains("↪ xxx") })
            #expect(lines.contains { $0.contains("↳ Ben: word") && (edge - 6...edge).contains(CleanText($0).columns) })
        }
    }

    @Test func `A name is shortened by words before letters are cut`() {
        let name: CleanText = "Priya Anjali Raghunathan"
        for (columns, shown) in [
            (24, "Priya Anjali Raghunathan"), (23, "Priya R."), (8, "Priya R."), (7, "Priya"), (5, "Priya"), (4, "PAR"),
            (3, "PAR"), (2, "P…"),
        ] { #expect(ShownName.fitted(name, columns: columns).string == shown) }
        #expect(ShownName.fitted("deformation", columns: 8).string == "deforma…")
        #expect(ShownName.fitted("Bosun (bot)", columns: 8).string == "Bosun")
        #expect(ShownName.fitted("林美 Mei", columns: 6).string == "林美")
        for (columns, shown) in [(21, "Alex (@alex1:one.org)"), (14, "@alex1:one.org"), (8, "@alex1:…")] {
            #expect(ShownName.fitted("Alex (@alex1:one.org)", columns: columns).string == shown)
        }
    }

    @Test func `The column of names is as wide as the names with which the conversation was opened`() {
        var script = Script("2025-03-01T12:00:00Z")
        for index in 0..<400 { script.add("message \(index)", from: index < 200 ? "Maximiliane" : "Al") }
        var stage = Stage.open(script.messages, at: "m-300", columns: 120, rows: 12)
        let before = stage.model.grid
        #expect(before.nameColumns == 8)
        stage.press(.home)
        stage.answerAll()
        #expect(stage.screen.contains("Maximil…"))
        #expect(stage.model.grid == before)
        let other = Stage.open(script.messages, at: "m-100", columns: 120, rows: 12)
        #expect(other.model.grid.nameColumns == 11)
    }

    @Test func `Where many people write, names have room for those of messages that are not loaded`() {
        func columns(_ count: Int, people: Int) -> Int {
            var script = Script("2025-03-01T12:00:00Z")
            for index in 0..<count { script.add("message \(index)", from: "P\(index % people)") }
            return Stage.open(script.messages, at: "m-1", columns: 120, rows: 12).model.grid.nameColumns
        }
        #expect(columns(400, people: 5) == 13)
        #expect(columns(400, people: 4) == 8, "all of them are known")
        #expect(columns(10, people: 5) == 8, "all messages are loaded")
    }

    @Test func `Each byte of a text is in its rows once, in order`() {
        for columns in 1...130 {
            for text in Self.texts {
                let entry = Self.entry(text, reactions: 0, replies: 0)
                let rows = MessageRows(entry, grid: Grid(columns: columns))
                let places = rows.rows.map(\.place)
                #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "\(columns): \(places)")
                for row in rows.rows.indices { #expect(rows.row(ofPlace: rows.place(ofRow: row)) == row) }
            }
        }
    }
}
