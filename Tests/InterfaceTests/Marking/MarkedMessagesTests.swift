import Display
import Messages
import Testing
import Timeline

@testable import Interface

/// The selection of several messages.
struct MarkedMessagesTests {
    private static func stage(at id: String? = "m-50", rows: Int = 14) -> Stage {
        Stage.open(Script.long(500), at: id, columns: 80, rows: rows)
    }

    private static func copied(_ stage: Stage) -> [MarkedRange] {
        stage.others.compactMap { if case .ask(.copy(let range), _) = $0 { range } else { nil } }
    }

    private static func written(_ stage: Stage) -> [String] {
        stage.others.compactMap { effect in
            if case .ask(.write(let range, let file, let replaces), _) = effect {
                "\(range.first)..\(range.last) \(file)\(replaces ? " again" : "")"
            } else {
                nil
            }
        }
    }

    /// The last task that was to write a file.
    private static func task(_ stage: Stage) -> UserTask? {
        stage.others.compactMap { effect -> UserTask? in
            if case .ask(.write(let range, let file, let replaces), _) = effect {
                .write(range, file: file, replaces: replaces)
            } else {
                nil
            }
        }.last
    }

    /// The texts of the rows with the background of selected messages.
    private static func marked(_ stage: Stage) -> [String] {
        stage.frame.lines.filter { line in line.spans.contains { $0.style.surface == .selection } }
            .compactMap { $0.text.firstMatch(of: #/message \d+/#).map { String($0.output) } }
    }

    @Test func `The messages from the first to the cursor are selected, in either direction`() throws {
        var stage = Self.stage()
        stage.press(.character("v"), .down, .down)
        #expect(Self.marked(stage) == ["message 50", "message 51", "message 52"])
        #expect(stage.screen.contains("3 messages selected"))
        stage.press(.up, times: 4)
        #expect(Self.marked(stage) == ["message 48", "message 49", "message 50"])
        stage.press(.character("y"))
        let range = Self.copied(stage).last
        #expect(range?.first == MessageID("m-48") && range?.last == MessageID("m-50"))
        #expect(Self.marked(stage) == ["message 48"], "copying ends the selection")
        stage.send(.reply(.task(.copy(try #require(range))), .range(.copied("three texts", count: 3))))
        #expect(stage.copies == ["three texts"] && stage.screen.contains("3 messages copied"))
    }

    @Test func `A range whose pages fail is tried again by itself until it is copied, or given up`() throws {
        var stage = Self.stage()
        stage.press(.character("v"), .down, .character("y"))
        let range = try #require(Self.copied(stage).last)
        let fail = { (stage: inout Stage, messages: Int) in
            stage.send(
                .reply(.task(.copy(range)), .range(.unread(.unavailable("the line is down"), messages: messages))))
        }
        fail(&stage, 0)
        #expect(stage.rows.last?.contains("not copied yet · next try in 1 s · the line is down") == true)
        // Keys of other things leave it as it is.
        stage.press(.up)
        stage.passTime()
        #expect(stage.rows.last?.contains("copying…") == true && Self.copied(stage).count == 2)
        fail(&stage, 0)
        #expect(stage.rows.last?.contains("next try in 2 s") == true)
        stage.passTime()
        // It has come further: the pauses begin with the shortest again.
        fail(&stage, 500)
        #expect(stage.rows.last?.contains("next try in 1 s") == true)
        stage.passTime()
        #expect(stage.rows.last?.contains("copying… 500 messages") == true)
        stage.send(.reply(.task(.copy(range)), .range(.copied("two texts", count: 2))))
        #expect(stage.copies == ["two texts"] && stage.rows.last?.contains("2 messages copied") == true)
        // A task that was given up puts nothing into the clipboard.
        stage.press(.character("v"), .down, .character("y"))
        let other = try #require(Self.copied(stage).last)
        stage.press(.escape)
        stage.send(.reply(.task(.copy(other)), .range(.copied("late", count: 2))))
        #expect(stage.copies == ["two texts"] && stage.rows.last?.contains("copying") == false)
    }

    @Test func `The selected messages have marks of their own without colours`() {
        var stage = Self.stage()
        stage.press(.character("v"), .down, .down)
        let marks = stage.rows.filter { $0.contains(#/message (49|50|51|52|53)\b/#) }.compactMap(\.first)
        #expect(marks == [" ", "│", "│", "▌", " "])
    }

    @Test func `A selection reaches beyond what is loaded, and keeps its first message when that is evicted`() {
        var stage = Self.stage(at: "m-250")
        stage.press(.character("v"))
        stage.press(.home)
        stage.settle()
        #expect(stage.model.timeline.list.index(of: MessageID("m-250")) == nil)
        #expect(stage.screen.contains("251 messages selected"))
        #expect(Self.marked(stage).count >= 5)
        stage.press(.character("y"))
        #expect(
            Self.copied(stage).last?.first == MessageID("m-0") && Self.copied(stage).last?.last == MessageID("m-250"))
        var other = Self.stage(at: "m-250")
        other.press(.character("v"), .end)
        other.settle()
        other.press(.character("y"))
        #expect(
            Self.copied(other).last?.first == MessageID("m-250") && Self.copied(other).last?.last == MessageID("m-499"))
    }

    @Test func `Nothing moves when older messages are loaded above a selection`() throws {
        var stage = Self.stage(at: "m-250")
        stage.press(.character("v"), .down)
        for _ in 0..<30 {
            let before = stage.rows
            stage.answerAll()
            #expect(stage.rows == before)
            stage.press(.up)
        }
        #expect(stage.model.pane.mark?.id == MessageID("m-250"))
        #expect(stage.screen.contains("30 messages selected"))
    }

    @Test func `The status line names the keys of the user`() throws {
        let (keymap, _) = Keymap.standard.changed(by: [
            KeyChange("copy-text", [.character("Y")], at: "c:2"),
            KeyChange("write-to-file", [.character("F")], at: "c:3"),
        ])
        var stage = Stage.open(Script.long(500), at: "m-50", columns: 80, rows: 14, keymap: keymap)
        stage.press(.character("v"))
        #expect(stage.screen.contains("Y copies · F writes to a file · Esc ends"))
        stage.press(.character("Y"))
        stage.send(.reply(.task(.copy(try #require(Self.copied(stage).last))), .range(.tooLong(count: 1_200))))
        #expect(stage.screen.contains("1,200 messages are too long for the clipboard; F writes to a file"))
    }

    @Test(arguments: ["x", "e", "+", "r"])
    func `What works on one message only is refused while several are selected`(key: String) {
        let (keymap, _) = Keymap.standard.changed(by: [KeyChange("write-to-file", [.character("F")], at: "c:3")])
        var stage = Stage.open(
            Script.long(500), at: "m-50", columns: 80, rows: 14, me: PersonID("ana"), keymap: keymap)
        stage.press(.character("v"), .up, .up, .character(Character(key)))
        #expect(stage.model.panel == nil)
        #expect(stage.rows.last?.contains("only y and F work on several messages; Esc ends") == true)
        #expect(stage.model.pane.mark != nil)
        // A selection that was only begun has one message.
        stage.press(.down, .down, .character(Character(key)))
        #expect(stage.model.panel == (key == "r" || key == "e" ? .composer : .prompt))
    }

    @Test func `Esc and another v end the selection, and change nothing else`() {
        var stage = Self.stage()
        let before = stage.frame
        stage.press(.character("v"), .escape)
        #expect(stage.frame == before)
        stage.press(.character("v"), .character("v"))
        #expect(stage.frame == before)
        stage.press(.character("y"))
        #expect(stage.copies == ["message 50"])
    }

    @Test func `The ending of the file's name decides on the format, and another name is refused`() throws {
        var stage = Self.stage()
        stage.press(.character("v"), .down, .character("S"))
        #expect(stage.rows.last?.contains("a name that ends in .txt, .md or .json") == true)
        stage.type("notes")
        stage.press(.enter)
        #expect(Self.written(stage).isEmpty && stage.model.panel == .prompt)
        stage.type(".md")
        #expect(stage.rows.last?.contains("as Markdown") == true)
        stage.press(.enter)
        #expect(Self.written(stage) == ["m-50..m-51 notes.md"])
        stage.send(.reply(.task(try #require(Self.task(stage))), .range(.written(2, file: "notes.md"))))
        #expect(stage.screen.contains("2 messages written to notes.md") && stage.model.pane.mark == nil)
    }

    @Test func `A file that exists is only replaced after a question`() throws {
        var stage = Self.stage()
        stage.press(.character("S"))
        stage.type("a.txt")
        stage.press(.enter)
        let range = MarkedRange(
            conversation: Stage.general.id, thread: nil, first: MessageID("m-50"), last: MessageID("m-50"))
        for (key, count) in [(Key.character("n"), 1), (.escape, 1), (.character("y"), 2)] {
            stage.send(.reply(.task(try #require(Self.task(stage))), .range(.exists(range, file: "a.txt"))))
            #expect(stage.rows.last?.contains("a.txt exists: y replaces it") == true)
            stage.press(key)
            #expect(Self.written(stage).count == count)
        }
        #expect(Self.written(stage).last == "m-50..m-50 a.txt again")
        stage.send(
            .reply(
                .task(try #require(Self.task(stage))), .range(.failed("a.txt was not written: No space left on device"))
            ))
        #expect(stage.screen.contains("No space left on device"))
    }

    @Test func `In a thread its own messages are selected`() {
        var talk = Script.long(20)
        let later = Script.long(24)
        for index in 20..<24 { talk.append(Script.reply(to: 19, "reply \(index)", like: later[index])) }
        var stage = Stage.open(talk, at: "m-19", columns: 120)
        stage.press(.character("t"))
        stage.settle()
        stage.press(.character("v"), .up, .character("y"))
        let range = Self.copied(stage).last
        #expect(range?.thread == MessageID("m-19"))
        #expect(range?.first == MessageID("m-22") && range?.last == MessageID("m-23"))
    }

    @Test func `Another conversation has no selection`() {
        var script = Script("2025-03-05T00:00:00Z")
        script.add("a build", from: "Cy", id: "d-0")
        let dev = Conversation(id: ConversationID("dev"), title: "Development", topic: nil)
        var stage = Stage.open(Script.long(50), at: "m-20", columns: 80, beside: [(dev, script.messages)])
        stage.press(.character("v"), .control("k"))
        stage.typeAndWait("devel")
        stage.press(.enter)
        stage.settle()
        #expect(stage.model.conversation == dev && stage.model.pane.mark == nil)
    }
}
