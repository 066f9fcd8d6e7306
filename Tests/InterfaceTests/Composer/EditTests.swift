import Display
import Messages
import TestSupport
import Testing
import Timeline

@testable import Interface

/// What one makes of one's own messages is not lost.
struct EditTests {
    private static let ben = PersonID("ben")

    /// On one's own message, of which something else is made, with a message half written beside it.
    private func edited() throws -> (stage: Stage, own: Entry) {
        var stage = Stage.open(Script.long(8), at: nil, me: Self.ben)
        stage.passTime()
        stage.press(.character("i"))
        stage.type("half a thought")
        stage.press(.escape)
        let own = try #require(stage.entries.last { $0.message.sender?.id == Self.ben })
        _ = stage.model.reader.pane.timeline.jump(to: own.id, aligned: .minimal)
        stage.press(.character("e"))
        stage.type(" and more")
        return (stage, own)
    }

    private func refuse(_ stage: inout Stage) throws {
        let post = try #require(stage.sent.last)
        stage.send(.reply(.post(Stage.general.id, post.id), .done(.failure(.notSent("the disk is full")))))
    }

    private func kept(_ stage: Stage) -> Draft? {
        stage.others.compactMap { if case .keepDraft(_, let draft) = $0 { draft } else { nil } }.last
    }

    @Test func `Enter saves while a message is edited, and sends while one is written`() throws {
        var stage = try edited().stage
        #expect(stage.rows.last?.contains("Enter save ") == true)
        stage.press(.escape, .character("i"))
        #expect(stage.rows.last?.contains("Enter send ") == true)
    }

    @Test func `A refused edit is in the composer again, with the reason, and the draft is kept`() throws {
        var (stage, own) = try edited()
        stage.press(.enter)
        try refuse(&stage)
        #expect(stage.screen.contains("not sent: the disk is full"))
        #expect(stage.model.panel == .composer && stage.model.composer?.intent == .edit(own.id))
        #expect(stage.model.composer?.area.text == own.message.text + " and more")
        #expect(kept(stage)?.text == "half a thought")
        #expect(kept(stage)?.edits == [own.id: Draft.Edit(own.message.text + " and more", seen: own.message.text)])
        stage.press(.enter)
        let posts = stage.sent
        #expect(posts.map(\.content) == Array(repeating: .edit(own.id, text: own.message.text + " and more"), count: 2))
        #expect(posts[0].id != posts[1].id)
        #expect(kept(stage)?.edits == [:] && kept(stage)?.text == "half a thought")
    }

    @Test func `A user who has moved on stays there: the next e on the message has the refused edit`() throws {
        var (stage, own) = try edited()
        stage.press(.enter, .up)
        let elsewhere = stage.frame
        try refuse(&stage)
        #expect(stage.model.panel == nil)
        #expect(stage.screen.contains("not sent, e on the message continues it: the disk is full"))
        #expect(
            stage.rows.dropLast()
                == elsewhere.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
        stage.press(.character("i"))
        #expect(stage.model.composer?.area.text == "half a thought")
        stage.press(.escape)
        _ = stage.model.reader.pane.timeline.jump(to: own.id, aligned: .minimal)
        stage.press(.character("e"))
        #expect(stage.model.composer?.area.text == own.message.text + " and more")
    }

    @Test func `A user on the way elsewhere gets there, whatever is refused`() throws {
        var (stage, own) = try edited()
        stage.press(.enter, .home)
        try refuse(&stage)
        #expect(stage.model.panel == nil && stage.screen.contains("e on the message continues it"))
        stage.answerAll()
        #expect(stage.selection == "m-0")
        #expect(
            stage.model.writing.edits[Stage.general.id] == [
                own.id: Draft.Edit(own.message.text + " and more", seen: own.message.text)
            ])
    }

    private func refuseAsEdited(_ stage: inout Stage, _ own: Entry, now: String) throws {
        let post = try #require(stage.sent.last)
        #expect(post.seen != now)
        stage.send(
            .reply(
                .post(Stage.general.id, post.id),
                .done(.failure(.editedMeanwhile(own.id, now: now, in: Stage.general.id)))))
    }

    @Test func `An edit of a message that was edited meanwhile is shown beside that text, and the next Enter sends it`()
        throws
    {
        var (stage, own) = try edited()
        let mine = own.message.text + " and more"
        stage.press(.enter)
        #expect(stage.sent.last?.seen == own.message.text)
        try refuseAsEdited(&stage, own, now: "written\nelsewhere")
        #expect(stage.model.composer?.intent == .edit(own.id) && stage.model.composer?.area.text == mine)
        for text in ["edited meanwhile", "written", "elsewhere", mine, "Enter replaces that text with yours"] {
            #expect(stage.screen.contains(text), "\(text)")
        }
        stage.press(.enter)
        #expect(stage.sent.last?.content == .edit(own.id, text: mine))
        #expect(stage.sent.last?.seen == "written\nelsewhere")
        // Once more: nothing is overwritten that was not shown.
        try refuseAsEdited(&stage, own, now: "a third text")
        #expect(stage.screen.contains("a third text") && !stage.screen.contains("elsewhere"))
        stage.press(.escape)
        #expect(kept(stage)?.edits == [own.id: Draft.Edit(mine, seen: "a third text")])
    }

    @Test(arguments: [(40, 10), (40, 24), (60, 12)])
    func `On a narrow screen both texts of an edit that was made elsewhere are readable`(columns: Int, rows: Int) throws
    {
        var (stage, own) = try edited()
        stage.send(.resized(Size(columns: columns, rows: rows)))
        stage.press(.enter)
        try refuseAsEdited(&stage, own, now: "this text was written on the phone, and is longer than a row")
        let words = stage.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for text in ["written on the phone,", "longer than a row", "and more", "Enter replaces it, Esc keeps it"] {
            #expect(words.contains(text), "\(text)\n\(stage.screen)")
        }
        #expect(stage.screen.lowercased().contains("edited meanwhile to"))
    }

    @Test func `An unfinished edit tells when e continues it that its message was edited meanwhile`() throws {
        var (stage, own) = try edited()
        let mine = own.message.text + " and more"
        stage.press(.escape)
        var newer = own.message
        newer.text = "written elsewhere"
        stage.send(.changed(Stage.general.id, [.updated(newer)]))
        #expect(stage.screen.contains("written elsewhere") && !stage.screen.contains("edited meanwhile"))
        stage.press(.character("e"))
        #expect(stage.model.composer?.area.text == mine && stage.model.composer?.seen == "written elsewhere")
        #expect(stage.screen.contains("edited meanwhile"))
        stage.press(.escape, .character("e"))
        #expect(stage.model.composer?.area.text == mine && stage.model.composer?.seen == "written elsewhere")
    }

    private func refuseAsGone(_ stage: inout Stage, _ own: Entry) throws {
        let post = try #require(stage.sent.last)
        stage.send(
            .reply(.post(Stage.general.id, post.id), .done(.failure(.noSuchMessage(own.id, in: Stage.general.id)))))
    }

    @Test func `When the edited message is removed, the text is a draft, after the one begun there`() throws {
        var (stage, own) = try edited()
        stage.press(.enter)
        try refuseAsGone(&stage, own)
        #expect(stage.model.panel == nil)
        #expect(stage.screen.contains("the edited message is gone; i continues its text as a new message"))
        let whole = "half a thought\n\n\(own.message.text) and more"
        #expect(kept(stage)?.text == whole && kept(stage)?.edits == [:])
        stage.press(.character("i"))
        #expect(stage.model.composer?.area.text == whole && stage.model.composer?.intent == .message)
    }

    @Test func `While another text is written, the edit of a removed message waits`() throws {
        var (stage, own) = try edited()
        stage.press(.enter, .character("i"))
        stage.type("!")
        try refuseAsGone(&stage, own)
        #expect(stage.model.composer?.area.text == "half a thought!")
        #expect(stage.screen.contains("not sent: the edited message is gone"))
        stage.press(.escape)
        #expect(stage.others.contains { $0.asksForMissing(own.id) })
        stage.send(.reply(.request(.missing([own.id], Stage.general.id)), .missing([own.id])))
        stage.press(.character("i"))
        #expect(stage.model.composer?.area.text == "half a thought!\n\n\(own.message.text) and more")
    }

    @Test func `A saved edit of a removed message is a draft after a restart, once`() throws {
        let draft = Draft(edits: [
            MessageID("gone"): Draft.Edit("better words"), MessageID("m-1"): Draft.Edit("other words"),
        ])
        var stage = Stage.open(Script.long(8), at: nil, me: Self.ben, drafts: [Stage.general.id: draft])
        #expect(stage.others.contains { $0.asksForMissing(MessageID("gone")) })
        let gone: Set = [MessageID("gone")]
        for _ in 0..<2 { stage.send(.reply(.request(.missing(gone, Stage.general.id)), .missing(gone))) }
        #expect(kept(stage) == Draft(text: "better words", edits: [MessageID("m-1"): Draft.Edit("other words")]))
    }

    @Test func `An edit to an empty text is refused, and leaving it keeps none`() throws {
        var (stage, own) = try edited()
        stage.press(.control("u"), .enter)
        #expect(stage.sent.isEmpty && stage.screen.contains("an edited message cannot be empty"))
        stage.press(.escape, .character("e"))
        #expect(stage.model.composer?.area.text == own.message.text)
    }

    @Test func `An edit is saved while it is written, and after a restart it is there for e on its message alone`()
        throws
    {
        var (stage, own) = try edited()
        stage.passTime()
        let draft = try #require(kept(stage))
        #expect(
            draft
                == Draft(
                    text: "half a thought",
                    edits: [own.id: Draft.Edit(own.message.text + " and more", seen: own.message.text)]))
        stage = Stage.open(Script.long(8), at: nil, me: Self.ben, drafts: [Stage.general.id: draft])
        stage.passTime()
        stage.press(.character("i"))
        #expect(stage.model.composer?.area.text == "half a thought")
        stage.press(.escape)
        _ = stage.model.reader.pane.timeline.jump(to: own.id, aligned: .minimal)
        stage.press(.character("e"))
        #expect(stage.model.composer?.area.text == own.message.text + " and more")
        stage.press(.escape, .character("x"), .character("y"))
        #expect(kept(stage)?.edits == [:])
    }

    @Test(arguments: [true, false]) func `A post that has not arrived is marked until it has`(isSeen: Bool) throws {
        var stage = Stage.open(Script.long(8), at: nil, me: Self.ben)
        stage.passTime()
        stage.press(.character("i"))
        stage.type("one")
        stage.press(.enter)
        let post = try #require(stage.sent.last)
        stage.send(.reply(.post(Stage.general.id, post.id), .done(.failure(.unavailable("the line is down")))))
        #expect(stage.screen.contains("not sent yet, next try in 1 s: the line is down"))
        if isSeen {
            let message = Message(
                id: post.id, at: post.at, sender: Person(id: Self.ben, name: "Ben"), text: "one",
                cursor: Cursor(token: "999:\(post.id)"))
            stage.send(.changed(Stage.general.id, [.arrived(message)]))
            stage.passTime()
        } else {
            stage.passTime()
            stage.send(.reply(.post(Stage.general.id, post.id), .done(.success(()))))
        }
        #expect(!stage.screen.contains("not sent yet"))
    }
}

extension Effect {
    fileprivate func asksForMissing(_ id: MessageID) -> Bool {
        if case .ask(.missing(let ids, Stage.general.id), _) = self { ids.contains(id) } else { false }
    }
}
