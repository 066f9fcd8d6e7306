import Display
import Emoji
import Messages
import TestSupport
import Testing
import Timeline

@testable import Interface

/// Writing, as one sees it.
struct ComposerTests {
    private static let ben = PersonID("ben")

    private static func stage(
        _ count: Int = 8, at id: String? = nil, columns: Int = 72, rows: Int = 14,
        drafts: [ConversationID: Draft] = [:]
    ) -> Stage {
        var stage = Stage.open(
            Script.long(count), at: id, columns: columns, rows: rows, me: Self.ben, drafts: drafts)
        stage.passTime()
        return stage
    }

    /// What was handed to the store, in order.
    private func posts(_ stage: Stage) -> [(post: Post, isRetry: Bool)] {
        stage.others.compactMap {
            if case .ask(.send(let post, _, let isRetry), _) = $0 { (post, isRetry) } else { nil }
        }
    }

    private func drafts(_ stage: Stage) -> [Draft] {
        stage.others.compactMap { if case .keepDraft(_, let draft) = $0 { draft } else { nil } }
    }

    /// As the store tells of a post that is in the log.
    private func arrival(of post: Post) -> Message? {
        guard case .message(let text, let replyTo, _) = post.content else { return nil }
        return Message(
            id: post.id, at: post.at, sender: Person(id: post.sender, name: "Ben"), text: text,
            quote: replyTo.map { Quote(id: $0, content: .pending) }, cursor: Cursor(token: "999:\(post.id)"))
    }

    @Test
    func `i opens a line above the status, and a sent message is shown at once and stays in place when it has arrived`()
        throws
    {
        var stage = Self.stage()
        stage.press(.character("i"))
        stage.type("Good morning")
        expect(
            stage.rows.suffix(3).joined(separator: "\n"),
            """
            \(stage.rows[stage.rows.count - 3])
             › Good morning
                                    Enter send  Alt-Enter new line  Esc keep draft
            """)
        stage.press(.enter)
        let (post, isRetry) = try #require(posts(stage).first)
        #expect(post.content == .message(text: "Good morning", replyTo: nil, thread: nil))
        #expect(post.sender == Self.ben && !isRetry && post.id.rawValue.utf8.count == 26)
        // Kept before it is handed on.
        let order = stage.others.compactMap { effect -> String? in
            switch effect {
            case .keepDraft(_, let draft): draft.outbox.isEmpty ? nil : "kept"
            case .ask(.send, _): "sent"
            default: nil
            }
        }
        #expect(order == ["kept", "sent"])
        #expect(stage.screen.contains("Good morning") && stage.screen.contains("sending…"))
        let pending = stage.rows
        stage.send(.changed(Stage.general.id, [.arrived(try #require(arrival(of: post)))]))
        stage.send(.reply(.post(Stage.general.id, post.id), .done(.success(()))))
        stage.passTime()
        // Only the cursor goes to it, and the title counts it.
        func texts(_ rows: [String]) -> [String] { rows.dropFirst().dropLast().map { " " + $0.dropFirst() } }
        #expect(texts(stage.rows) == texts(pending))
        #expect(!stage.screen.contains("sending…"))
        #expect(drafts(stage).last?.isEmpty == true)
        #expect(stage.entries.filter { $0.message.text == "Good morning" }.count == 1)
    }

    @Test func `A click on a message leaves the text that is being written alone, as PgUp does`() {
        for isClick in [false, true] {
            var stage = Self.stage(80, at: nil)
            let selection = stage.selection
            stage.press(.character("i"))
            stage.type("hello")
            if isClick { stage.mouse(.press(clicks: 1), row: 4) } else { stage.press(.pageUp) }
            stage.settle()
            stage.type(" there")
            #expect(stage.selection != selection)
            #expect(stage.model.panel == .composer && stage.model.composer?.area.text == "hello there")
        }
    }

    @Test func `Opening and leaving the composer gives back the former screen, anywhere`() {
        for id in [nil, "m-3", "m-40", "m-79"] {
            var stage = Self.stage(80, at: id)
            stage.press(.pageUp)
            stage.answerAll()
            let before = stage.frame
            stage.press(.character("i"))
            stage.type("first\nsecond")
            stage.press(.altEnter, .altEnter)
            stage.answerAll()
            #expect(stage.frame != before)
            stage.press(.escape)
            stage.answerAll()
            // But for the status line, which says that a draft waits.
            #expect(Array(stage.frame.lines.dropLast()) == Array(before.lines.dropLast()), "\(stage.screen)")
            #expect(stage.rows.last?.contains("   draft") == true)
        }
    }

    @Test func `A paste never sends, and contains no control characters`() throws {
        var stage = Self.stage()
        stage.send(.input([.paste("one\ntwo")]))
        #expect(posts(stage).isEmpty && stage.screen.contains("press i to write"))
        stage.press(.character("i"))
        stage.send(.input([.paste("one\r\ntwo\u{1B}[31m\u{7}\tthree\n")]))
        #expect(posts(stage).isEmpty)
        #expect(stage.model.composer?.area.text == "one\ntwo[31m\tthree\n")
        stage.press(.enter)
        #expect(posts(stage).first?.post.content == .message(text: "one\ntwo[31m\tthree", replyTo: nil, thread: nil))
    }

    @Test func `A paste as long as a message may be is taken, a longer one is refused, and the screen is drawn`() {
        var stage = Self.stage()
        stage.press(.character("i"))
        let longest = String(repeating: "0123456789abcde ", count: 1 << 14)
        stage.send(.input([.paste(longest)]))
        #expect(stage.model.composer?.area.characters.count == 262_144)
        #expect(stage.rows.count == 14)
        stage.send(.input([.paste("x")]))
        #expect(stage.model.composer?.area.characters.count == 262_144)
        #expect(stage.screen.contains("too long"))
        stage.press(.enter)
        #expect(posts(stage).count == 1)
    }

    @Test func `A message that the store refuses is in the composer again, with the reason`() throws {
        var stage = Self.stage()
        stage.press(.character("i"))
        stage.type("too much")
        stage.press(.enter)
        let post = try #require(posts(stage).first).post
        stage.send(.reply(.post(Stage.general.id, post.id), .done(.failure(.notSent("general: the disk is full")))))
        #expect(stage.model.composer?.area.text == "too much")
        #expect(stage.screen.contains("not sent: general: the disk is full"))
        #expect(stage.model.writing.outbox[Stage.general.id]?.isEmpty ?? true)
        // Tried once more it is another post: the first is certainly not there.
        stage.press(.enter)
        #expect(posts(stage).map(\.isRetry) == [false, false])
        #expect(posts(stage)[1].post.id != post.id)
    }

    @Test func `A message that may have been sent is retried under the same ID, and by R at once`() throws {
        var stage = Self.stage()
        stage.press(.character("i"))
        stage.type("perhaps")
        stage.press(.enter, .escape)
        let post = try #require(posts(stage).first).post
        stage.send(.reply(.post(Stage.general.id, post.id), .done(.failure(.unavailable("the line is down")))))
        #expect(stage.screen.contains("not sent yet, next try in 1 s, R tries now: the line is down"))
        #expect(stage.screen.contains("perhaps"))
        #expect(drafts(stage).last?.outbox == [post])
        stage.passTime()
        #expect(posts(stage).map(\.isRetry) == [false, true])
        stage.send(.reply(.post(Stage.general.id, post.id), .done(.failure(.unavailable("the line is down")))))
        stage.press(.character("R"))
        #expect(posts(stage).map(\.isRetry) == [false, true, true])
        #expect(posts(stage).allSatisfy { $0.post == post })
        // Its timer comes too late.
        stage.passTime()
        #expect(posts(stage).count == 3)
    }

    @Test func `A draft is there after a restart, and a message on its way is sent once`() throws {
        let outgoing = Post(
            id: MessageID("01J"), at: Timestamp(milliseconds: 0), sender: Self.ben,
            content: .message(text: "on its way", replyTo: nil, thread: nil))
        let draft = Draft(text: "half a thought", purpose: .reply(MessageID("m-3")), outbox: [outgoing])
        var stage = Self.stage(drafts: [Stage.general.id: draft])
        #expect(posts(stage).map(\.post) == [outgoing] && posts(stage).allSatisfy(\.isRetry))
        #expect(stage.screen.contains("on its way"))
        stage.press(.character("i"))
        #expect(stage.model.composer?.area.text == "half a thought")
        #expect(stage.screen.contains("↳ Ben: message 3"))
        stage.type("!")
        stage.passTime()
        #expect(
            drafts(stage).last == Draft(text: "half a thought!", purpose: .reply(MessageID("m-3")), outbox: [outgoing]))
    }

    @Test func `A user who never pauses loses no more than a second of writing`() {
        var stage = Self.stage()
        stage.press(.character("i"))
        for digit in 0..<10 {
            stage.send(.time(Timestamp(milliseconds: 1_741_600_000_000 + Int64(digit) * 270)))
            stage.type("\(digit)")
        }
        #expect(drafts(stage).map(\.text) == ["01234", "0123456789"])
    }

    @Test func `Backspace before the first character makes a reply a message of its own`() throws {
        var stage = Self.stage()
        stage.press(.character("r"))
        stage.type("x")
        stage.press(.home, .backspace)
        #expect(!stage.screen.contains("↳"))
        stage.press(.enter)
        #expect(posts(stage).first?.post.content == .message(text: "x", replyTo: nil, thread: nil))
    }

    @Test func `A message on its way to another conversation is sent too, and named when it fails`() {
        let outgoing = Post(
            id: MessageID("01J"), at: Timestamp(milliseconds: 0), sender: Self.ben,
            content: .message(text: "on its way", replyTo: nil, thread: nil))
        var stage = Self.stage(drafts: [ConversationID("dev"): Draft(outbox: [outgoing])])
        #expect(posts(stage).map(\.post) == [outgoing])
        #expect(stage.model.unsentCount == 1 && stage.model.isSending)
        stage.send(.reply(.post(ConversationID("dev"), outgoing.id), .done(.failure(.unavailable("the line is down")))))
        #expect(stage.screen.contains("not sent yet in dev, next try in 1 s, R tries now: the"))
        #expect(!stage.screen.contains("on its way"))
        stage.passTime()
        stage.send(.reply(.post(ConversationID("dev"), outgoing.id), .done(.success(()))))
        #expect(stage.model.unsentCount == 0 && !stage.model.isSending)
    }

    @Test func `r replies to the selected message, whose text is above the composer`() throws {
        var stage = Self.stage()
        stage.press(.up, .character("r"))
        let quoted = try #require(stage.selection)
        #expect(stage.screen.contains("↳ Ana: message") || stage.screen.contains("↳ Ben: message"))
        stage.type("indeed")
        stage.press(.enter)
        #expect(
            posts(stage).first?.post.content
                == .message(text: "indeed", replyTo: MessageID(quoted), thread: nil))
    }

    @Test func `e edits only the user's own messages, and the former draft comes back`() throws {
        var stage = Self.stage()
        stage.press(.character("i"))
        stage.type("a draft")
        stage.press(.escape)
        let own = try #require(stage.entries.last { $0.message.sender?.id == Self.ben })
        let other = try #require(stage.entries.last { $0.message.sender?.id != Self.ben })
        _ = stage.model.reader.pane.timeline.jump(to: own.id, aligned: .minimal)
        stage.press(.character("e"))
        #expect(stage.model.composer?.area.text == own.message.text)
        stage.type("!")
        stage.press(.enter)
        #expect(posts(stage).first?.post.content == .edit(own.id, text: own.message.text + "!"))
        #expect(stage.model.composer?.area.text == "a draft")
        _ = stage.model.reader.pane.timeline.jump(to: other.id, aligned: .minimal)
        stage.press(.character("e"))
        #expect(stage.screen.contains("You can only edit your own messages; this one is by Ana"))
        #expect(posts(stage).count == 1)
    }

    @Test func `A saved reply shows the message that it quotes, loaded or not`() throws {
        let messages = Script.long(400)
        let draft = Draft(text: "indeed", purpose: .reply(messages[3].id))
        var stage = Stage.open(
            messages, at: "m-300", me: Self.ben, drafts: [Stage.general.id: draft])
        stage.press(.character("i"))
        #expect(stage.screen.contains("↳ \(messages[3].id)"))
        let asked = stage.others.compactMap { effect -> Set<MessageID>? in
            if case .ask(.place(_, let ids, _), _) = effect { ids } else { nil }
        }
        #expect(asked.last == [messages[3].id])
        stage.send(
            .reply(
                .place(Stage.general.id, try #require(stage.entries.first?.id)), .place(.success((nil, [messages[3]]))))
        )
        #expect(stage.screen.contains("↳ \(messages[3].sender?.name ?? ""): \(messages[3].text.prefix(12))"))
    }

    @Test func `An edit that was left continues until it is sent`() throws {
        var stage = Self.stage()
        let own = try #require(stage.entries.last { $0.message.sender?.id == Self.ben })
        _ = stage.model.reader.pane.timeline.jump(to: own.id, aligned: .minimal)
        stage.press(.character("e"), .escape)
        #expect(!stage.screen.contains("e goes on"))
        stage.press(.character("e"))
        stage.type(", with a long rewrite")
        stage.press(.escape)
        #expect(stage.screen.contains("the message stays as it was; e continues your edit"))
        stage.press(.character("i"))
        #expect(stage.model.composer?.area.text == "")
        stage.press(.escape, .character("e"))
        #expect(stage.model.composer?.area.text == own.message.text + ", with a long rewrite")
        stage.press(.enter)
        #expect(posts(stage).map(\.post.content) == [.edit(own.id, text: own.message.text + ", with a long rewrite")])
        stage.press(.character("e"))
        #expect(stage.model.composer?.area.text == own.message.text)
    }

    @Test(arguments: [30, 40, 60, 72, 100, 200])
    func `The palette shows the chosen emoji, its neighbours and its name`(columns: Int) throws {
        struct Missing: Error {}
        var stage = Self.stage(columns: columns)
        stage.press(.character("+"))
        for _ in 0..<12 {
            guard let palette = stage.model.layers.prompt as? ReactionPalette else { throw Missing() }
            let chosen = palette.candidates[palette.selected]
            #expect(stage.rows.last?.contains(CleanText(" \(chosen.emoji) ").string) == true)
            #expect(stage.rows.last?.contains(chosen.name.prefix(4).replacing("_", with: " ")) == true)
            stage.press(.down)
        }
    }

    @Test func `x asks, and only y deletes`() throws {
        var stage = Self.stage()
        let own = try #require(stage.entries.last { $0.message.sender?.id == Self.ben })
        _ = stage.model.reader.pane.timeline.jump(to: own.id, aligned: .minimal)
        stage.press(.character("x"))
        #expect(stage.rows.last?.contains("delete this message?") == true)
        #expect(stage.frame.lines.last?.spans.contains { $0.style.color == .warning } == true)
        stage.press(.character("n"))
        #expect(posts(stage).isEmpty)
        stage.press(.character("x"), .character("y"))
        #expect(posts(stage).first?.post.content == .deletion(own.id))
    }

    @Test func `+ finds an emoji by its name, and removes the user's own`() throws {
        var stage = Self.stage()
        let id = try #require(stage.selection.map { MessageID($0) })
        stage.press(.character("+"))
        #expect(stage.rows.last?.contains("👍") == true)
        stage.type("rocket")
        stage.press(.enter)
        let first = try #require(posts(stage).last).post
        #expect(first.content == .reaction(id, emoji: "🚀", isRemoved: false))
        stage.send(.reply(.post(Stage.general.id, first.id), .done(.success(()))))
        var message = try #require(stage.entries.last { $0.id == id }).message
        message.reactions = [Reaction(emoji: "👍", people: [Person(id: Self.ben, name: "Ben")])]
        stage.send(.changed(Stage.general.id, [.updated(message)]))
        stage.passTime()
        stage.press(.character("+"), .enter)
        #expect(posts(stage).last?.post.content == .reaction(id, emoji: "👍", isRemoved: true))
        #expect(posts(stage).count == 2)
    }

    @Test func `@ completes people and : completes emoji; Tab accepts, Enter sends the text as it is`() throws {
        var stage = Self.stage()
        stage.press(.character("i"))
        stage.type("hi @an")
        #expect(stage.rows.last?.contains("Ana") == true)
        stage.press(.tab)
        #expect(stage.model.composer?.area.text == "hi @Ana ")
        stage.type(":rocket")
        stage.press(.tab)
        #expect(stage.model.composer?.area.text == "hi @Ana 🚀 ")
        stage.type("@be")
        stage.press(.enter)
        #expect(posts(stage).count == 1)
    }

    /// A room of Matrix with two people of one name.
    private static func room() -> Stage {
        let people = [
            ("@ben:e.org", "Ben Ong"), ("@cy:e.org", "Cyrus"), ("@cy:f.org", "Cyrus"), ("@me:e.org", "Me"),
            ("@dot:e.org", "d*o*t"),
        ]
        .map { Person(id: PersonID($0), name: $1) }
        let room = Conversation(
            id: ConversationID("room"), title: "Room", topic: nil, members: people,
            address: "https://matrix.to/#/!room:e.org", memberCount: 6, callsAll: true)
        var stage = Stage.open(
            Script.long(3), at: nil, columns: 72, rows: 14, beside: [(room, Script.long(3))],
            me: PersonID("@me:e.org"))
        stage.press(.control("k"))
        stage.typeAndWait("room")
        stage.press(.enter)
        stage.settle()
        return stage
    }

    @Test func `A completed mention is sent as a link to the person, and shown and taken back as a word`() throws {
        var stage = Self.room()
        stage.press(.character("i"))
        stage.type("hi @ong")
        stage.press(.tab)
        #expect(stage.model.composer?.area.text == "hi @Ben Ong ")
        stage.type("look")
        stage.press(.enter)
        let link = "[@Ben Ong](https://matrix.to/#/@ben:e.org)"
        #expect(posts(stage).last?.post.content == .message(text: "hi \(link) look", replyTo: nil, thread: nil))
        #expect(stage.screen.contains("hi @Ben Ong look") && !stage.screen.contains("matrix.to"))
        // A text that comes back calls the same people; a word that is edited away calls nobody.
        stage.send(.reply(.post(ConversationID("room"), try #require(posts(stage).last?.post.id)), .done(.success(()))))
        stage.press(.up)
        #expect(stage.model.composer?.area.text == "hi @Ben Ong look")
        stage.press(.enter)
        #expect(posts(stage).last?.post.content == .message(text: "hi \(link) look", replyTo: nil, thread: nil))
        stage.send(.reply(.post(ConversationID("room"), try #require(posts(stage).last?.post.id)), .done(.success(()))))
        stage.type("@ong")
        stage.press(.tab, .backspace, .backspace)
        stage.type("!")
        stage.press(.enter)
        #expect(posts(stage).last?.post.content == .message(text: "@Ben On!", replyTo: nil, thread: nil))
    }

    @Test func `A name with marks of formatting is completed as the ID, which calls the person`() {
        var stage = Self.room()
        stage.press(.character("i"))
        stage.type("@d*")
        stage.press(.tab)
        #expect(stage.model.composer?.area.text == "@dot:e.org ")
    }

    @Test func `A room that becomes encrypted while it is open is not written to, with the reason`() {
        var stage = Self.room()
        let room = Conversation(id: ConversationID("room"), title: "Room", topic: nil, isEncrypted: true)
        stage.send(.reply(.conversations(epoch: 0), .conversations(.success([room]))))
        for key in ["i", "r"] {
            stage.press(.character(Character(key)))
            #expect(stage.model.panel == nil && stage.rows.last?.contains("this room is encrypted") == true)
        }
    }

    @Test func `A kept draft keeps whom it calls`() {
        let link = "[@Ben Ong](https://matrix.to/#/@ben:e.org)"
        var stage = Self.room()
        stage.press(.character("i"))
        stage.type("@ong")
        stage.press(.tab, .escape)
        #expect(drafts(stage).last?.text == link + " ")
        let general = Self.stage(drafts: [Stage.general.id: Draft(text: link)])
        #expect(general.model.writing.draft(in: Stage.general.id).text == link)
    }

    @Test func `Of two people of one name each is called by the ID, and everybody by @room`() {
        var stage = Self.room()
        stage.press(.character("i"))
        stage.type("@cyr")
        #expect(stage.rows.last?.contains("Cyrus (@cy:e.org)") == true)
        stage.press(.down, .tab)
        stage.type("@ro")
        stage.press(.tab, .enter)
        #expect(posts(stage).last?.post.content == .message(text: "@cy:f.org @room", replyTo: nil, thread: nil))
    }

    @Test func `Members of whom only the server knows are completed when it has told of them`() {
        var stage = Self.room()
        stage.press(.character("i"))
        let asked = stage.others.contains {
            if case .ask(.members(ConversationID("room")), _) = $0 { true } else { false }
        }
        #expect(asked)
        stage.type("@dor")
        #expect(stage.rows.last?.contains("Dora") == false)
        stage.send(
            .reply(
                .request(.members(ConversationID("room"))),
                .members(.success([Person(id: PersonID("@dora:e.org"), name: "Dora")]))))
        #expect(stage.rows.last?.contains("Dora") == true)
        // Somebody comes while the user writes.
        stage.forgetWaiting()
        let joined = Message(
            id: MessageID("join"), at: Timestamp(milliseconds: 0),
            sender: Person(id: PersonID("@eve:e.org"), name: "Eve"),
            kind: .system, presence: Presence(.join, stretch: 1), text: "Eve joined",
            cursor: Messages.Cursor(token: "9"))
        stage.send(.changed(ConversationID("room"), [.arrived(joined)]))
        let isAskedAgain = (stage.waiting + stage.others).filter {
            if case .ask(.members(ConversationID("room")), _) = $0 { true } else { false }
        }
        #expect(isAskedAgain.count == 2)
    }

    @Test func `Two people whose names look the same are completed by their IDs`() {
        var stage = Self.room()
        stage.press(.character("i"))
        stage.send(
            .reply(
                .request(.members(ConversationID("room"))),
                .members(.success([Person(id: PersonID("@ben:f.org"), name: "Ben\u{200B} Ong")]))))
        stage.type("@ben")
        #expect(stage.rows.last?.contains("Ben Ong (@ben:e.org)") == true)
        #expect(stage.rows.last?.contains("(@ben:f.org)") == true)
    }

    @Test func `↑ in an empty composer brings back sent messages, and ↓ leaves them`() {
        var stage = Self.stage()
        stage.press(.character("i"))
        for text in ["first", "second"] {
            stage.type(text)
            stage.press(.enter)
        }
        stage.press(.up)
        #expect(stage.model.composer?.area.text == "second")
        stage.press(.up)
        #expect(stage.model.composer?.area.text == "first")
        stage.press(.up)
        #expect(stage.model.composer?.area.text == "first")
        stage.press(.down, times: 2)
        #expect(stage.model.composer?.area.text == "")
    }

    @Test func `When nothing can be written a notice says so, and nothing opens`() {
        var stage = Self.stage()
        stage.send(
            .reply(
                .request(.obstacle(Stage.general.id)),
                .obstacle("general: may not be written; copy the archive to write")))
        #expect(stage.rows.last?.contains("  read-only") == true)
        for key in ["i", "r", "+"] {
            stage.press(.character(Character(key)))
            #expect(stage.model.panel == nil)
            #expect(stage.rows.last?.contains("may not be written") == true)
        }
        #expect(!stage.frame.text.contains("i write"))
        // Who wants to write has it looked for again.
        #expect(stage.others.contains { if case .ask(.obstacle, _) = $0 { true } else { false } })
        stage.send(.reply(.request(.obstacle(Stage.general.id)), .obstacle(nil)))
        stage.press(.character("i"))
        #expect(stage.model.panel == .composer)
        var nobody = Stage.open(Script.long(3), at: nil)
        let before = nobody.frame
        nobody.send(.reply(.request(.obstacle(Stage.general.id)), .obstacle("the sender is not known")))
        #expect(nobody.frame == before)
        nobody.send(.reply(.request(.obstacle(Stage.general.id)), .obstacle(nil)))
        nobody.press(.character("i"))
        #expect(nobody.screen.contains("Kedge doesn't know who you are: use --as ID"))
    }

    @Test(arguments: [(1, 1), (2, 1), (80, 1), (1, 2), (80, 2), (2, 2), (5, 3), (10, 4), (40, 10), (200, 60)])
    func `Every screen has a row for the composer, and one for a message when there are two`(columns: Int, rows: Int) {
        var stage = Self.stage(30, columns: columns, rows: rows)
        stage.press(.up, .character("r"))
        stage.send(.input([.paste(String(repeating: "wörter 天気 ", count: 40))]))
        stage.type("ok")
        stage.answerAll()
        #expect(stage.frame.lines.count <= rows)
        #expect(stage.frame.lines.allSatisfy { $0.columns <= columns })
        if rows > 1 { #expect(stage.model.timeline.viewport.height >= 1) }
        #expect(stage.frame.lines.count == rows)
        #expect(stage.frame.cursor.map { $0.row < rows && $0.column < columns } == true)
        if columns >= 5 { #expect(stage.screen.contains("ok")) }
        stage.press(.escape)
        stage.answerAll()
        #expect(stage.frame.cursor == nil && stage.frame.lines.count == rows)
    }
}
