import Glibc
import Messages
import Relay
import TestSupport
import Testing

struct RelayTests {
    private static let harbour = ConversationID("harbour")

    private static func post(
        _ content: Post.Content, isAction: Bool = false, seen: String? = nil
    ) -> RelayRequest.Content {
        .send(
            harbour,
            Post(
                id: MessageID("01J"), at: Timestamp(milliseconds: 1_764_000_000_123), sender: PersonID("@me:e.org"),
                content: content, isAction: isAction, seen: seen))
    }

    static let requests: [RelayRequest.Content] = [
        .hello(version: 1), .fill(harbour, segment: "messages-500000000000000000.jsonl", side: .after, limit: 50),
        .around(harbour, MessageID("$a\"\n\u{1B}")), .read(harbour, MessageID("$a"), .private),
        .read(harbour, MessageID("$a"), .public),
        .read(harbour, MessageID("$a"), .none), .typing(harbour, isOn: true),
        .typing(harbour, isOn: false), .follow(harbour, isOn: true), .follow(harbour, isOn: false), .renewed(),
        .media(harbour, MessageID("$a")),
        .search(RelaySearch("two \"words\"", limit: 20)), .search(RelaySearch("w", in: harbour, limit: 1, next: "n\n")),
        .join(address: "#harbour:e.org"), .join(address: "https://matrix.to/#/!a?via=\"\n"), .decline(room: "!a\""),
        .leave(harbour), .members(harbour), .history(),
        post(.message(text: "two\nlines \u{0} \u{2028}", replyTo: nil, thread: nil)),
        post(.message(text: "", replyTo: MessageID("$a"), thread: MessageID("$b"))),
        post(.message(text: "waves", replyTo: nil, thread: nil), isAction: true),
        post(.edit(MessageID("$a"), text: "new")), post(.edit(MessageID("$a"), text: "jumps"), isAction: true),
        post(.deletion(MessageID("$a"))),
        post(.reaction(MessageID("$a"), emoji: "👍", isRemoved: false)),
        post(.reaction(MessageID("$a"), emoji: "👍", isRemoved: true)),
    ]

    static let news: [RelayNews] = [
        .response(1, .version(1)), .response(2, .done(segment: nil)), .response(2, .done(segment: "messages-1.jsonl")),
        .progress(3, received: 65_536), .read(harbour, MessageID("$a\n")),
        .response(4, .fetched(file: "files/e.org/a.png")),
        .response(5, .found([], next: nil)), .response(6, .joined(harbour)), .rooms,
        .response(7, .members([])),
        .response(
            7, .members([Person(id: PersonID("@a:e.org"), name: "\"\u{1B}"), Person(id: PersonID("b"), name: "")])),
        .response(
            5,
            .found(
                [
                    RelayHit(
                        conversation: harbour, message: MessageID("$a"), at: Timestamp(milliseconds: -1),
                        sender: PersonID("@ana:e.org"), text: "\"\n\u{1B}")
                ], next: "n")),
        .response(3, .failed(reason: "no \"route\"\n", retry: 1_500)), .response(3, .failed(reason: "", retry: nil)),
        .reach(.online), .reach(.offline(reason: "no network")),
        .receipts(harbour, []),
        .receipts(
            harbour,
            ["main", "$root\n", nil].map { thread in
                Receipt(
                    person: PersonID("@ana:e.org"), message: MessageID("$a\u{1B}"),
                    scope: Reader.Scope(thread: thread), at: Timestamp(milliseconds: -1))
            }),
        .typing(harbour, people: []), .typing(harbour, people: [PersonID("@ana:e.org"), PersonID("@ben:e.org")]),
    ]

    @Test(arguments: requests) func `a request is a line, and is read from it`(content: RelayRequest.Content) {
        let request = RelayRequest(7, content)
        #expect(request.line.firstIndex(of: 0x0A) == request.line.count - 1)
        #expect(request.line.withUnsafeBytes { RelayRequest(line: $0) } == request)
    }

    @Test(arguments: news) func `news is a line, and is read from it`(news: RelayNews) {
        #expect(news.line.firstIndex(of: 0x0A) == news.line.count - 1)
        #expect(news.line.withUnsafeBytes { RelayNews(line: $0) } == news)
    }

    /// Older helpers read the same bytes.
    @Test(arguments: [
        (
            post(.message(text: "hello", replyTo: MessageID("$a"), thread: MessageID("$b")), isAction: true),
            #"{"type":"message","id":"01J","at":1764000000123,"from":"@me:e.org","text":"hello","replyTo":"$a","thread":"$b","kind":"action"}"#
        ),
        (
            post(.edit(MessageID("$a"), text: "new"), seen: "old"),
            #"{"type":"edit","id":"01J","at":1764000000123,"from":"@me:e.org","target":"$a","text":"new","seen":"old"}"#
        ),
        (
            post(.deletion(MessageID("$a"))),
            #"{"type":"delete","id":"01J","at":1764000000123,"from":"@me:e.org","target":"$a"}"#
        ),
        (
            post(.reaction(MessageID("$a"), emoji: "👍", isRemoved: false)),
            #"{"type":"reaction","id":"01J","at":1764000000123,"from":"@me:e.org","target":"$a","emoji":"👍"}"#
        ),
        (
            post(.reaction(MessageID("$a"), emoji: "👍", isRemoved: true)),
            #"{"type":"reaction","id":"01J","at":1764000000123,"from":"@me:e.org","target":"$a","emoji":"👍","removed":true}"#
        ),
    ])
    func `the bytes of a post stay as they are`(content: RelayRequest.Content, post: String) {
        let line = String(decoding: RelayRequest(7, content).line, as: UTF8.self)
        #expect(line == #"{"n":7,"send":{"conversation":"harbour","post":\#(post)}}"# + "\n")
    }

    @Test func `a response has a value of the type that its request names, or none`() {
        let people = [Person(id: PersonID("@a:e.org"), name: "Ana")]
        #expect(RelayResponse.members(people).result() == .success(people))
        #expect(RelayResponse.joined(Self.harbour).result() == .success(Optional(Self.harbour)))
        #expect(RelayResponse.done(segment: nil).result() == .success(ConversationID?.none))
        #expect(RelayResponse.done(segment: nil).result() == Result<[Person], RelayError>?.none)
        #expect(
            RelayResponse.failed(reason: "later", retry: 7).result()
                == Result<RelayDone, RelayError>.failure(RelayError("later", retry: 7)))
    }

    @Test(arguments: [
        "", "{}", "[]", "7", "{\"n\":1}", "{\"n\":-1,\"hello\":1}", "{\"n\":\"1\",\"hello\":1}", "{\"n\":1,\"hello\":1",
        "{\"hello\":1}", "{\"n\":1,\"fill\":{\"conversation\":\"a\",\"segment\":\"s\",\"limit\":0}}",
        "{\"n\":1,\"fill\":{\"conversation\":\"../a\",\"segment\":\"s\",\"limit\":1}}",
        "{\"n\":1,\"fill\":{\"conversation\":\"..\",\"segment\":\"s\",\"limit\":1}}", "{\"n\":1,\"fill\":7}",
        "{\"n\":1,\"read\":{\"conversation\":\"a\\u0000\",\"event\":\"$a\"}}",
        "{\"n\":1,\"read\":{\"conversation\":\"a\",\"event\":\"\"}}", "{\"n\":1,\"send\":{\"conversation\":\"a\"}}",
        "{\"n\":1,\"send\":{\"conversation\":\"a\",\"post\":{\"type\":\"message\",\"id\":\"\",\"at\":1,\"from\":\"b\",\"text\":\"\"}}}",
        "{\"n\":1,\"send\":{\"conversation\":\"a\",\"post\":{\"type\":\"segment\",\"id\":\"1\",\"at\":1,\"from\":\"b\"}}}",
        "{\"n\":99999999999999999999,\"hello\":1}", "{\"n\":1,\"media\":{\"conversation\":\"a\"}}",
        "{\"n\":1,\"follow\":{\"on\":true}}", "{\"n\":1,\"search\":{\"words\":\"\",\"limit\":1}}",
        "{\"n\":1,\"search\":{\"words\":\"a\",\"limit\":0}}",
        "{\"n\":1,\"join\":{}}", "{\"n\":1,\"join\":{\"address\":\"\"}}", "{\"n\":1,\"decline\":{\"room\":7}}",
        "{\"n\":1,\"leave\":{\"conversation\":\"../a\"}}",
        "{\"n\":1,\"search\":{\"words\":\"a\",\"conversation\":\"../a\",\"limit\":1}}",
    ])
    func `other lines are no requests`(line: String) {
        #expect(Array(line.utf8).withUnsafeBytes { RelayRequest(line: $0) } == nil)
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "{\"n\":1}", "{\"n\":1,\"ok\":7}", "{\"n\":1,\"error\":7}", "{\"state\":\"gone\"}",
        "{\"typing\":{}}", "{\"receipts\":{}}", "{\"receipts\":7}", "{\"weather\":\"fine\"}",
    ])
    func `other lines are no news`(line: String) {
        #expect(Array(line.utf8).withUnsafeBytes { RelayNews(line: $0) } == nil)
    }

    @Test func `a damaged line that is read is written as it was read`() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        for line in RelayTests.requests.map({ RelayRequest(7, $0).line }) + RelayTests.news.map(\.line) {
            for _ in 0..<500 {
                var bytes = line
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                bytes.withUnsafeBytes { bytes in
                    if let line = RelayRequest(line: bytes)?.line {
                        #expect(line.withUnsafeBytes { RelayRequest(line: $0)?.line } == line, "seed \(seed)")
                    }
                    if let line = RelayNews(line: bytes)?.line {
                        #expect(line.withUnsafeBytes { RelayNews(line: $0)?.line } == line, "seed \(seed)")
                    }
                }
            }
        }
    }

    // MARK: - Lines

    private func lines(_ text: String, cutBy size: Int) throws -> [String] {
        var (lines, found) = (RelayLines(), [String]())
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try rest.prefix(size).withUnsafeBytes { bytes in
                try lines.take(bytes) { found.append(String(decoding: $0, as: UTF8.self)) }
            }
            rest = rest.dropFirst(size)
        }
        return found
    }

    @Test(arguments: 1...12) func `lines are found wherever the bytes are cut`(size: Int) throws {
        #expect(try lines("one\n\ntwo\nthree\nfo", cutBy: size) == ["one", "two", "three"])
    }

    @Test func `of very many people who are typing a few are taken, and none with an endless ID`() {
        let people = [String(repeating: "x", count: 100_000)] + (0..<40_000).map { "@p\($0):e.org" }
        let line = RelayNews.typing(ConversationID("c"), people: people.map { PersonID($0) }).line
        let news = line.withUnsafeBytes { RelayNews(line: $0) }
        #expect(news == .typing(ConversationID("c"), people: people.dropFirst().prefix(32).map { PersonID($0) }))
    }

    @Test func `a line that is too long is refused before its end`() throws {
        let longest = String(repeating: "x", count: RelayLines.longest)
        #expect(try lines(longest + "\n", cutBy: 4_096) == [longest])
        #expect(throws: RelayError.self) { _ = try lines(longest + "x", cutBy: 4_096) }
    }

    // MARK: - Places

    @Test func `each archive has a socket of its own, with a short path`() {
        let one = RelaySocket.place(runtime: "/run/user/1000/kedge", archive: "/home/ana/a")
        #expect(one.folder == "/run/user/1000/kedge/matrix" && one.path == one.folder + "/" + "8fbd1afed3a12fc0")
        let other = RelaySocket.place(
            runtime: "/run/user/1000/kedge", archive: "/home/ana/" + String(repeating: "x", count: 900))
        #expect(one.path != other.path && other.path.utf8.count == one.path.utf8.count)
    }

    @Test func `a socket counts only in a private folder, and with a process of this user behind it`() {
        let folder = "/tmp/kedge-relay-\(UInt64.random(in: 0 ... .max))"
        #expect(mkdir(folder, 0o700) == 0)
        defer { rmdir(folder) }
        #expect(RelaySocket.isPrivate(folderOf: folder + "/socket"))
        for mode: mode_t in [0o755, 0o770, 0o701, 0o722] {
            chmod(folder, mode)
            #expect(!RelaySocket.isPrivate(folderOf: folder + "/socket"))
        }
        #expect(!RelaySocket.isPrivate(folderOf: "/tmp/socket"))
        #expect(!RelaySocket.isPrivate(folderOf: folder + "/none/socket"))
        var ends: [CInt] = [-1, -1]
        #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        #expect(RelaySocket.isOwn(ends[0]))
        for end in ends { close(end) }
        #expect(!RelaySocket.isOwn(ends[0]))
    }
}
