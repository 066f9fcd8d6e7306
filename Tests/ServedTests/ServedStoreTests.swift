import Foundation
import Logging
import Messages
import Relay
@testable import Served
import Synchronization
import Testing

@testable import Archive

/// A store that asks a helper for what is not in the archive. The helper is a script at the other end of a socket.
struct ServedStoreTests {
    private static let room = ConversationID("harbour")
    private static let middle: Int64 = 500_000_000_000_000_000

    /// An account's archive, with one room.
    private final class Account: Sendable {
        let path = NSTemporaryDirectory() + "/kedge-served-\(UUID().uuidString)"

        init() throws {
            let label = #"{"format":"kedge","version":1,"me":"@me:e.org","server":"matrix"}"#
            try write("archive.json", label)
            try write("people.json", "[]")
            try add(middle, before: "gap", "m5", "m6")
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ file: String, _ text: String) throws {
            let url = URL(fileURLWithPath: path + "/" + file)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url, options: .atomic)
        }

        func add(_ number: Int64, before: String, _ ids: String...) throws {
            let lines = ids.map { id in
                #"{"type":"message","id":"\#(id)","at":"2025-03-01T09:12:33Z","from":"ana","text":"hello"}"#
            }
            let head = #"{"type":"segment","before":"\#(before)"}"#
            try write(
                "conversations/harbour/messages-\(number).jsonl", ([head] + lines).map { $0 + "\n" }.joined())
        }

        func open(_ helper: Helper) throws -> ServedStore {
            let archive = try JSONArchive.open(
                path: path, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            return ServedStore(archive, helper: helper)
        }
    }

    private static func request(_ position: PageRequest.Position) -> PageRequest {
        PageRequest(conversation: room, position: position, limit: 10)
    }

    private static func words(_ page: Page) -> String {
        func edge(_ edge: Page.Edge) -> String {
            switch edge {
            case .end: "end"
            case .more: "more"
            case .gap(_, let gap): gap.isFillable ? "fillable" : "gap"
            }
        }
        return ([edge(page.older)] + page.messages.map(\.id.rawValue) + [edge(page.newer)]).joined(separator: " ")
    }

    private static func failure(_ body: () async throws(StoreError) -> some Any) async -> StoreError? {
        do throws(StoreError) {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test func `A page at a gap is filled until it has messages`() async throws {
        let account = try Account()
        let scripted = try ScriptedHelper { request in
            guard case .fill(_, let segment, .before, let limit, _) = request.content, limit == 50 else { return [] }
            let isFirst = segment == "messages-\(Self.middle).jsonl"
            // The first page has nothing but members, say.
            try? isFirst
                ? account.add(Self.middle - 1, before: "gap")
                : account.add(Self.middle - 2, before: "start", "m3", "m4")
            return [.response(request.number, .done(segment: nil))]
        }
        let helper = Helper(scripted)
        let store = try account.open(helper)
        let first = try await store.page(Self.request(.latest))
        #expect(Self.words(first) == "gap m5 m6 end")
        #expect(await helper.reached() == .online)
        #expect(try await Self.words(store.page(Self.request(.latest))) == "fillable m5 m6 end")
        let older = try await store.page(Self.request(.before(first.messages[0].cursor)))
        #expect(Self.words(older) == "end m3 m4 more")
        #expect(scripted.requests.withLock { $0.count } == 2)
    }

    @Test func `A page after an island is filled from there, and not from the end of the room`() async throws {
        let account = try Account()
        try account.add(Self.middle - 1_000, before: "gap", "m1", "m2")
        let scripted = try ScriptedHelper { request in
            guard case .fill(_, let segment, .after, 50, _) = request.content else { return [] }
            let isFirst = segment == "messages-\(Self.middle - 1_000).jsonl"
            // The first page has nothing but members, say.
            try? isFirst
                ? account.add(Self.middle - 999, before: segment)
                : account.add(Self.middle - 998, before: segment, "m3")
            return [.response(request.number, .done(segment: nil))]
        }
        let helper = Helper(scripted)
        let store = try account.open(helper)
        #expect(await helper.reached() == .online)
        let island = try await store.page(Self.request(.message(MessageID("m2"))))
        #expect(Self.words(island) == "fillable m1 m2 fillable")
        let newer = try await store.page(Self.request(.after(island.messages[1].cursor)))
        #expect(Self.words(newer) == "more m3 fillable")
        #expect(scripted.requests.withLock { $0.count } == 2)
    }

    @Test func `Pages without messages do not go on for ever, and another try goes on after them`() async throws {
        let account = try Account()
        let scripted = try ScriptedHelper { request in
            guard case .fill(_, let segment, .before, _, _) = request.content,
                let number = Int64(segment.dropFirst("messages-".count).prefix(18))
            else { return [] }
            try? account.add(number - 1, before: "gap")
            return [.response(request.number, .done(segment: nil))]
        }
        let helper = Helper(scripted)
        let store = try account.open(helper)
        _ = await helper.reached()
        let cursor = try await store.page(Self.request(.latest)).messages[0].cursor
        for count in [50, 100] {
            let failure = await Self.failure { () async throws(StoreError) in
                try await store.page(Self.request(.before(cursor)))
            }
            #expect(failure == .unavailable("the server sent 50 pages without a message"))
            #expect(scripted.requests.withLock { $0.count } == count)
        }
    }

    @Test func `A fill that fails is a page that did not load, and one that brings nothing is, too`() async throws {
        let account = try Account()
        let scripted = try ScriptedHelper { request in
            guard case .fill(_, _, _, let limit, _) = request.content else { return [] }
            return [
                .response(
                    request.number, limit > 50 ? .done(segment: nil) : .failed(reason: "the server is tired", retry: 7))
            ]
        }
        let helper = Helper(scripted)
        let store = try account.open(helper)
        _ = await helper.reached()
        let cursor = try await store.page(Self.request(.latest)).messages[0].cursor
        let tired = await Self.failure { () async throws(StoreError) in
            try await store.page(Self.request(.before(cursor)))
        }
        #expect(tired == .unavailable("the server is tired"))
        let empty = await Self.failure { () async throws(StoreError) in
            try await store.page(PageRequest(conversation: Self.room, position: .before(cursor), limit: 60))
        }
        #expect(empty == .unavailable("the server has sent nothing"))
    }

    @Test func `Without the network a gap stays a gap, and the helper is not asked`() async throws {
        let account = try Account()
        let scripted = try ScriptedHelper(
            greeting: #"{"n":1,"version":\#(RelayRequest.version)}"# + "\n"
                + #"{"state":"offline","reason":"no route"}"# + "\n")
        let helper = Helper(scripted)
        let store = try account.open(helper)
        #expect(await helper.reached() == .offline(reason: "no route"))
        let page = try await store.page(Self.request(.latest))
        let older = try await store.page(Self.request(.before(page.messages[0].cursor)))
        #expect(Self.words(older) == "gap more" && scripted.requests.withLock { $0.isEmpty })
    }

    @Test(arguments: [true, false])
    func `A message that is not here is fetched with those around it`(isFirst: Bool) async throws {
        let account = try Account()
        let scripted = try ScriptedHelper { request in
            guard case .around(Self.room, MessageID("m2"), _) = request.content else { return [] }
            try? account.add(Self.middle - 1_000, before: "gap", "m1", "m2")
            return [.response(request.number, .done(segment: "messages-499999999999999000.jsonl"))]
        }
        let helper = Helper(scripted)
        let store = try account.open(helper)
        // A link on the command line is asked for before there is a connection.
        if !isFirst { _ = await helper.reached() }
        let words = try await Self.words(store.page(Self.request(.message(MessageID("m2")))))
        #expect(words.contains("m1 m2") && (isFirst || words == "fillable m1 m2 fillable"))
    }

    @Test(arguments: [7, nil]) func `A message that cannot be fetched now is not unknown`(retry: Int?) async throws {
        let account = try Account()
        let scripted = try ScriptedHelper { [.response($0.number, .failed(reason: "no route", retry: retry))] }
        let store = try account.open(Helper(scripted))
        let failure = await Self.failure { () async throws(StoreError) in
            try await store.page(Self.request(.message(MessageID("m2"))))
        }
        #expect(failure == (retry == nil ? .noSuchMessage(MessageID("m2"), in: Self.room) : .unavailable("no route")))
    }

    @Test func `A post is sent with its own ID, and the reason of a failure says whether to try again`() async throws {
        let account = try Account()
        let scripted = try ScriptedHelper { request in
            guard case .send(_, let post, _) = request.content else { return [] }
            return switch post.id.rawValue {
            case "ok": [.response(request.number, .done(segment: nil))]
            case "later": [.response(request.number, .failed(reason: "slow down", retry: 100))]
            case "never": [.response(request.number, .failed(reason: "the room is encrypted", retry: nil))]
            default: []
            }
        }
        let store = try account.open(Helper(scripted))
        func send(_ id: String) async -> StoreError? {
            await Self.failure { () async throws(StoreError) in
                try await store.send(
                    Post(
                        id: MessageID(id), at: Timestamp(milliseconds: 7), sender: PersonID("@me:e.org"),
                        content: .message(text: "hello", replyTo: nil, thread: nil)), to: Self.room, isRetry: false)
            }
        }
        #expect(await send("ok") == nil)
        #expect(await send("later") == .unavailable("slow down"))
        #expect(await send("never") == .notSent("the room is encrypted"))
        #expect(await send("gone") == .unavailable("offline: kedge-matrix has ended"))
        // The next one connects again.
        #expect(await send("ok") == nil)
        #expect(await store.obstacle(in: Self.room) == nil)
    }

    @Test func `A helper of another version is not used, and nothing is sent`() async throws {
        let account = try Account()
        let scripted = try ScriptedHelper(greeting: #"{"n":1,"version":\#(RelayRequest.version + 1)}"# + "\n")
        let helper = Helper(scripted)
        let store = try account.open(helper)
        let reason = "kedge-matrix and kedge have different versions: restart both"
        #expect(await helper.reached() == .offline(reason: reason))
        #expect(await store.obstacle(in: Self.room) == reason)
        #expect(await helper.ask { .read(Self.room, MessageID("m5"), .private, $0) } == nil)
        #expect(scripted.requests.withLock { $0.isEmpty })
    }

    @Test func `Nothing can be written into a room that the user has left`() async throws {
        let account = try Account()
        let helper = Helper(try ScriptedHelper())
        let store = try account.open(helper)
        #expect(await store.obstacle(in: Self.room) == nil)
        try account.write("conversations/harbour/conversation.json", #"{"id":"harbour","left":true}"#)
        #expect(await store.obstacle(in: Self.room) == "you are not in this room any more")
    }

    @Test func `If nobody listens the helper is started, and if that fails the reason is told`() async throws {
        let account = try Account()
        let late = Mutex<ScriptedHelper?>(nil)
        let path = Mutex("")
        let scripted = try ScriptedHelper()
        path.withLock { $0 = scripted.path + "-late" }
        let starts = Mutex(0)
        let helper = Helper(path: scripted.path + "-late") { [path = scripted.path] in
            starts.withLock { $0 += 1 }
            var ends: [CInt] = [0, 0]
            guard pipe(&ends) == 0, symlink(path, path + "-late") == 0 else { return .failure(.init("no pipe")) }
            _ = write(ends[1], "x\n", 2)
            close(ends[1])
            return .success(ends[0])
        }
        #expect(await helper.reached() == .online)
        #expect(starts.withLock { $0 } == 1)
        unlink(scripted.path + "-late")
        late.withLock { $0 = nil }
        let missing = Helper(path: "/tmp/kedge-served-none") { .failure(.init("there is no kedge-matrix")) }
        #expect(await missing.reached() == .offline(reason: "there is no kedge-matrix"))
        let store = try account.open(missing)
        #expect(try await Self.words(store.page(Self.request(.latest))) == "gap m5 m6 end")
    }

    @Test func `News of the helper come with the changes of a conversation`() async throws {
        let account = try Account()
        let scripted = try ScriptedHelper()
        let helper = Helper(scripted)
        let store = try account.open(helper)
        var changes = store.changes(in: Self.room, since: nil).makeAsyncIterator()
        helper.connect()
        #expect(await changes.next() == [.reach(.online), .filled])
        scripted.say("no JSON\n{}\n" + #"{"typing":{"conversation":"elsewhere","people":["@ben:e.org"]}}"# + "\n")
        scripted.say(#"{"typing":{"conversation":"harbour","people":["@ana:e.org"]}}"# + "\n")
        let ana = Person(id: PersonID("@ana:e.org"), name: "@ana:e.org")
        #expect(await changes.next() == [.typing([ana])])
    }

    @Test func `Readers come with names and places, and only what is new is told`() async throws {
        let account = try Account()
        try account.write("people.json", #"[{"id":"@ana:e.org","name":"Ana"}]"#)
        try account.write(
            "conversations/harbour/conversation.json", #"{"id":"harbour","title":"h","members":["@ana:e.org"]}"#)
        func news(_ message: String, _ thread: String? = nil) -> String {
            let receipt = Receipt(
                person: PersonID("@ana:e.org"), message: MessageID(message), scope: Reader.Scope(thread: thread),
                at: Timestamp(milliseconds: 0))
            return String(decoding: RelayNews.receipts(Self.room, [receipt]).line, as: UTF8.self)
        }
        let scripted = try ScriptedHelper()
        let helper = Helper(scripted)
        let store = try account.open(helper)
        let changes = store.changes(in: Self.room, since: nil)
        var iterator = changes.makeAsyncIterator()
        helper.connect()
        #expect(await iterator.next() == [.reach(.online), .filled])
        scripted.say(news("m5", "main"))
        let ana = Person(id: PersonID("@ana:e.org"), name: "Ana")
        guard case .readers(let readers)? = await iterator.next()?.first, let reader = readers.first else {
            Issue.record("no readers came")
            return
        }
        #expect(reader.person == ana && reader.message == MessageID("m5") && reader.scope == .mainTimeline)
        #expect(scripted.requests.withLock { $0.contains(.follow(Self.room, isOn: true)) })
        scripted.say(news("m5", "main"))
        scripted.say(news("m6", "$root"))
        guard case .readers(let second)? = await iterator.next()?.first else { return }
        #expect(second.first?.message == MessageID("m6") && second.first?.scope == .thread(MessageID("$root")))
    }

    // MARK: - Files

    private static let photo = MessageFile(
        Attachment(name: "photo.png", path: "files/e.org/AbC.png", size: 5), of: MessageID("m5"), in: room)

    @Test func `A file that is not here is asked for, and one that is here is not`() async throws {
        let account = try Account()
        let scripted = try ScriptedHelper { request in
            try? account.write("files/e.org/AbC.png", "photo")
            return [
                .progress(request.number, received: 2),
                .response(request.number, .fetched(file: "files/e.org/AbC.png")),
            ]
        }
        let store = try account.open(Helper(scripted))
        let received = Mutex<[Int64]>([])
        for _ in 0..<2 {
            let path = try await store.location(of: Self.photo) { bytes in received.withLock { $0.append(bytes) } }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "photo")
        }
        #expect(received.withLock { $0 } == [0, 2])
        #expect(scripted.requests.withLock { $0 } == [.media(Self.room, MessageID("m5"))])
    }

    @Test func `A file that cannot be fetched says why`() async throws {
        let account = try Account()
        let scripted = try ScriptedHelper {
            [.response($0.number, .failed(reason: "photo.png: is encrypted", retry: nil))]
        }
        let refused = try account.open(Helper(scripted))
        await #expect(throws: StoreError.unreadable("photo.png: is encrypted")) {
            try await refused.location(of: Self.photo) { _ in }
        }
        let none = Helper(path: "/tmp/kedge-served-none") { .failure(.init("there is no kedge-matrix")) }
        let offline = try account.open(none)
        await #expect(
            throws: StoreError.unreadable("photo.png is not here yet, and offline: there is no kedge-matrix")
        ) { try await offline.location(of: Self.photo) { _ in } }
    }

    // MARK: - Marks of reading

    @Test func `What was read in another client is told: first what is known, and then the news`() async throws {
        let account = try Account()
        try account.write("conversations/harbour/conversation.json", #"{"id":"harbour","readUpTo":"m5"}"#)
        let scripted = try ScriptedHelper()
        let helper = Helper(scripted)
        var reads = try account.open(helper).serverReads().makeAsyncIterator()
        #expect(await reads.next().map { "\($0.conversation) \($0.message)" } == "harbour m5")
        #expect(await helper.reached() == .online)
        scripted.say(#"{"read":{"conversation":"harbour","event":"m6"}}"# + "\n")
        #expect(await reads.next().map { "\($0.conversation) \($0.message)" } == "harbour m6")
    }

    @Test(arguments: ReadReceipt.allCases) func `The settings say who is told`(receipt: ReadReceipt) async throws {
        let account = try Account()
        let scripted = try ScriptedHelper { [.response($0.number, .done(segment: nil))] }
        let helper = Helper(scripted)
        let archive = try account.open(helper).archive
        let store = ServedStore(archive, helper: helper, receipts: receipt)
        #expect(await helper.reached() == .online)
        await store.noteRead(MessageID("m6"), in: Self.room)
        // The response to a later request comes after the request above was taken.
        _ = await helper.ask { .typing(Self.room, isOn: false, $0) }
        #expect(scripted.requests.withLock { $0.first } == .read(Self.room, MessageID("m6"), receipt))
    }

    @Test func `a helper that floods does not keep a response back, nor grow what is told`() async throws {
        let people = (0..<5_000).map { PersonID("@person\($0):e.org") }
        let flooding = try ScriptedHelper { request in
            var news: [RelayNews] = []
            for _ in 0..<200 { news.append(.typing(ConversationID("c"), people: people)) }
            for number in 0..<20_000 {
                news.append(.typing(ConversationID("c\(number)"), people: [people[number % people.count]]))
            }
            news.append(.response(request.number, .done(segment: nil)))
            return news
        }
        let helper = Helper(flooding)
        #expect(await helper.reached() == .online)
        let counts = Mutex((told: 0, most: 0))
        let stop = helper.watch { news in
            guard case .typing(_, let people) = news else { return }
            counts.withLock { $0 = ($0.told + 1, max($0.most, people.count)) }
        }
        defer { stop() }
        #expect(await helper.ask { .history($0) } == .success(RelayDone()))
        #expect(counts.withLock { 0 < $0.most && $0.most <= RelayNews.mostTyping })
    }
}
