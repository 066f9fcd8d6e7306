import Display
import Messages
import Testing
import Timeline

@testable import Interface
@testable import InterfaceSupport

/// A thread beside the conversation: what it shows, where keys go, and that nothing moves because of it.
struct ThreadTests {
    /// 40 messages of the main timeline; `m-20` has a thread of so many replies, `r-0` and on, an hour later.
    private static func script(replies: Int) -> [Message] {
        var messages = Script.long(40)
        for index in 0..<replies {
            messages.append(reply(index, to: "m-20"))
        }
        return messages
    }

    private static func reply(
        _ index: Int, to root: String, quoting quote: Message? = nil, isBroadcast: Bool = false
    ) -> Message {
        let sender = index % 2 == 0 ? "Cy" : "Dee"
        return Message(
            id: MessageID("r-\(index)"), at: Timestamp(milliseconds: 1_740_900_000_000 + Int64(index) * 60_000),
            sender: person(sender), text: "reply \(index)", quote: quote.map { Quote(of: $0) },
            thread: MessageID(root), isBroadcast: isBroadcast, cursor: Cursor(token: "\(index)"))
    }

    private static func open(_ replies: Int = 5, columns: Int = 120, rows: Int = 20, at id: String = "m-20") -> Stage {
        var stage = Stage.open(script(replies: replies), at: id, columns: columns, rows: rows, me: PersonID("ana"))
        stage.settle()
        return stage
    }

    /// The columns of the main timeline, without what marks the selected message.
    private func left(_ stage: Stage) -> [String] {
        let columns = stage.model.split.main?.count ?? 0
        return stage.rows[2..<stage.rows.count - 1].map {
            String($0.prefix(columns)).replacing("▌", with: " ").replacing("►", with: " ")
        }
    }

    private func right(_ stage: Stage) -> [String] {
        stage.rows[2..<stage.rows.count - 1].map { String($0.dropFirst(72)) }
    }

    @Test func `The root shows the number of replies and the time of the last one`() {
        let stage = Self.open()
        #expect(stage.screen.contains("5 replies, last reply 8 days ago"))
        #expect(Self.open(columns: 40).screen.contains("5↵") || Self.open(columns: 40).screen.contains("5 replies"))
    }

    @Test func `A reply that was also sent to the main timeline says so there, and Enter opens its thread`() {
        let messages = Script.long(40) + [Self.reply(0, to: "m-20"), Self.reply(1, to: "m-20", isBroadcast: true)]
        var stage = Stage.open(messages, at: nil, columns: 100, rows: 20, me: PersonID("ana"))
        stage.settle()
        #expect(stage.selection == "r-1")
        #expect(stage.rows.contains { $0.contains("reply 1") && $0.contains("thread reply") })
        stage.press(.enter)
        stage.settle()
        #expect(stage.model.isInThread)
        #expect(stage.screen.contains("reply 0"))
    }

    @Test func `t shows the thread at the right, with its root on top`() {
        var stage = Self.open()
        stage.press(.character("t"))
        // The root is here already, the replies are not.
        #expect(stage.rows[3].dropFirst(72).hasPrefix(" message 20"), "\(stage.screen)")
        #expect(stage.screen.contains("loading…") && !stage.screen.contains("reply 0"))
        stage.answerAll()
        expect(
            stage.rows[2..<12].map { String($0.dropFirst(72)) }.joined(separator: "\n"),
            """
             02:20 Ana
             message 20
             ───────────────── 5 replies ─────────────────

             ──────────── Sunday 2 March 2025 ────────────
             07:20 Cy
             reply 0
             07:21 Dee
             reply 1
             07:22 Cy
            """)
        #expect(stage.selection == "r-4")
        #expect(stage.screen.contains("general/r-4"))
    }

    @Test func `Esc returns to the exact place`() {
        for columns in [40, 99, 100, 160] {
            var stage = Self.open(columns: columns)
            stage.press(.up)
            let before = stage.screen
            let place = stage.model.place
            stage.press(.down, .character("t"))
            stage.answerAll()
            #expect(stage.screen.contains("reply 4"))
            stage.press(.pageUp, .home, .character("k"), .end)
            stage.answerAll()
            stage.press(.escape)
            stage.press(.up)
            #expect(stage.model.place == place)
            #expect(stage.screen == before, "\(columns) columns\n\(stage.screen)")
        }
    }

    @Test func `On a narrow screen the thread has the whole screen`() {
        var stage = Self.open(columns: 60)
        stage.press(.character("t"))
        stage.answerAll()
        #expect(stage.rows[0].contains("General › thread"))
        #expect(stage.rows[0].contains("5 of 5"))
        #expect(!stage.screen.contains("message 21"))
        stage.press(.control("o"))
        #expect(stage.screen.contains("message 21"))
    }

    @Test func `A long thread is paged at both ends, and never loaded whole`() {
        var stage = Self.open(1_300)
        stage.press(.character("t"))
        stage.answerAll()
        #expect(stage.model.timeline.count < 200)
        #expect(stage.screen.contains("1,300 replies"))
        var seen: Set<MessageID> = []
        for _ in 0..<230 {
            for index in stage.model.timeline.visibleIndices { seen.insert(stage.model.timeline.list[index].id) }
            stage.press(.pageUp)
            stage.answerAll()
            #expect(stage.model.timeline.count <= stage.model.timeline.cap)
        }
        #expect(seen.count == 1_300)
        #expect(stage.screen.contains("reply 0"))
        stage.press(.end)
        stage.answerAll()
        #expect(stage.screen.contains("reply 1299"))
        stage.press(.control("o"))
        stage.answerAll()
        #expect(stage.screen.contains("reply 0"))
    }

    @Test func `Arrivals go to the right pane, and the other pane does not move`() {
        var stage = Self.open()
        stage.press(.character("t"))
        stage.settle()
        let before = left(stage)
        stage.send(
            .changed(Stage.general.id, [.arrived(Self.reply(5, to: "m-20")), .arrived(Self.reply(6, to: "m-3"))]))
        #expect(stage.selection == "r-5")
        #expect(!stage.screen.contains("reply 6"))
        #expect(left(stage) == before)
        let thread = right(stage)
        let message = Script.long(41)[40]
        stage.send(.changed(Stage.general.id, [.arrived(message)]))
        #expect(right(stage) == thread)
        #expect(stage.model.main.timeline.list.last?.id == message.id)
    }

    @Test func `A reply while the thread is scrolled back moves nothing and is counted`() {
        var stage = Self.open(100)
        stage.press(.character("t"))
        stage.settle()
        stage.press(.pageUp)
        stage.settle()
        let before = stage.rows
        stage.send(.changed(Stage.general.id, [.arrived(Self.reply(100, to: "m-20"))]))
        #expect(stage.screen.contains("↓ 1 new"))
        for (old, new) in zip(before, stage.rows) where !new.contains("1 new") && !new.contains(" replies") {
            #expect(old == new)
        }
    }

    @Test func `The root changes on top as in the conversation`() throws {
        var stage = Self.open()
        stage.press(.character("t"))
        stage.settle()
        var root = try #require(stage.model.pane.root).message
        root.text = "said anew"
        root.isEdited = true
        stage.send(.changed(Stage.general.id, [.updated(root)]))
        #expect(stage.rows[3].contains("said anew (edited)"))
        #expect(stage.screen.split(separator: "said anew").count == 3)
    }

    @Test func `A long root leaves the replies most of the pane`() throws {
        var messages = Self.script(replies: 9)
        messages[20].text = (1...40).map { "line \($0)" }.joined(separator: "\n")
        var stage = Stage.open(messages, at: "m-20", columns: 60, rows: 20, me: PersonID("ana"))
        stage.press(.character("t"))
        stage.settle()
        #expect(stage.rows[6].contains("line 4") && stage.rows[6].contains(" …"))
        #expect(stage.rows[7].contains(" 9 replies "))
        #expect(stage.model.timeline.viewport.height == 11)
    }

    @Test func `Keys typed after t are for the thread, whenever it comes`() {
        for isSlow in [false, true] {
            var stage = Self.open()
            stage.press(.character("t"))
            if isSlow { stage.passTime() }
            stage.type("ihello q")
            if isSlow { stage.passTime() }
            #expect(stage.model.composer == nil)
            stage.answerAll()
            #expect(stage.model.isInThread && stage.model.composer?.area.text == "hello q")
        }
        // A step is one in the thread.
        var stage = Self.open()
        stage.press(.character("t"))
        stage.passTime()
        stage.press(.up)
        stage.answerAll()
        #expect(stage.model.isInThread && stage.selection == "r-3")
    }

    @Test func `Keys typed for a thread that does not come have no other effect`() {
        var stage = Self.open()
        stage.press(.character("t"))
        stage.type("ihello q")
        stage.failAll(with: .unreadable("the disk is gone"))
        #expect(stage.model.composer == nil && stage.screen.contains("not loaded") && !stage.model.isInThread)
        stage.press(.character("t"))
        stage.type("ihello q")
        stage.press(.escape)
        stage.answerAll()
        #expect(stage.model.composer == nil && !stage.model.isInThread)
    }

    @Test func `A thread that does not come is asked for again by itself, and Esc closes it`() {
        for isGivenUp in [false, true] {
            var stage = Self.open()
            let before = stage.frame
            stage.press(.character("t"))
            for delay in [1, 2, 4] {
                stage.failAll()
                #expect(stage.screen.contains("the line is down") && stage.screen.contains("next try in \(delay) s"))
                #expect(stage.screen.contains("message 20"))
                stage.passTime()
            }
            if isGivenUp { stage.press(.escape) }
            stage.answerAll()
            #expect(stage.model.isInThread == !isGivenUp)
            if isGivenUp { #expect(stage.frame == before) } else { #expect(stage.selection == "r-4") }
        }
    }

    @Test func `What happens to a thread while it is loading is there once`() {
        var stage = Self.open()
        stage.press(.character("t"))
        var root = Script.long(40)[20]
        root.text = "said anew"
        stage.send(.changed(Stage.general.id, [.updated(root), .arrived(Self.reply(5, to: "m-20"))]))
        #expect(stage.rows[3].contains("said anew") && !stage.screen.contains("reply 5"))
        stage.change { $0.talks[0].messages.append(Self.reply(5, to: "m-20")) }
        stage.settle()
        #expect(stage.entries.count { $0.id == MessageID("r-5") } == 1)
    }

    @Test(arguments: [60, 120])
    func `Going back brings back the thread that was beside`(columns: Int) {
        let other = Conversation(id: ConversationID("other"), title: "Other", topic: nil)
        var stage = Stage.open(
            Self.script(replies: 30), at: "m-20", columns: columns, rows: 20, beside: [(other, Script.long(9))],
            me: PersonID("ana"))
        stage.press(.character("t"))
        stage.settle()
        stage.press(.up, times: 12)
        stage.settle()
        /// The scroll bar gets marks at hits.
        func rows() -> [String] {
            stage.rows.dropLast().map { $0.replacing("┤", with: "│").replacing("┫", with: "┃") }
        }
        let (before, selection) = (rows(), stage.selection)
        // To another conversation, by a search here, and by a search everywhere.
        let ways: [(key: Key, words: String)] = [
            (.control("k"), "Other"), (.character("/"), "\"message 3\""), (.character("s"), "\"message 3\""),
        ]
        for (key, words) in ways {
            stage.press(key)
            stage.typeAndWait(words)
            stage.press(.enter)
            stage.settle()
            #expect(stage.selection != selection)
            stage.press(.control("o"))
            stage.settle()
            #expect(stage.model.openThread?.thread == MessageID("m-20"), "\(key)\n\(stage.screen)")
            #expect(stage.selection == selection && rows() == before, "\(key)\n\(stage.screen)")
            stage.press(.escape)
            if !stage.model.isInThread {
                stage.press(.character("t"))
                stage.settle()
                stage.press(.up, times: 12)
                stage.settle()
            }
        }
    }

    @Test func `A hit of the search everywhere that is a reply opens its thread, and n goes on from there`() {
        var messages = Self.script(replies: 30)
        messages[47].text = "a tide"
        messages[55].text = "a tide"
        messages[30].text = "a tide"
        var stage = Stage.open(messages, at: "m-5", columns: 120, rows: 20, me: PersonID("ana"))
        stage.press(.character("s"))
        stage.typeAndWait("tide")
        stage.press(.down, .enter)
        stage.settle()
        #expect(stage.selection == "r-7" && stage.model.isInThread)
        #expect(stage.rows.last?.contains("hit 2 of 3 in the conversation") == true, "\(stage.screen)")
        stage.press(.character("n"))
        stage.settle()
        #expect(stage.selection == "r-15" && stage.rows.last?.contains("hit 3 of 3") == true)
        stage.press(.character("N"), .character("N"))
        stage.settle()
        #expect(stage.selection == "m-30" && !stage.model.isInThread)
    }

    @Test func `One step back leads from a reply that was jumped to, and one step forward to its thread again`() {
        var messages = Self.script(replies: 30)
        messages[47].text = "a tide"
        var stage = Stage.open(messages, at: "m-5", columns: 120, rows: 20, me: PersonID("ana"))
        stage.press(.character("s"))
        stage.typeAndWait("tide")
        stage.press(.enter)
        stage.settle()
        #expect(stage.selection == "r-7" && stage.model.isInThread, "\(stage.screen)")
        stage.press(.control("o"))
        stage.settle()
        #expect(stage.selection == "m-5" && stage.model.openThread == nil, "\(stage.screen)")
        stage.press(.tab)
        stage.settle()
        #expect(stage.model.openThread?.thread == MessageID("m-20"), "\(stage.screen)")
    }

    @Test func `Whatever happens to the root, the replies stay`() throws {
        var stage = Self.open(30, rows: 24)
        stage.press(.character("t"))
        stage.settle()
        stage.press(.pageUp)
        stage.settle()
        stage.press(.up, times: 6)
        func replies() -> [String] {
            right(stage).filter { $0.contains("reply ") }
        }
        func row(_ text: String) -> Int? { stage.rows.firstIndex { $0.dropFirst(72).contains(text) } }
        let first = try #require(replies().first?.dropFirst().prefix(9).description)
        let before = row(first)
        var root = try #require(stage.model.pane.root).message
        for text in ["a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk", "x", ""] {
            root.text = text
            root.isDeleted = text.isEmpty
            stage.send(.changed(Stage.general.id, [.updated(root)]))
            #expect(row(first) == before)
        }
        stage.press(.character("i"))
        stage.type("a")
        for _ in 0..<4 { stage.press(.altEnter) }
        #expect(row(first) == before)
        stage.press(.escape)
        #expect(row(first) == before)
    }

    @Test func `A reply that came while the thread was loading is there once, whether the page contains it or not`() {
        for isKnown in [false, true] {
            var stage = Self.open()
            stage.press(.character("t"))
            let new = Self.reply(5, to: "m-20")
            if isKnown { stage.change { $0.talks[0].messages.append(new) } }
            stage.send(.changed(Stage.general.id, [.arrived(new)]))
            if !isKnown { stage.answer { if case .ask(_, .list) = $0 { true } else { false } } }
            if !isKnown { stage.change { $0.talks[0].messages.append(new) } }
            stage.settle()
            #expect(stage.entries.count { $0.id == new.id } == 1)
            #expect(stage.model.timeline.count == 6)
        }
    }

    @Test func `Replies are written in the thread, and shown there at once`() throws {
        var stage = Self.open()
        stage.press(.character("t"))
        stage.settle()
        stage.press(.character("i"))
        stage.type("from the side")
        #expect(stage.screen.contains("Reply in thread"))
        let before = left(stage)
        stage.press(.enter)
        let post = try #require(stage.sent.last)
        #expect(post.content == .message(text: "from the side", replyTo: nil, thread: MessageID("m-20")))
        #expect(stage.rows.contains { $0.dropFirst(72).contains("from the side") })
        #expect(!left(stage).contains { $0.contains("from the side") })
        #expect(before.prefix(8) == left(stage).prefix(8))
        // What is written in the conversation is another text.
        stage.type("and more")
        stage.press(.escape, .escape, .character("i"))
        #expect(stage.model.composer?.area.text == "")
        stage.type("main")
        stage.press(.escape, .character("t"))
        stage.settle()
        stage.press(.character("i"))
        #expect(stage.model.composer?.area.text == "and more")
        let kept = stage.model.writing.draft(in: Stage.general.id)
        #expect(kept.text == "main" && kept.replies[MessageID("m-20")]?.text == "and more")
    }

    @Test func `The draft of a thread returns in that thread`() {
        let draft = Draft(replies: [MessageID("m-20"): Draft.Reply(text: "to go on")])
        var stage = Stage.open(
            Self.script(replies: 2), at: "m-20", columns: 120, rows: 20, me: PersonID("ana"),
            drafts: [Stage.general.id: draft])
        stage.press(.character("i"))
        #expect(stage.model.composer?.area.text == "")
        stage.press(.escape, .character("t"))
        stage.settle()
        stage.press(.character("i"))
        #expect(stage.model.composer?.area.text == "to go on")
    }

    @Test func `A sent reply leaves the last rows when it arrives, or when its thread is closed`() throws {
        var stage = Self.open()
        stage.press(.character("t"))
        stage.settle()
        stage.press(.character("i"))
        stage.type("x")
        stage.press(.enter)
        let post = try #require(stage.sent.last)
        stage.press(.escape, .escape)
        #expect(stage.model.writing.outbox[Stage.general.id]?.count == 1)
        stage.send(.reply(.post(Stage.general.id, post.id), .done(.success(()))))
        #expect(stage.model.writing.outbox[Stage.general.id] == nil)
    }

    @Test func `A link to a reply shows its root with the thread open at the reply`() {
        for columns in [60, 120] {
            let stage = Self.open(30, columns: columns, at: "r-3")
            #expect(stage.selection == "r-3")
            #expect(stage.screen.contains("►") || stage.screen.contains("▌"))
            #expect(stage.screen.contains("reply 3"))
            #expect(stage.model.main.timeline.list.index(of: MessageID("m-20")) != nil)
        }
    }

    @Test func `A thread whose root does not exist is shown too`() {
        var messages = Script.long(40)
        messages.append(Self.reply(0, to: "gone"))
        var stage = Stage.open(messages, at: "m-20", columns: 120, rows: 20)
        stage.press(.character("t"))
        stage.settle()
        #expect(stage.screen.contains("no replies yet"))
        stage.press(.escape)
        _ = stage.model.inReader { $0.showThread(MessageID("gone"), at: .position(.latest), $1) }
        guard let request = stage.model.pending else {
            Issue.record("nothing asked for")
            return
        }
        let page = Page(messages: [Self.reply(0, to: "gone")], older: .end, newer: .end)
        stage.send(.reply(.list(request), .page(.success(page))))
        #expect(stage.screen.contains("the message that they reply to is not here"))
        #expect(stage.screen.contains("1 reply"))
    }

    @Test func `Searching, jumping and switching leave the thread`() {
        var stage = Self.open(columns: 120)
        stage.press(.character("t"))
        stage.settle()
        stage.press(.character("/"))
        stage.typeAndWait("message 1")
        stage.press(.enter)
        #expect(!stage.model.isInThread)
        #expect(stage.model.openThread != nil)
        stage.press(.right)
        #expect(stage.selection == "r-4")
        stage.press(.left, .escape, .escape)
        #expect(stage.model.openThread == nil)
        stage = Self.open(columns: 60)
        stage.press(.character("t"))
        stage.settle()
        // There is nothing to search for yet.
        stage.press(.character("n"))
        #expect(stage.model.isInThread)
    }

    @Test func `Another conversation, or a hit of a search everywhere, replaces the main timeline`() {
        for columns in [60, 120] {
            let dev = Conversation(id: ConversationID("dev"), title: "Dev", topic: nil)
            var script = Script("2025-03-01T00:00:00Z")
            for index in 0..<30 { script.add("other \(index)", from: "Ana", id: "d-\(index)") }
            var stage = Stage.open(
                Self.script(replies: 5), at: "m-20", columns: columns, rows: 20, beside: [(dev, script.messages)])
            stage.press(.character("t"))
            stage.settle()
            stage.go(to: "Dev")
            stage.settle()
            #expect(stage.model.conversation?.id == dev.id)
            #expect(stage.selection == "d-29")
            #expect(stage.entries.allSatisfy { $0.id.rawValue.hasPrefix("d-") })
            #expect(stage.model.openThread == nil)
            stage.go(to: "General")
            stage.settle()
            #expect(stage.selection == "m-20")
            stage.press(.character("t"))
            stage.settle()
            stage.press(.character("s"))
            stage.typeAndWait("message 3")
            stage.press(.enter)
            stage.settle()
            #expect(!stage.model.isInThread)
            #expect(stage.selection == "m-39" || stage.selection == "m-3", "\(stage.screen)")
        }
    }

    @Test func `A user who writes in a thread after choosing another conversation writes there`() {
        let dev = Conversation(id: ConversationID("dev"), title: "Dev", topic: nil)
        var stage = Stage.open(
            Self.script(replies: 5), at: "m-20", columns: 120, rows: 20, beside: [(dev, Script.long(3))],
            me: PersonID("ana"))
        stage.press(.character("t"))
        stage.settle()
        stage.press(.left, .control("k"))
        stage.settle()
        stage.type("Dev")
        stage.press(.enter, .right, .character("i"))
        stage.type("hello")
        stage.settle()
        stage.type(" q")
        #expect(stage.model.conversation?.id == dev.id && !stage.model.isInThread)
        #expect(stage.model.composer?.area.text == "hello q")
    }

    @Test func `A double click opens no thread while the user writes`() throws {
        var stage = Self.open()
        stage.press(.character("i"))
        stage.type("hello")
        let row = try #require(stage.rows.firstIndex { $0.contains("message 20") })
        stage.mouse(.press(clicks: 1), row: row)
        stage.mouse(.press(clicks: 2), row: row)
        stage.settle()
        stage.type(" there")
        #expect(stage.model.composer?.area.text == "hello there")
    }

    @Test func `A rewritten conversation is read again, whatever keys are pressed, until it comes`() {
        for key in [Key.character("j"), .character("t"), .character("i"), nil] {
            var stage = Self.open()
            stage.change { store in
                for index in store.talks[0].messages.indices {
                    store.talks[0].messages[index].text = "another \(index)"
                }
            }
            stage.send(.changed(Stage.general.id, [.replaced]))
            if let key { stage.press(key) } else { stage.failAll() }
            stage.settle()
            #expect(stage.model.main.timeline.list.last?.message.text.hasPrefix("another") == true)
            #expect(stage.model.main.timeline.list.first?.message.text.hasPrefix("another") == true)
        }
    }

    @Test func `A root that comes after its replies is above them`() {
        var messages = Script.long(40)
        messages.append(Self.reply(0, to: "m-40"))
        var stage = Stage.open(messages, at: "m-20", columns: 120, rows: 20)
        _ = stage.model.inReader { $0.showThread(MessageID("m-40"), at: .position(.latest), $1) }
        guard let request = stage.model.pending else {
            Issue.record("nothing asked for")
            return
        }
        stage.send(.reply(.list(request), .page(.success(Page(messages: [messages[40]], older: .end, newer: .end)))))
        stage.settle()
        #expect(stage.screen.contains("the message that they reply to is not here"))
        stage.send(.changed(Stage.general.id, [.arrived(Script.long(41)[40])]))
        #expect(stage.rows[3].dropFirst(72).contains("message 40"))
        #expect(stage.model.timeline.count == 1)
    }

    @Test func `Enter follows a quote within the thread, and out of it`() {
        var messages = Self.script(replies: 0)
        messages.append(Self.reply(0, to: "m-20"))
        messages.append(Self.reply(1, to: "m-20", quoting: messages[40]))
        messages.append(Self.reply(2, to: "m-20", quoting: messages[3]))
        messages.append(Self.reply(3, to: "m-20", quoting: messages[20]))
        var stage = Stage.open(messages, at: "m-20", columns: 120, rows: 20)
        stage.press(.character("t"))
        stage.settle()
        stage.press(.enter)
        #expect(stage.screen.contains("the message above"))
        stage.press(.up, .up, .enter)
        #expect(stage.selection == "r-0")
        stage.press(.down, .down, .enter)
        stage.settle()
        #expect(stage.selection == "m-3")
        #expect(!stage.model.isInThread)
        stage.press(.control("o"))
        stage.settle()
        #expect(stage.selection == "m-20")
    }

    @Test func `The mouse acts on the pane under it`() {
        var stage = Self.open(100)
        stage.press(.character("t"))
        stage.settle()
        let thread = right(stage)
        stage.mouse(.wheelUp, row: 8, column: 10)
        stage.settle()
        #expect(right(stage) == thread)
        #expect(stage.model.isInThread)
        stage.mouse(.press(clicks: 1), row: 8, column: 10)
        #expect(!stage.model.isInThread)
        stage.mouse(.press(clicks: 1), row: 8, column: 80)
        #expect(stage.model.isInThread)
        let row = stage.rows[8].dropFirst(72)
        #expect(row.contains("▌"), "\(stage.screen)")
    }

    @Test func `Every size is drawn completely`() {
        for columns in [1, 2, 7, 8, 30, 59, 60, 61, 99, 100, 101, 140, 200] {
            for rows in [1, 2, 3, 4, 5, 6, 7, 8, 12, 40] {
                var stage = Self.open(30, columns: columns, rows: rows)
                stage.press(.character("t"))
                stage.settle()
                #expect(stage.frame.lines.count == rows)
                #expect(stage.frame.lines.allSatisfy { $0.columns <= columns })
                stage.press(.character("i"))
                stage.type("hello")
                #expect(stage.frame.lines.count == rows)
                stage.send(.resized(Size(columns: 201 - columns, rows: 41 - rows)))
                #expect(stage.frame.lines.count == 41 - rows)
                #expect(stage.frame.lines.allSatisfy { $0.columns <= 201 - columns })
            }
        }
    }
}
