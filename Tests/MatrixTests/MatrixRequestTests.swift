import Formats
import Testing

@testable import Matrix

struct MatrixRequestTests {
    private func address(_ request: MatrixRequest) -> String { request.address(at: "https://e.org") }

    @Test func `IDs of rooms, events and tokens may hold any sign`() {
        #expect(
            address(.messages(room: "!a/b?#:e.org", .backward, from: "t1 &x", to: "s/2", limit: 10)).hasPrefix(
                "https://e.org/_matrix/client/v3/rooms/%21a%2Fb%3F%23%3Ae.org/messages?dir=b&from=t1%20%26x&to=s%2F2&limit=10&"
            ))
        #expect(address(.tokens(room: "..", event: "$é")).contains("/rooms/%2E%2E/context/%24%C3%A9?"))
    }

    @Test func `the first request for news names no token and does not wait`() {
        #expect(!address(.sync(since: nil, wait: 30_000)).contains("since="))
        #expect(address(.sync(since: nil, wait: 30_000)).hasSuffix("&timeout=0"))
        #expect(address(.sync(since: "s1", wait: 30_000)).hasSuffix("&since=s1&timeout=30000"))
    }

    @Test func `a room is joined by its address or its ID`() {
        #expect(
            address(.join(RoomAddress(room: "#a/b:e.org"))) == "https://e.org/_matrix/client/v3/join/%23a%2Fb%3Ae.org")
        #expect(
            address(.join(RoomAddress(room: "!a", via: ["b.org"])))
                == "https://e.org/_matrix/client/v3/join/%21a?via=b.org&server_name=b.org")
        #expect(address(.leave("!r")) == "https://e.org/_matrix/client/v3/rooms/%21r/leave")
    }

    @Test func `a gap without an end is asked for without one`() {
        #expect(!address(.messages(room: "!r", .backward, from: "t", to: nil, limit: 1)).contains("to="))
        #expect(address(.messages(room: "!r", .forward, from: "t", to: "u", limit: 1)).contains("?dir=f&from=t&to=u&"))
    }

    @Test func `a password may hold any sign`() {
        let request = MatrixRequest.login(user: "@ana:e.org", password: "a\"\\\n", device: "DEV\"1", name: "kedge")
        let body = request.body.map { String(decoding: $0, as: UTF8.self) }
        #expect(body?.contains(#""password":"a\"\\\n""#) == true)
        #expect(body?.contains(#""device_id":"DEV\"1""#) == true)
    }

    @Test func `only requests of a session carry its token`() {
        #expect(![MatrixRequest.wellKnown, .loginFlows].contains { $0.isAuthorized })
        #expect([MatrixRequest.whoAmI, .logout, .sync(since: nil, wait: 0)].allSatisfy { $0.isAuthorized })
    }
}
