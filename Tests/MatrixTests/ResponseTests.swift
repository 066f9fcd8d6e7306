import ArchiveFormat
import TestSupport
import Testing

@testable import Matrix

struct ResponseTests {
    @Test(arguments: [
        ("e.org", "https://e.org"), ("https://e.org/", "https://e.org"),
        ("http://127.0.0.1:8008", "http://127.0.0.1:8008"),
        ("https://e.org/matrix//", "https://e.org/matrix"), ("ftp://e.org", nil), ("https://", nil),
        ("https://ana@e.org", nil), ("https://e.org?x", nil), ("https://e.org/ x", nil), ("https://e.org\\@x", nil),
    ])
    func `an address of a server is of the web, and names a host`(text: String, base: String?) {
        #expect(Homeserver.typed(text) == base)
    }

    @Test(arguments: [
        ("https://e.org", false), ("http://e.org", true), ("http://localhost:8008", false), ("http://127.0.0.1", false),
        ("http://[::1]:80", false), ("http://localhost.e.org", true), ("HTTP://E.org", true),
    ])
    func `an address without encryption is open, unless it is this machine`(base: String, isOpen: Bool) {
        #expect(Homeserver.isOpen(base) == isOpen)
    }

    @Test(arguments: [
        ("example.org", true), ("example.org:8448", true),
        ("localhost", true), ("10.0.0.1:8008", true),
        ("[::1]", true),
        ("http://box", true), ("box:8008", true), ("ana", false), ("ana:example.org", false), ("", false),
        ("a b.org", false),
    ])
    func `a word names a server when it is no name of a person`(word: String, isName: Bool) {
        #expect(Homeserver.isName(word) == isName)
    }

    @Test func `a domain names its homeserver, or none`() {
        func discovery(_ body: String, _ status: Int = 200) -> Homeserver.Discovery {
            body.asBody { Homeserver.discovery(status: status, body: $0) }
        }
        #expect(discovery(#"{"m.homeserver":{"base_url":"https://m.e.org/"}}"#) == .base("https://m.e.org"))
        #expect(discovery(#"{"m.homeserver":{"base_url":"x"}}"#) == .invalid)
        #expect(discovery(#"{"m.homeserver":{"base_url":7}}"#) == .invalid)
        #expect(discovery(#"{"m.homeserver":{"base_url":"https://m.e.org"}}"#, 404) == .none)
        #expect(discovery("<html>") == .none)
    }

    @Test func `a login gives a session`() throws {
        let login =
            #"{"user_id":"@ana:e.org","access_token":"abc","device_id":"D","well_known":{"m.homeserver":{"base_url":"https://m.e.org/"}}}"#
        let session = try #require(login.asBody { Session(login: $0) })
        #expect(session.user == "@ana:e.org" && session.token == "abc" && session.device == "D")
        #expect(session.homeserver == "https://m.e.org")
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"user_id":"ana","access_token":"abc"}"#, #"{"user_id":"@ana:e.org","access_token":""}"#,
        #"{"user_id":"@ana:e.org","access_token":"a\r\nX: y"}"#, #"{"user_id":"@a\u0007:e.org","access_token":"abc"}"#,
        #"{"user_id":7,"access_token":"abc"}"#,
    ])
    func `a body that is no response to a login gives no session`(body: String) {
        #expect(body.asBody { Session(login: $0) } == nil)
    }

    @Test func `an invitation names its room and who invites`() throws {
        let events = [
            Events.state("1", "m.room.name", #""name":"Quay""#), Events.member("2", "@ben:e.org", name: "Ben"),
            Events.state("3", "m.room.member", #""membership":"invite""#, key: "@me:e.org"),
        ]
        let body =
            #"{"next_batch":"s","rooms":{"invite":{"!q":{"invite_state":{"events":[\#(events.joined(separator: ","))]}},"#
            + #""!b":7,"!c":{"invite_state":[]},"":{}}}}"#
        let invitations = try #require(body.asBody { InvitationEntry.all($0, me: "@me:e.org") })
        #expect(invitations.map(\.id) == ["!b", "!c", "!q"])
        #expect(
            invitations.map(\.title) == [nil, nil, "Quay"] && invitations.map(\.sender) == [nil, nil, "@ana:e.org"])
        #expect("{}".asBody { InvitationEntry.all($0, me: "@me:e.org") } == nil)
    }

    @Test func `an error tells when to try again`() {
        func error(_ status: Int, _ body: String, _ header: String? = nil) -> ServerError {
            body.asBody { ServerError(status: status, body: $0, header: header) }
        }
        #expect(error(429, #"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":1500}"#).retryAfter == 1_500)
        #expect(error(429, "{}", "3").retryAfter == 3_000)
        #expect(error(429, #"{"retry_after_ms":-1}"#, "-1").retryAfter == nil)
        #expect(error(401, #"{"errcode":"M_UNKNOWN_TOKEN","soft_logout":true}"#).isSoftLogout)
        #expect(error(401, "<html>").isOfToken && !error(403, #"{"errcode":"M_FORBIDDEN"}"#).isOfToken)
    }
}
