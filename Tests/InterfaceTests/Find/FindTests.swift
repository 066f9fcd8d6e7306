import Display
import Messages
import Search
import Testing
import Timeline

@testable import Interface
@testable import InterfaceSupport

/// `/`, `?`, n and N.
struct FindTests {
    /// 2,000 messages; "tide" in those that 100 divides, "neap tide" in the 500th.
    static let talk: [Message] = {
        var script = Script("2025-03-01T00:00:00Z")
        for index in 0..<2_000 {
            let text = index == 500 ? "a neap tide" : index % 100 == 0 ? "the Tide number \(index)" : "message \(index)"
            script.add(text, from: index % 2 == 0 ? "Ana" : "Ben", after: 400)
        }
        return script.messages
    }()

    @Test func `A search runs while typing, and Esc brings back the exact screen`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        stage.press(.pageDown, .up, .control("y"))
        stage.answerAll()
        let before = stage.frame
        stage.press(.character("/"))
        stage.type("tid")
        #expect(stage.rows.last?.hasPrefix(" /tid") == true)
        stage.settle()
        #expect(stage.rows.last?.contains("hit 12 of 20") == true)
        #expect(stage.selection == "m-1100")
        #expect(highlights(stage.frame) == ["Tide"])
        stage.press(.escape)
        stage.answerAll()
        #expect(stage.frame == before)
    }

    @Test func `A regular expression between slashes is searched for once it is closed`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        stage.press(.character("/"))
        stage.typeAndWait("/^a .*TI[dx]e$/")
        #expect(stage.selection == "m-500" && stage.rows.last?.contains("hit 1 of 1") == true)
        #expect(highlights(stage.frame) == ["a neap tide"])
        stage.press(.control("u"))
        stage.typeAndWait("/[ti/")
        #expect(stage.rows.last?.contains("missing ] in \"[ti\"") == true)
    }

    @Test func `Enter stays, and n and N go through all hits, loaded or not, with one page each`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        let before = stage.frame
        stage.press(.character("/"))
        stage.typeAndWait("tide")
        stage.press(.enter)
        stage.answerAll()
        #expect(stage.rows.last?.contains("/tide   hit 12 of 20") == true)
        for hit in [1_200, 1_300, 1_400] {
            stage.press(.character("n"))
            #expect(stage.requests.count <= 1)
            stage.answerAll()
            #expect(stage.selection == "m-\(hit)")
        }
        for hit in [1_300, 1_200, 1_100, 1_000] {
            stage.press(.character("N"))
            stage.answerAll()
            #expect(stage.selection == "m-\(hit)")
        }
        // A search and its steps are one jump.
        stage.press(.control("o"))
        stage.answerAll()
        stage.press(.escape)
        #expect(stage.frame == before)
    }

    @Test func `? searches towards the beginning, and n continues that way`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        stage.press(.character("?"))
        stage.typeAndWait("tide")
        #expect(stage.selection == "m-1000")
        stage.press(.enter, .character("n"))
        stage.answerAll()
        #expect(stage.selection == "m-900")
        stage.press(.character("N"))
        stage.answerAll()
        #expect(stage.selection == "m-1000")
    }

    @Test func `After the last hit n continues at the first, and says so`() {
        var stage = Stage.open(Self.talk, at: "m-1850")
        stage.press(.character("/"))
        stage.typeAndWait("tide")
        stage.press(.enter)
        #expect(stage.selection == "m-1900")
        stage.press(.character("n"))
        stage.answerAll()
        #expect(stage.selection == "m-0")
        #expect(stage.rows.last?.contains("hit 1 of 20 · search wrapped") == true)
        stage.press(.character("N"))
        stage.answerAll()
        #expect(stage.selection == "m-1900")
    }

    @Test func `Steps that were typed before the places of messages are known are done when they are`() throws {
        var stage = Stage(Self.talk)
        stage.change { $0.knowsPlaces = false }
        stage.start(at: .message(MessageID("m-1010")))
        stage.answerAll()
        stage.press(.character("/"))
        stage.paste("tide")
        stage.press(.enter, .character("n"), .character("n"), .character("N"))
        stage.settle()
        #expect(stage.selection == "m-1010")
        #expect(stage.rows.last?.contains("wait for the match") == true)
        stage.change { $0.knowsPlaces = true }
        let first = try #require(stage.entries.first)
        let place = Place(index: try #require(Int(first.cursor.token)), total: 2_000)
        stage.send(.reply(.place(Stage.general.id, first.id), .place(.success((place, [])))))
        stage.answerAll()
        #expect(stage.selection == "m-1200")
    }

    @Test func `Without a hit ahead, the search goes to the nearest one the other way`() {
        var stage = Stage.open(Self.talk, at: nil)
        stage.press(.character("/"))
        stage.typeAndWait("neap")
        #expect(stage.selection == "m-500")
        #expect(stage.rows.last?.contains("hit 1 of 1") == true)
        stage.press(.enter, .character("n"))
        stage.answerAll()
        #expect(stage.rows.last?.contains("hit 1 of 1 · search wrapped") == true)
    }

    @Test func `Words that nobody wrote move nothing, and deleting them shows the former place`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        let before = stage.frame.withoutNotice
        stage.press(.character("/"))
        stage.typeAndWait("tide")
        stage.typeAndWait("xyz")
        #expect(stage.frame.withoutNotice.lines == before.lines)
        #expect(stage.rows.last?.contains("no match") == true)
        stage.press(.backspace, times: 3)
        stage.settle()
        #expect(stage.selection == "m-1100")
        stage.typeAndWait("xyz")
        stage.press(.enter)
        #expect(stage.rows.last?.contains("no match for \"tidexyz\" in this conversation") == true)
        #expect(stage.frame.withoutNotice.lines == before.lines)
        stage.press(.character("n"))
        stage.answerAll()
        #expect(stage.frame.withoutNotice.lines == before.lines)
    }

    @Test func `The last word may be incomplete, unless a blank ends it`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        stage.press(.character("/"))
        stage.typeAndWait("ti")
        #expect(stage.rows.last?.contains("of 20") == true)
        stage.typeAndWait(" ")
        #expect(stage.rows.last?.contains("no match") == true)
    }

    /// "tide" stands in 19 of its 20 messages, "tidal" in one.
    private static let tidal: [Message] = {
        var talk = FindTests.talk
        talk[1_100].text = "tidal waters"
        return talk
    }()

    @Test func `Enter completes the last word: the count then equals that of kedge search, and nothing moves`() {
        var stage = Stage.open(Self.tidal, at: "m-1010")
        stage.press(.character("/"))
        stage.typeAndWait("tid")
        #expect(stage.rows.last?.contains("hit 12 of 20") == true)
        stage.typeAndWait("e")
        let rows = stage.rows.dropLast()
        stage.press(.enter)
        // Also not while the complete word is counted.
        #expect(stage.rows.dropLast() == rows && stage.selection == "m-1200")
        #expect(stage.rows.last?.contains("/tide   hit 12 of 19") == true)
        stage.settle()
        #expect(stage.rows.dropLast() == rows && stage.selection == "m-1200")
        #expect(stage.rows.last?.contains("/tide   hit 12 of 19") == true)
        #expect(stage.model.find?.query.query == Query("tide"))
    }

    @Test func `A last word that nobody wrote becomes a prefix, and a star shows that`() {
        var stage = Stage.open(Self.tidal, at: "m-1010")
        stage.press(.character("/"))
        stage.typeAndWait("tida")
        stage.press(.enter)
        #expect(stage.rows.last?.contains("/tida*   hit 1 of 1") == true && highlights(stage.frame) == ["tidal"])
        stage.settle()
        #expect(stage.rows.last?.contains("/tida*   hit 1 of 1") == true && highlights(stage.frame) == ["tidal"])
        #expect(stage.selection == "m-1100" && stage.model.find?.query.query == Query("tida*"))
        // Also for an empty search.
        stage.press(.character("/"), .enter)
        stage.settle()
        #expect(stage.rows.last?.contains("hit 1 of 1") == true && stage.model.find?.query.query == Query("tida*"))
    }

    @Test func `A hit that has the last word only as a beginning stays one, though others have the whole word`() {
        var stage = Stage.open(Self.tidal, at: "m-1010")
        stage.press(.character("/"))
        stage.typeAndWait("tid")
        stage.press(.enter)
        stage.settle()
        // Nobody said it.
        #expect(stage.rows.last?.contains("/tid*   hit 12 of 20") == true)
        stage.press(.escape)
        stage.change { $0.talks[0].messages[1_500].text = "tid" }
        stage.press(.character("/"))
        stage.typeAndWait("tid")
        stage.press(.enter)
        stage.settle()
        #expect(stage.rows.last?.contains("/tid*   hit 12 of 20") == true)
        #expect(stage.selection == "m-1100" && highlights(stage.frame) == ["tidal"])
        stage.press(.character("n"))
        stage.answerAll()
        #expect(stage.selection == "m-1200")
        #expect(stage.rows.last?.contains("hit 13 of 20") == true)
    }

    @Test func `Sender and time narrow a search, only words are highlighted, and other conversations have no hits`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        stage.press(.character("/"))
        stage.typeAndWait("tide -number in:gen")
        #expect(stage.rows.last?.contains("hit 1 of 1") == true)
        #expect(stage.selection == "m-500")
        #expect(highlights(stage.frame) == ["tide"])
        stage.press(.control("u"))
        stage.typeAndWait("message from:be")
        #expect(stage.rows.last?.contains("of 1,000") == true)
        #expect(!highlights(stage.frame).isEmpty)
        #expect(highlights(stage.frame).count < stage.model.timeline.visibleIndices.count)
        stage.press(.control("u"))
        stage.typeAndWait("from:ana")
        #expect(stage.rows.last?.contains("of 1,000") == true && highlights(stage.frame).isEmpty)
        for text in ["tide in:harbour", "tide -in:general", "tide from:zoe", "tide has:link", "-from:ana -from:ben"] {
            stage.press(.control("u"))
            stage.typeAndWait(text)
            #expect(stage.rows.last?.contains("no match") == true, "\(text)")
            #expect(highlights(stage.frame).isEmpty)
        }
    }

    @Test func `A date that is still being typed is reported and ignored`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        stage.press(.character("/"))
        stage.typeAndWait("tide since:2025-")
        #expect(stage.rows.last?.contains("since:2025-: not a date yet · hit 12 of 20") == true)
        stage.typeAndWait("03-09")
        #expect(stage.rows.last?.contains("not a date") == false)
        #expect(stage.rows.last?.contains("of 2") == true)
        stage.press(.control("u"))
        stage.typeAndWait("since:ban")
        #expect(stage.rows.last?.contains("since:ban: not a date yet") == true)
        #expect(stage.selection == "m-1010")
        stage.press(.enter)
        #expect(stage.rows.last?.contains("since:ban: not a date") == true)
    }

    @Test func `An empty search repeats the last words`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        stage.press(.character("/"))
        stage.typeAndWait("tide")
        stage.press(.enter, .escape)
        #expect(highlights(stage.frame).isEmpty)
        stage.press(.character("?"), .enter)
        stage.settle()
        #expect(stage.selection == "m-1000")
        stage.press(.escape, .character("n"))
        stage.settle()
        #expect(stage.selection == "m-1100")
    }

    @Test func `Before the first search n says what to do, and an empty search changes nothing`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        let before = stage.frame
        stage.press(.character("/"), .enter)
        #expect(stage.frame == before)
        stage.press(.character("n"))
        #expect(stage.rows.last?.contains("/ searches") == true)
    }

    @Test(arguments: [".*", "[a-z]+(", "\\", "\"", "\"\"", "***", "  "])
    func `A text without a word is not a search, and breaks nothing`(text: String) {
        var stage = Stage.open(Self.talk, at: "m-1010")
        let before = stage.frame.withoutNotice
        stage.press(.character("/"))
        stage.typeAndWait(text)
        stage.press(.enter)
        stage.settle()
        stage.press(.escape)
        stage.settle()
        #expect(stage.frame.withoutNotice == before || text.contains("a-z"))
    }

    @Test func `The largest query is searched like any other`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        stage.press(.character("/"))
        stage.paste(String(repeating: "tide ", count: QuerySize.maximumTerms))
        stage.settle()
        #expect(stage.rows.last?.contains("of 20") == true)
        #expect(stage.frame.lines.allSatisfy { $0.columns <= 72 })
    }

    @Test func `A word that every message contains is highlighted everywhere and counted`() {
        var stage = Stage.open(Script.long(3_000), at: "m-1500")
        stage.press(.character("/"))
        stage.typeAndWait("message")
        stage.press(.enter)
        #expect(stage.rows.last?.contains("hit 1,501 of 3,000") == true)
        #expect(highlights(stage.frame).count == stage.model.timeline.visibleIndices.count)
    }

    @Test func `A step to a hit that is not known yet is made when the places come`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        stage.press(.character("?"))
        stage.type("neap")
        stage.press(.enter)
        #expect(stage.screen.contains("waits for the match"))
        stage.answerAll()
        #expect(stage.selection == "m-500")
        // Esc is giving up.
        stage.press(.escape, .character("?"))
        stage.type("number")
        stage.press(.enter, .up, .escape)
        stage.settle()
        #expect(stage.selection == "m-500" && stage.model.panel == nil)
    }

    @Test func `Hits are highlighted over wrapped rows, in phrases, and in any case and with any accents`() {
        var script = Script("2025-03-01T00:00:00Z")
        script.add("Le café du PORT est fermé, mais le café d'en face ne ferme pas avant minuit", from: "Inès")
        script.add("waves at the cafe", from: "Cafe", kind: .action)
        script.add("cafe", from: "Ana") { $0.isEdited = true }
        script.add("cafe", from: "Ana") { $0.isDeleted = true }
        var stage = Stage.open(script.messages, at: nil, columns: 50)
        stage.press(.character("/"))
        stage.typeAndWait("CAFE")
        #expect(highlights(stage.frame) == ["café", "café", "cafe", "cafe"])
        stage.press(.control("u"))
        stage.typeAndWait("\"le cafe\" port")
        #expect(highlights(stage.frame) == ["Le café", "PORT", "le café"].flatMap { [$0] })
    }

    @Test func `Enter before the page of the hit has come is a jump too`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        let before = stage.frame
        stage.press(.character("/"))
        stage.type("neap")
        stage.passTime()
        stage.answer { $0.isPlaces }
        #expect(stage.requests.count == 1)
        stage.press(.enter)
        stage.answerAll()
        #expect(stage.selection == "m-500")
        stage.press(.escape, .control("o"))
        stage.answerAll()
        #expect(stage.frame == before)
    }

    @Test func `Esc twice, or / at once, while the former screen is on its way, still brings it back`() {
        for keys: [Key] in [[.escape, .escape], [.escape, .character("/"), .escape]] {
            var stage = Stage.open(Self.talk, at: "m-1010")
            let before = stage.frame
            stage.press(.character("/"))
            stage.typeAndWait("neap")
            for key in keys { stage.press(key) }
            stage.answerAll()
            #expect(stage.frame == before)
        }
    }

    @Test func `A failed count is reported, and n retries it`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        stage.press(.character("/"))
        stage.type("neap")
        stage.passTime()
        guard let epoch = stage.model.find?.epoch else { return }
        stage.send(.reply(.places(epoch: epoch), .places(.failure(.unavailable("the files changed")))))
        stage.send(.reply(.places(epoch: epoch), .end()))
        stage.press(.enter)
        #expect(stage.rows.last?.contains("\" Enter \" waits for the match, next try in 1 s (the files") == true)
        stage.press(.character("n"))
        stage.settle()
        #expect(stage.selection == "m-500")
        #expect(stage.model.find?.standing(isAtHit: true) == "hit 1 of 1")
    }

    @Test func `Thread replies are hits: each is a step of its own, shown in its thread`() {
        var messages = Script.long(400)
        for (index, root) in [(150, 20), (151, 30), (152, 20)] {
            messages[index] = Script.reply(to: root, "a tide", like: messages[index])
        }
        var stage = Stage.open(messages, at: "m-10")
        stage.press(.character("/"))
        stage.typeAndWait("tide")
        stage.press(.enter)
        stage.answerAll()
        #expect(stage.rows.last?.contains("hit 1 of 3") == true)
        var shown = [stage.selection]
        for _ in 0..<2 {
            stage.press(.character("n"))
            stage.answerAll()
            shown.append(stage.selection)
            #expect(stage.model.isInThread)
        }
        #expect(shown == ["m-150", "m-151", "m-152"])
        #expect(stage.rows.last?.contains("hit 3 of 3 in the conversation") == true, "\(stage.screen)")
        stage.press(.character("N"))
        stage.answerAll()
        #expect(stage.selection == "m-151" && stage.model.openThread?.thread == MessageID("m-30"))
        // The steps are one jump, also those in threads.
        stage.press(.control("o"))
        stage.answerAll()
        #expect(stage.selection == "m-10" && !stage.model.isInThread)
    }

    /// A search for "tide", which some of the replies in one thread hold.
    private static func searching(replies: Range<Int>, where isHit: (Int) -> Bool) -> (Stage, [Message]) {
        var messages = Script.long(400)
        for index in replies {
            messages[index] = Script.reply(to: 20, isHit(index) ? "a tide" : "reply \(index)", like: messages[index])
        }
        var stage = Stage.open(messages, at: "m-10")
        stage.press(.character("/"))
        stage.typeAndWait("tide")
        stage.press(.enter)
        return (stage, messages)
    }

    @Test func `Hits in one thread are told apart, however far they are from its end`() {
        var (stage, _) = Self.searching(replies: 100..<390) { $0 % 90 == 10 }
        stage.answerAll()
        var shown = [stage.selection]
        for _ in 0..<4 {
            stage.press(.character("n"))
            stage.settle()
            shown.append(stage.selection)
        }
        #expect(shown == ["m-100", "m-190", "m-280", "m-370", "m-100"])
        // The user moves to another hit by hand.
        stage.press(.character("N"))
        stage.settle()
        #expect(stage.selection == "m-370")
        stage.press(.up, times: 90)
        stage.settle()
        stage.press(.character("N"))
        stage.settle()
        #expect(stage.selection == "m-190", "\(stage.screen)")
    }

    /// Texts, of which some are replies to the message with the index `root`.
    private static func talk(_ texts: [String], replies: ClosedRange<Int>, to root: Int) -> [Message] {
        var script = Script("2025-03-01T00:00:00Z")
        for text in texts { script.add(text, from: "Ben") }
        return script.messages.enumerated().map { index, message in
            replies.contains(index) ? Script.reply(to: root, message.text, like: message) : message
        }
    }

    @Test(arguments: [("m-2", "m-2", 2), ("m-0", "m-1", 1)])
    func `A search finds the hits of a thread from its root and from its replies`(
        start: String, hit: String, number: Int
    ) {
        let texts = ["root"] + (0..<5).map { "gannet \($0)" } + ["gannet in the conversation"]
        for columns in [72, 140] {
            var stage = Stage.open(Self.talk(texts, replies: 1...5, to: 0), at: start, columns: columns)
            #expect(stage.selection == start)
            stage.press(.character("/"))
            stage.typeAndWait("gannet")
            stage.press(.enter)
            stage.settle()
            #expect(stage.selection == hit && stage.model.isInThread)
            #expect(Self.status(stage).contains("hit \(number) of 6"), "\(stage.screen)")
        }
    }

    @Test(arguments: [("m-5", "?", "m-4"), ("m-3", "?", "m-2"), ("m-3", "/", "m-4"), ("m-5", "/", "m-6")])
    func `A search from a reply that is no hit finds the next one in its direction`(
        start: String, key: String, hit: String
    ) {
        let texts = ["needle before", "root", "needle one", "no", "needle two", "last", "needle after"]
        for columns in [72, 140] {
            var stage = Stage.open(Self.talk(texts, replies: 2...5, to: 1), at: start, columns: columns)
            #expect(stage.selection == start)
            stage.type(key)
            // The first letter alone is found in another reply and in the conversation.
            stage.typeAndWait("n")
            stage.typeAndWait("eedle")
            stage.press(.enter)
            stage.settle()
            #expect(stage.selection == hit, "\(stage.screen)")
            #expect(stage.model.isInThread == (hit != "m-6"))
        }
    }

    // MARK: - Messages that come or change

    private static func status(_ stage: Stage) -> String { stage.rows.last ?? "" }

    private static func change(_ stage: inout Stage, _ change: StoreChange) {
        stage.change { store in
            guard let message = change.message else { return }
            if let index = store.talks[0].messages.firstIndex(where: { $0.id == message.id }) {
                store.talks[0].messages[index] = message
            } else {
                store.talks[0].messages.append(message)
            }
        }
        stage.send(.changed(Stage.general.id, [change]))
    }

    @Test func `Hits that come are counted and reached, and those that go are passed over`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        stage.press(.character("/"))
        stage.typeAndWait("tide")
        stage.press(.enter, .end, .character("N"))
        stage.settle()
        #expect(stage.selection == "m-1900" && Self.status(stage).contains("hit 20 of 20"))
        var new = Script.long(2_001)[2_000]
        new.text = "the tide comes"
        Self.change(&stage, .arrived(new))
        // Without a pause: a step asks for matches as they are now.
        stage.press(.character("n"))
        stage.answerAll()
        #expect(stage.selection == "m-2000" && Self.status(stage).contains("hit 21 of 21"), "\(stage.screen)")
        for (index, change) in [(1_900, true), (1_800, false)] {
            var message = Self.talk[index]
            if change { message.isDeleted = true } else { message.text = "it was something else" }
            Self.change(&stage, .updated(message))
        }
        stage.settle()
        #expect(Self.status(stage).contains("hit 19 of 19"), "\(stage.screen)")
        stage.press(.character("N"))
        stage.settle()
        #expect(stage.selection == "m-1700" && Self.status(stage).contains("hit 18 of 19"))
        // A message that was no hit becomes one.
        var edited = Self.talk[1_850]
        edited.text = "a late tide"
        Self.change(&stage, .updated(edited))
        stage.press(.character("n"))
        stage.settle()
        #expect(stage.selection == "m-1850" && Self.status(stage).contains("hit 19 of 20"))
    }

    @Test func `A reply that stops being a hit is passed over, from there and from any other reply`() {
        var (stage, messages) = Self.searching(replies: 100..<130) { $0 % 5 == 0 }
        stage.settle()
        stage.press(.character("n"), .character("n"))
        stage.settle()
        #expect(stage.selection == "m-110" && Self.status(stage).contains("hit 3 of 6"), "\(stage.screen)")
        for (key, target, status) in [("N", "m-105", "hit 2 of 5"), ("n", "m-115", "hit 3 of 5")] {
            var stage = stage
            var gone = messages[110]
            gone.isDeleted = true
            Self.change(&stage, .updated(gone))
            stage.settle()
            #expect(!Self.status(stage).contains("hit "), "\(stage.screen)")
            stage.press(.character(Character(key)))
            stage.settle()
            #expect(stage.selection == target && Self.status(stage).contains(status), "\(stage.screen)")
            // By hand to a reply that never was one.
            stage.press(.up, .up)
            stage.press(.character(Character(key)))
            stage.settle()
            #expect(stage.selection == (key == "n" ? "m-115" : "m-100"), "\(stage.screen)")
        }
    }

    @Test func `The number of a hit and the words about no match are those of now`() {
        var stage = Stage.open(Self.talk, at: "m-1850")
        stage.press(.character("/"))
        stage.typeAndWait("neap")
        stage.press(.enter, .character("n"))
        stage.settle()
        #expect(Self.status(stage).contains("hit 1 of 1 · search wrapped"), "\(stage.screen)")
        var gone = Self.talk[500]
        gone.isDeleted = true
        Self.change(&stage, .updated(gone))
        stage.settle()
        #expect(Self.status(stage).contains("no match"), "\(stage.screen)")
        #expect(!Self.status(stage).contains("wrapped"), "\(stage.screen)")
        stage.press(.character("/"))
        stage.typeAndWait("spring")
        stage.press(.enter)
        stage.settle()
        #expect(Self.status(stage).contains("no match for \"spring\""), "\(stage.screen)")
        var new = Script.long(2_001)[2_000]
        new.text = "spring is here"
        Self.change(&stage, .arrived(new))
        stage.settle()
        #expect(Self.status(stage).contains("/spring   1 hit"), "\(stage.screen)")
    }

    @Test func `Messages without the words do not make the store search again`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        stage.press(.character("/"))
        stage.typeAndWait("tide")
        stage.press(.enter)
        stage.settle()
        Self.change(&stage, .arrived(Script.long(2_001)[2_000]))
        stage.passTime()
        #expect(!stage.waiting.contains { $0.isPlaces })
        var new = Script.long(2_002)[2_001]
        new.text = "tide"
        Self.change(&stage, .arrived(new))
        stage.passTime()
        #expect(stage.waiting.contains { $0.isPlaces })
        // Until all hits are known, those from before stay.
        #expect(Self.status(stage).contains("hit 12 of 20"))
        stage.settle()
        #expect(Self.status(stage).contains("hit 12 of 21"))
    }

    // MARK: - Failures

    @Test(arguments: [false, true])
    func `A count that fails is tried again by itself, and Enter goes to its match`(isAccepted: Bool) {
        var stage = Stage.open(Self.talk, at: "m-1010")
        stage.press(.character("/"))
        stage.type("neap")
        stage.passTime()
        if isAccepted { stage.press(.enter) }
        for _ in 0..<3 {
            guard let epoch = stage.model.find?.epoch else { return }
            stage.forgetWaiting()
            stage.send(.reply(.places(epoch: epoch), .places(.failure(.unavailable("the line is down")))))
            stage.send(.reply(.places(epoch: epoch), .end()))
            #expect(Self.status(stage).contains("next try in"), "\(stage.screen)")
            stage.passTime()
        }
        stage.settle()
        if !isAccepted { stage.press(.enter) }
        stage.settle()
        #expect(stage.selection == "m-500" && Self.status(stage).contains("hit 1 of 1"), "\(stage.screen)")
    }

    @Test func `A failure of the collection that Enter has stopped does not matter`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        stage.press(.character("/"))
        stage.paste("tide")
        let first = stage.model.find?.epoch ?? 0
        stage.passTime()
        stage.press(.enter)
        stage.send(.reply(.places(epoch: first), .places(.failure(.unavailable("the line is down")))))
        stage.send(.reply(.places(epoch: first), .end()))
        stage.settle()
        #expect(Self.status(stage).contains("/tide   hit 12 of 20"), "\(stage.screen)")
    }

    @Test func `The place of the window is asked for until it comes, and the title says so`() throws {
        var stage = Stage(Self.talk)
        stage.change { $0.knowsPlaces = false }
        stage.start(at: .message(MessageID("m-1010")))
        stage.answerAll()
        var delays: [Duration] = []
        for _ in 0..<3 {
            stage.send(
                .reply(.place(Stage.general.id, MessageID("m-0")), .place(.failure(.unavailable("the line is down")))))
            for case .wait(let delay, .retry(.place)) in stage.others { delays.append(delay) }
            #expect(stage.rows.first?.contains("place unknown, next try in") == true, "\(stage.screen)")
            stage.passTime()
            #expect(stage.others.contains { if case .ask(.place, _) = $0 { true } else { false } })
        }
        #expect(delays == [.seconds(1), .seconds(2), .seconds(4)])
        let first = try #require(stage.entries.first)
        let place = Place(index: try #require(Int(first.cursor.token)), total: 2_000)
        stage.send(.reply(.place(Stage.general.id, first.id), .place(.success((place, [])))))
        #expect(stage.rows.first?.contains("1,011 of 2,000") == true)
    }

    // MARK: - Words of earlier searches

    @Test func `↑ and ↓ go through the words of earlier searches, and back to what was typed`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        for words in ["tide", "neap", "message", "neap"] {
            stage.press(.character("/"))
            stage.typeAndWait(words)
            stage.press(.enter)
            stage.settle()
        }
        stage.press(.character("/"))
        stage.type("nu")
        var seen: [String] = []
        for key: Key in [.up, .up, .up, .up, .down, .down, .down, .down] {
            stage.press(key)
            stage.settle()
            seen.append(stage.model.find?.field.text ?? "")
        }
        #expect(seen == ["neap", "message", "tide", "tide", "message", "neap", "nu", "nu"])
        stage.press(.up, .up, .enter)
        stage.settle()
        #expect(Self.status(stage).contains("/message   "))
    }

    @Test func `Earlier words do not wait for the match of those that they replace`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        for words in ["tide", "neap"] {
            stage.press(.character("/"))
            stage.typeAndWait(words)
            stage.press(.enter)
            stage.settle()
        }
        stage.press(.character("/"))
        stage.press(.up, .up)
        #expect(stage.model.find?.field.text == "tide", "\(stage.screen)")
        stage.press(.enter)
        stage.settle()
        #expect(Self.status(stage).contains("/tide   hit "), "\(stage.screen)")
    }

    @Test func `A word that was made to stand for others says so`() {
        var stage = Stage.open(Self.tidal, at: "m-1010")
        stage.press(.character("/"))
        stage.typeAndWait("tida")
        stage.press(.enter)
        stage.settle()
        #expect(Self.status(stage).contains("/tida*   hit 1 of 1 · * stands for any ending"))
    }

    // MARK: - Long messages

    /// A message of 400 lines between others, with three matches.
    private static var long: [Message] {
        var talk = Script.long(40)
        talk[20].text = (0..<400).map { [50, 200, 390].contains($0) ? "here a needle" : "line \($0)" }
            .joined(separator: "\n")
        talk[30].text = "needle"
        return talk
    }

    @Test func `n and N go to each match of a long message`() {
        var stage = Stage.open(Self.long, at: "m-10")
        stage.press(.character("/"))
        stage.typeAndWait("needle")
        stage.press(.enter)
        stage.settle()
        var seen: [String] = []
        for key: Key in [.character("n"), .character("n"), .character("n"), .character("N"), .character("N")] {
            let number = Self.status(stage).firstRange(of: /hit \d of 2( · match \d in it)?/)
            seen.append(number.map { String(Self.status(stage)[$0]) } ?? stage.screen)
            #expect(highlights(stage.frame) == ["needle"], "\(stage.screen)")
            stage.press(key)
            stage.settle()
        }
        #expect(
            seen == [
                "hit 1 of 2 · match 1 in it", "hit 1 of 2 · match 2 in it", "hit 1 of 2 · match 3 in it", "hit 2 of 2",
                "hit 1 of 2 · match 3 in it",
            ])
        #expect(Self.status(stage).contains("match 2 in it"))
        // The steps are one jump.
        stage.press(.control("o"))
        stage.settle()
        #expect(stage.selection == "m-10")
    }

    @Test func `After an edit of a long message, the number of a match in it is not that of the old text`() {
        var stage = Stage.open(Self.long, at: "m-10")
        stage.press(.character("/"))
        stage.typeAndWait("needle")
        stage.press(.enter)
        stage.settle()
        stage.press(.character("n"))
        stage.settle()
        #expect(Self.status(stage).contains("hit 1 of 2 · match 2 in it"), "\(stage.screen)")
        var message = Self.long[20]
        message.reactions = [Reaction(emoji: "👍", people: [person("Cy")])]
        Self.change(&stage, .updated(message))
        stage.settle()
        #expect(Self.status(stage).contains("hit 1 of 2 · match 2 in it"), "\(stage.screen)")
        message.text = message.text.replacing("line 3\n", with: "").replacing("line 399", with: "the last line")
        Self.change(&stage, .updated(message))
        stage.settle()
        #expect(Self.status(stage).contains("hit 1 of 2"), "\(stage.screen)")
        #expect(!Self.status(stage).contains("match 2 in it"), "\(stage.screen)")
    }

    @Test func `Each n counts, even while a hit is on its way or not known yet`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        let before = stage.frame
        stage.press(.character("/"))
        stage.type("tide")
        stage.press(.enter, .character("n"), .character("n"))
        stage.settle()
        #expect(stage.selection == "m-1300")
        stage.press(.character("n"), times: 4)
        #expect(stage.requests.count >= 1)
        stage.answerAll()
        #expect(stage.selection == "m-1700")
        stage.press(.character("N"), times: 3)
        stage.answerAll()
        #expect(stage.selection == "m-1400")
        stage.press(.escape, .control("o"))
        stage.answerAll()
        #expect(stage.frame == before)
    }

    @Test func `In a message of a million hits only the part on the screen is searched`() {
        var script = Script("2025-03-01T00:00:00Z")
        script.add(String(repeating: "high tide, ", count: 100_000) + "the last word", from: "Ana")
        var stage = Stage.open(script.messages, at: "m-0", columns: 60, rows: 12)
        stage.press(.character("z"))
        stage.press(.character("/"))
        stage.typeAndWait("high tide last")
        #expect(highlights(stage.frame).contains("high") && highlights(stage.frame).contains("tide"))
        stage.press(.enter)
        stage.press(.end)
        #expect(highlights(stage.frame).last == "last")
    }

    @Test func `Away from the hits the status shows their number`() {
        var stage = Stage.open(Self.talk, at: "m-1010")
        stage.press(.character("/"))
        stage.typeAndWait("tide")
        stage.press(.enter)
        #expect(stage.rows.last?.contains("hit 12 of 20") == true)
        stage.press(.up)
        #expect(stage.rows.last?.contains("   20 hits") == true)
        stage.press(.down)
        #expect(stage.rows.last?.contains("hit 12 of 20") == true)
    }
}
