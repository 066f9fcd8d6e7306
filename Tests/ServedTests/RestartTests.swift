import Glibc
import Messages
import Relay
import Served
import Synchronization
import Testing

/// A helper that ends while somebody looks at its archive is started again.
struct RestartTests {
    @Test func `The first start comes at once, the others after pauses that grow, without an end`() {
        var restarts = Restarts()
        let pauses = (0..<12).map { _ in restarts.pause(after: nil) }
        #expect(pauses == [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { Duration.seconds($0) })
        for _ in 0..<100 { #expect(restarts.pause(after: .seconds(59)) == .seconds(300)) }
        #expect(restarts.isTroubled && restarts.pause(after: .seconds(60)) == .zero && !restarts.isTroubled)
        #expect(restarts.pause(after: .seconds(1)) == .seconds(1))
    }

    private static func reaches(of helper: Helper) -> (AsyncStream<StoreReach>, stop: @Sendable () -> Void) {
        let (reaches, continuation) = AsyncStream.makeStream(of: StoreReach.self)
        let stop = helper.watch { news in if case .reach(let reach) = news { continuation.yield(reach) } }
        return (reaches, stop)
    }

    @Test func `A helper that is killed is started again, and the screen never says offline`() async throws {
        let scripted = try ScriptedHelper()
        let helper = Helper(path: scripted.path) { .failure(.init("it was started again")) }
        let (reaches, stop) = Self.reaches(of: helper)
        defer { stop() }
        var news = reaches.makeAsyncIterator()
        helper.connect()
        #expect(await news.next() == .online)
        scripted.hangUp()
        #expect(await news.next() == .online)
    }

    @Test func `A helper that ends again and again is told, and started once more`() async throws {
        let starts = Mutex(0)
        let helper = Helper(path: "/tmp/kedge-served-none", restarts: Restarts(unit: .nanoseconds(1))) {
            starts.withLock { $0 += 1 }
            // It ends without a word.
            var ends: [CInt] = [0, 0]
            guard pipe(&ends) == 0 else { return .failure(.init("no pipe")) }
            close(ends[1])
            return .success(ends[0])
        }
        let (reaches, stop) = Self.reaches(of: helper)
        defer { stop() }
        var news = reaches.makeAsyncIterator()
        helper.connect()
        let reason = "kedge-matrix ends again and again; `kedge-matrix serve` says why"
        while let reach = await news.next(), reach != .offline(reason: reason) {}
        let told = starts.withLock { $0 }
        #expect(told >= 8)
        // It ends when nobody watches any more.
        while starts.withLock({ $0 }) < told + 20 { await Task.yield() }
    }

    @Test func `What the helper has said last is the reason why it is given up`() async throws {
        let scripted = try ScriptedHelper(
            greeting: #"{"n":1,"version":\#(RelayRequest.version)}"# + "\n"
                + #"{"state":"offline","reason":"the disk is full"}"# + "\n"
        ) { _ in [] }
        let helper = Helper(scripted)
        let (reaches, stop) = Self.reaches(of: helper)
        defer { stop() }
        var news = reaches.makeAsyncIterator()
        for _ in 0..<9 { #expect(await helper.ask { .typing(ConversationID("harbour"), isOn: true, $0) } == nil) }
        #expect(await news.next() == .offline(reason: "the disk is full"))
        #expect(helper.reach == .offline(reason: "the disk is full"))
    }

    @Test func `A helper at which nobody looks is left alone`() async throws {
        let scripted = try ScriptedHelper()
        let helper = Helper(scripted)
        #expect(await helper.reached() == .online)
        #expect(await helper.ask { .typing(ConversationID("harbour"), isOn: true, $0) } == nil)
        #expect(helper.reach == .offline(reason: "kedge-matrix has ended"))
    }

    /// 40,000 lines at once, some 2 MB.
    @Test func `Of what a helper says very fast only the last is told`() async throws {
        let (id, count) = (ConversationID("harbour"), 40_000)
        let lines = (1...count).map { RelayNews.typing(id, people: [PersonID("p\($0)")]).line }
        let flood = String(decoding: lines.joined(), as: UTF8.self)
        let scripted = try ScriptedHelper { request in [.response(request.number, .done(segment: nil))] }
        let helper = Helper(scripted)
        let (told, continuation) = AsyncStream.makeStream(of: [PersonID].self)
        let stop = helper.watch { news in if case .typing(id, let people) = news { continuation.yield(people) } }
        defer { stop() }
        #expect(await helper.reached() == .online)
        scripted.say(flood)
        var number = 0
        for await people in told {
            number += 1
            if people == [PersonID("p\(count)")] { break }
        }
        #expect(number < count / 20, "\(number) of \(count)")
        #expect(await helper.ask { .typing(id, isOn: true, $0) } == .success(RelayDone()))
    }
}
