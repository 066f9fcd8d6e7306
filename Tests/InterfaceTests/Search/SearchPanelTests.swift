import Display
import Messages
import Search
import Testing
import Timeline

@testable import Interface
@testable import InterfaceSupport

/// The search over all conversations.
struct SearchPanelTests {
    private static let harbour = Conversation(id: ConversationID("harbour"), title: "Harbour", topic: "Berths")

    private static func stage(columns: Int = 72, rows: Int = 20, me: PersonID? = nil) -> Stage {
        var harbour = Script("2025-03-02T08:00:00Z")
        harbour.add("Is the crane free at high tide?", from: "Mei")
        harbour.add("Berth 7 is", from: "Ben")
        harbour.add("then the tide tables are wrong", from: "Mei")
        return Stage.open(
            FindTests.talk, at: "m-1010", columns: columns, rows: rows, beside: [(Self.harbour, harbour.messages)],
            me: me)
    }

    @Test func `Hits are grouped by conversation, with sender, time, text and the messages around`() {
        var stage = Self.stage()
        stage.press(.character("s"))
        stage.typeAndWait("tide ta")
        expect(
            stage.screen,
            """
             Search everywhere: tide ta                                       1 hit
             Harbour  1
            ▌2 Mar 08:03   Mei         then the tide tables are wrong





            ── Harbour · Sunday 2 March 2025 ───────────────────────────────────────
                                 beginning of the conversation
             ──────────────────────── Sunday 2 March 2025 ────────────────────────
             08:01  Mei       Is the crane free at high tide?
             08:02  Ben       Berth 7 is
            ►08:03  Mei       then the tide tables are wrong





             harbour/m-2                        Enter go there  Tab here  Esc back
            """)
        #expect(highlights(stage.frame) == ["tide", "tables"])
    }

    /// Hits that come, change and go while the list of a search is open, in the open conversation (general) and in another one.
    @Test(arguments: ["harbour", "general"])
    func `Hits that arrive are counted and shown, and those that are edited or deleted go`(place: String) throws {
        var stage = Self.stage()
        stage.press(.character("s"))
        stage.typeAndWait("tide")
        #expect(stage.rows[0].contains("22 hits"))
        stage.press(.down)
        let id = ConversationID(place)
        let talk = try #require(stage.store.talks.firstIndex { $0.conversation.id == id })
        /// Puts a message into the store and tells of it.
        func tell(_ text: String, _ message: String, isNew: Bool, isDeleted: Bool = false, in stage: inout Stage) {
            let new = Message(
                id: MessageID(message), at: Timestamp(milliseconds: 1_900_000_000_000), sender: person("Mei"),
                text: text,
                isDeleted: isDeleted, cursor: Cursor(token: message))
            stage.change { store in
                store.talks[talk].messages.removeAll { $0.id == new.id }
                store.talks[talk].messages.append(new)
            }
            if place == "harbour" {
                stage.send(.arrived([Arrival(conversation: id, message: new, isNew: isNew)]))
            } else {
                stage.send(.changed(id, [isNew ? .arrived(new) : .updated(new)]))
            }
        }
        let texts = { (stage: Stage) in
            (0..<stage.model.search.list.count).map { stage.model.search.list.list[$0].hit.text }
        }
        let selected = stage.model.search.selected?.id
        tell("the tide is out", "new-1", isNew: true, in: &stage)
        #expect(stage.rows[0].contains("22 hits"))
        stage.settle()
        #expect(stage.rows[0].contains("23 hits") && texts(stage).contains("the tide is out"))
        #expect(stage.model.search.selected?.id == selected, "the cursor stays at its hit")
        tell("nothing of the kind", "new-2", isNew: true, in: &stage)
        #expect(!stage.waiting.contains { $0.isSearch } && !stage.model.search.isStale)
        tell("the tide is in", "new-1", isNew: false, in: &stage)
        stage.settle()
        #expect(stage.rows[0].contains("23 hits") && texts(stage).contains("the tide is in"))
        tell("it is in", "new-1", isNew: false, in: &stage)
        stage.settle()
        #expect(stage.rows[0].contains("22 hits") && !texts(stage).contains("tide is in"))
        tell("tide again", "new-3", isNew: true, in: &stage)
        stage.settle()
        tell("", "new-3", isNew: false, isDeleted: true, in: &stage)
        stage.settle()
        #expect(stage.rows[0].contains("22 hits") && !texts(stage).contains("tide again"))
        // A closed search is repeated when it is opened again.
        stage.press(.escape)
        tell("tide at last", "new-4", isNew: true, in: &stage)
        stage.settle()
        stage.press(.character("s"))
        stage.settle()
        #expect(stage.rows[0].contains("23 hits") && texts(stage).contains("tide at last"))
    }

    @Test func `One's own messages are found as me`() {
        var stage = Self.stage(me: PersonID("ben"))
        stage.press(.character("s"))
        stage.typeAndWait("in:harbour from:me")
        #expect(stage.rows[0].contains("1 hit") && stage.screen.contains("Berth 7 is"), "\(stage.screen)")
    }

    @Test func `Operators narrow the search everywhere, even half typed`() {
        var stage = Self.stage()
        stage.press(.character("s"))
        #expect(stage.screen.contains("from:ana"))
        stage.typeAndWait("tide in:har")
        #expect(stage.rows[0].contains("2 hits"))
        stage.press(.control("u"))
        stage.typeAndWait("from:me")
        #expect(stage.rows[0].contains("2 hits"))
        #expect(highlights(stage.frame).isEmpty)
        stage.press(.control("u"))
        stage.typeAndWait("from:mei tide -tables since:\"2 mar")
        #expect(stage.rows[0].contains("not a date yet") == false && stage.rows[0].contains("1 hit"))
        stage.press(.control("u"))
        stage.typeAndWait("tide in:harbour on:x")
        #expect(stage.rows[0].contains("on:x: not a date yet · 2 hi"))
        stage.press(.control("u"))
        stage.typeAndWait("since:x")
        #expect(stage.rows[0].contains("since:x: not a date yet") && !stage.rows[0].contains("hit"))
        stage.press(.control("u"))
        stage.typeAndWait("-in:general -berth")
        #expect(stage.rows[0].contains("2 hits"))
        stage.press(.enter)
        stage.settle()
        #expect(stage.selection == "m-2" && highlights(stage.frame).isEmpty)
    }

    @Test func `The preview is beside the list on a wide screen, and missing on a small one`() {
        var stage = Self.stage(columns: 120, rows: 10)
        stage.press(.character("s"))
        stage.typeAndWait("crane")
        #expect(stage.rows[2].contains("Is the crane free"))
        #expect(stage.rows.dropFirst().contains { $0.contains("│") && $0.contains("Berth 7 is") })
        stage.send(.resized(Size(columns: 40, rows: 8)))
        #expect(stage.rows[2].contains("crane"))
        #expect(!stage.screen.contains("Berth 7 is"))
        stage.send(.resized(Size(columns: 120, rows: 10)))
        #expect(stage.screen.contains("Berth 7 is"))
    }

    @Test func `Enter jumps to the hit and highlights it, n continues, and ^O returns`() {
        var stage = Self.stage()
        let before = stage.frame
        stage.press(.character("s"))
        stage.typeAndWait("tide")
        #expect(stage.screen.contains("22 hits"))
        stage.press(.down, .down)
        stage.settle()
        stage.press(.enter)
        stage.settle()
        #expect(stage.selection == "m-1700")
        #expect(highlights(stage.frame) == ["Tide"])
        #expect(stage.rows.last?.contains("hit 18 of 20") == true)
        stage.press(.character("N"))
        stage.settle()
        #expect(stage.selection == "m-1600")
        stage.press(.control("o"))
        stage.settle()
        stage.press(.escape)
        #expect(stage.frame == before)
    }

    @Test func `Esc leaves everything as it was; the words and the place in the list return later`() {
        var stage = Self.stage()
        stage.press(.pageUp, .up)
        stage.answerAll()
        let before = stage.frame
        stage.press(.character("s"))
        stage.typeAndWait("tide")
        stage.press(.down, times: 9)
        stage.settle()
        let panel = stage.screen
        stage.press(.escape)
        #expect(stage.frame == before)
        stage.press(.character("s"))
        stage.settle()
        #expect(stage.screen == panel)
        stage.type("x")
        #expect(stage.model.search.field.text == "x")
    }

    @Test
    func `Hits that come after the panel was closed change nothing, and the search continues when it opens again`() {
        var stage = Self.stage()
        let before = stage.frame
        stage.press(.character("s"))
        stage.type("tide")
        stage.answer { !$0.isSearch }
        let running = stage.waiting
        #expect(running.contains { $0.isSearch })
        stage.press(.escape)
        for effect in running { for event in stage.store.answer(effect) { stage.send(event) } }
        #expect(stage.frame == before)
        #expect(stage.model.search.list.count == 0)
        stage.press(.character("s"))
        stage.settle()
        #expect(stage.screen.contains("22 hits"))
    }

    @Test func `More hits do not move the selected one`() {
        var stage = Self.stage()
        stage.change { $0.batch = 3 }
        stage.press(.character("s"))
        stage.type("tide")
        stage.answer { !$0.isSearch }
        guard case .ask(.search(let request), .search(let epoch))? = stage.waiting.last else {
            Issue.record("nothing is searched for")
            return
        }
        let events = stage.store.answer(.ask(.search(request), .search(epoch: epoch)))
        stage.send(events[0])
        stage.press(.down, times: 2)
        let row = stage.rows.firstIndex { $0.hasPrefix("▌") }
        for event in events.dropFirst() {
            stage.send(event)
            #expect(stage.rows.firstIndex { $0.hasPrefix("▌") } == row)
        }
        #expect(stage.rows[0].contains("22 hits"))
    }

    @Test func `All hits are counted, even those that are listed only when the user reaches the last of the newest`() {
        var stage = Stage.open(Script.long(2_500), at: "m-1010", rows: 20)
        stage.press(.character("s"))
        stage.typeAndWait("message")
        #expect(stage.model.search.list.count == 1_000)
        for shown in [1_000, 2_000] {
            // Above the field, and beside the title of the conversation.
            #expect(stage.rows[0].hasSuffix(" 2,500 hits"))
            #expect(stage.model.search.list.list[0].heading?.string.hasSuffix("  2,500") == true)
            for _ in 0..<400 where stage.model.search.list.count == shown {
                stage.press(.pageDown)
                #expect(stage.rows[0].hasSuffix(" 2,500 hits"))
                stage.settle()
            }
        }
        #expect(stage.model.search.list.count == 2_500)
        #expect(stage.rows[0].hasSuffix(" 2,500 hits"))
    }

    @Test func `Enter completes the last word for the conversation, unless the chosen hit has only a longer one`() {
        for (typed, words, standing) in [("tide", "tide", "of 20"), ("nea", "nea*", "of 1")] {
            var stage = Self.stage()
            stage.press(.character("s"))
            stage.typeAndWait(typed)
            stage.press(.enter)
            stage.settle()
            #expect(stage.model.find?.query.query == Query(words))
            #expect(stage.rows.last?.contains(standing) == true, "\(stage.rows.last ?? "")")
        }
    }

    @Test func `A failure is reported, and the hits found so far are shown`() {
        var stage = Self.stage(columns: 110)
        stage.press(.character("s"))
        stage.type("tide")
        stage.answer { !$0.isSearch }
        let epoch = stage.model.search.epoch
        stage.send(
            .reply(.search(epoch: epoch), .hits(.failure(.unreadable("dev/messages-000001.jsonl: permission denied")))))
        stage.settle()
        #expect(stage.rows[0].contains("22 hits, not all searched: dev/"))
    }

    @Test func `A hit that has been removed moves nothing, and a deleted one is reported`() {
        var stage = Self.stage()
        stage.press(.character("s"))
        stage.typeAndWait("neap")
        stage.change { $0.talks[0].messages[500].isDeleted = true }
        stage.change { $0.talks[0].messages[500].text = "" }
        stage.press(.enter)
        stage.settle()
        #expect(stage.selection == "m-500")
        #expect(stage.rows.last?.contains("deleted since") == true)
        stage.press(.control("o"))
        stage.settle()
        let before = stage.frame.withoutNotice
        stage.press(.character("s"))
        stage.settle()
        stage.change { $0.talks[0].messages.remove(at: 500) }
        stage.press(.enter)
        stage.settle()
        #expect(stage.rows.last?.contains("not loaded: there is no message") == true)
        stage.press(.escape)
        #expect(stage.frame.withoutNotice.lines == before.lines)
    }

    @Test(arguments: ["", " ", ".*", "\"", "(((", "\\", "*"])
    func `A text without a word finds nothing and breaks nothing`(text: String) {
        var stage = Self.stage()
        stage.press(.character("s"))
        stage.typeAndWait(text)
        stage.press(.down, .pageDown, .enter, .up)
        stage.settle()
        #expect(stage.rows[0].contains("Search everywhere"))
        #expect(stage.model.search.list.count == 0)
    }

    @Test func `Every size has a frame`() {
        var stage = Self.stage()
        stage.press(.character("s"))
        stage.typeAndWait("tide")
        for columns in 1...130 {
            for rows in 1...16 {
                stage.send(.resized(Size(columns: columns, rows: rows)))
                let frame = stage.frame
                #expect(frame.lines.count == rows)
                #expect(frame.lines.allSatisfy { $0.columns <= columns })
            }
        }
    }

    @Test func `A snippet shows the first hit, anywhere in the text`() {
        let before = String(repeating: "many words before ", count: 200) + "the "
        let text = before + "crane" + String(repeating: " and more", count: 200)
        let start = before.utf8.count
        for columns in 10...80 {
            let line = Snippet(text, hits: [start..<start + 5], style: .plain, hitStyle: Style(.accent))
                .line(columns: columns)
            #expect(line.columns <= columns)
            #expect(line.text.contains("crane"), "\(columns) columns: \(line.text)")
        }
        let short = Snippet("at the crane", hits: [7..<12], style: .plain, hitStyle: Style(.accent)).line(columns: 40)
        #expect(short.text == "at the crane")
    }

    @Test func `A preview comes after any resize`() {
        var stage = Self.stage()
        stage.press(.character("s"))
        stage.type("crane")
        stage.answer { $0.isSearch }
        stage.send(.resized(Size(columns: 40, rows: 8)))
        stage.answerAll()
        stage.send(.resized(Size(columns: 72, rows: 20)))
        stage.answerAll()
        #expect(stage.screen.contains("Berth 7 is"))
    }

    @Test func `A panel that was closed while typing other words does not show old hits for them`() {
        var stage = Self.stage()
        stage.press(.character("s"))
        stage.typeAndWait("tide")
        stage.press(.control("u"))
        stage.type("crane")
        stage.press(.escape)
        stage.settle()
        stage.press(.character("s"))
        stage.settle()
        #expect(stage.rows[0].contains("1 hit"))
        #expect(stage.rows[2].contains("Is the crane free"))
    }

    @Test func `A conversation whose title comes late is then shown by its title`() {
        var stage = Self.stage()
        stage.press(.character("s"))
        stage.type("crane")
        stage.answer { $0.isSearch }
        stage.press(.enter)
        stage.answer { if case .ask(_, .list) = $0 { true } else { false } }
        #expect(stage.rows[0].hasPrefix(" harbour"))
        stage.answerAll()
        #expect(stage.rows[0].hasPrefix(" Harbour"))
    }

    @Test func `Enter before the first hit goes to it as soon as there is one`() {
        var stage = Self.stage()
        stage.press(.character("s"))
        stage.type("crane")
        stage.press(.enter)
        stage.settle()
        #expect(stage.rows[0].hasPrefix(" Harbour"))
        #expect(stage.selection == "m-0")
        stage.press(.control("o"), .escape)
        stage.settle()
        stage.press(.character("s"))
        stage.type("nowhere")
        stage.press(.enter)
        stage.settle()
        #expect(stage.screen.contains("no match"))
    }

    @Test func `A failed search shows the reason, retries by itself, and at once by Enter`() {
        var stage = Self.stage()
        stage.press(.character("s"))
        stage.type("crane")
        stage.passTime()
        let fail = { (stage: inout Stage) in
            let epoch = stage.model.search.epoch
            stage.send(.reply(.search(epoch: epoch), .hits(.failure(.unavailable("the line is down")))))
            stage.send(.reply(.search(epoch: epoch), .end()))
        }
        fail(&stage)
        #expect(stage.screen.contains("the line is down"))
        #expect(!stage.screen.contains("no match"))
        stage.passTime()
        fail(&stage)
        let delays = stage.others.compactMap { if case .wait(let delay, .retry(.search)) = $0 { delay } else { nil } }
        #expect(delays == [.seconds(2)])
        stage.press(.enter)
        stage.settle()
        #expect(stage.screen.contains("Is the crane free"))
    }

    @Test(arguments: [100, 40]) func `A hit that is only on the server says so at the end of its row`(columns: Int)
        throws
    {
        var stage = Stage.open(Script.long(100), at: "m-50", columns: columns, rows: 20)
        stage.press(.character("s"))
        stage.type("zeppelin")
        let epoch = stage.model.search.epoch
        let text = String(repeating: "a zeppelin over the harbour ", count: 9)
        let hit = Hit(
            conversation: try #require(stage.model.conversation).id, message: MessageID("far"),
            at: Timestamp(milliseconds: 0), sender: nil, text: text, isElsewhere: true)
        stage.send(.reply(.search(epoch: epoch), .hits(.success(SearchBatch(hits: [hit], progress: 1)))))
        #expect(
            stage.screen.contains("zeppelin") && stage.rows.contains { $0.hasSuffix("…  on the server") },
            "\(stage.screen)")
    }

    @Test func `The names of a hit's files stand after its text`() throws {
        var stage = Stage.open(Script.long(100), at: "m-50", columns: 72, rows: 20)
        stage.press(.character("s"))
        stage.type("has:file")
        let conversation = try #require(stage.model.conversation).id
        func hit(_ id: String, _ text: String, _ files: String...) -> Hit {
            Hit(
                conversation: conversation, message: MessageID(id), at: Timestamp(milliseconds: 0), sender: nil,
                text: text, files: files)
        }
        let hits = [hit("one", "", "tide.png"), hit("two", "the plans", "a.pdf", "b.pdf")]
        stage.send(
            .reply(.search(epoch: stage.model.search.epoch), .hits(.success(SearchBatch(hits: hits, progress: 1)))))
        #expect(stage.rows.contains { $0.hasSuffix("  📎 tide.png") }, "\(stage.screen)")
        #expect(stage.rows.contains { $0.hasSuffix("  the plans  📎 a.pdf  📎 b.pdf") }, "\(stage.screen)")
    }
}
