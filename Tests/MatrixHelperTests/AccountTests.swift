import Foundation
import Helper
import Matrix
import Settings
import Testing

@testable import MatrixHelper

struct AccountTests {
    private let scratch: Scratch
    private let store: AccountStore

    init() throws {
        scratch = try Scratch()
        store = try #require(
            AccountStore(
                Folders(environment: [
                    "XDG_STATE_HOME": scratch.path + "/state", "XDG_DATA_HOME": scratch.path + "/data",
                ])))
    }

    private func account(_ user: String) throws -> Account {
        let login = #"{"user_id":"\#(user)","access_token":"to\"ken","device_id":"D"}"#
        let session = try #require(Array(login.utf8).withUnsafeBytes { Session(login: $0) })
        return Account(session, homeserver: "https://e.org", archive: store.archive(of: user))
    }

    @Test func `accounts are kept as they are, each in a file that nobody else can read`() throws {
        let accounts = try ["@a/n%a:e.org", "@ben:e.org"].map(account)
        for account in accounts { try store.keep(account) }
        #expect(try store.all().accounts == accounts)
        #expect(scratch.names("state/kedge/matrix") == ["@a%2Fn%25a:e.org.json", "@ben:e.org.json"])
        for name in scratch.names("state/kedge/matrix") {
            let path = scratch.path + "/state/kedge/matrix/" + name
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test(arguments: [
        ("@ana:e.org", "https://e.org", nil, false, true), ("e.org", "https://e.org", nil, false, true),
        ("E.org", "https://e.org", "https://e.org", false, true),
        // Of another server, and another person than the one who was named.
        ("other.org", "https://other.org", nil, false, false), ("@ben:e.org", "https://e.org", nil, true, false),
        // Known with another homeserver, which only the user can change.
        ("e.org", "https://e.org", "https://old.org", false, false),
        ("e.org", "https://e.org", "https://old.org", true, false),
        ("@ana:e.org", "https://e.org", "https://old.org", false, false),
        ("@ana:e.org", "https://e.org", "https://old.org", true, true),
        ("other.org", "https://other.org", "https://e.org", true, false),
    ])
    func `a server takes no account that is not its own, and none of another server`(
        wanted: String, base: String, former: String?, isServerGiven: Bool, isTaken: Bool
    ) throws {
        let session = try #require(
            Array(#"{"user_id":"@ana:e.org"}"#.utf8).withUnsafeBytes { Session(token: "t", whoAmI: $0) })
        let account = Account(session, homeserver: base, archive: "/a")
        let objection = Account.objection(
            to: account, wanted: wanted,
            former: former.map { Account(session, homeserver: $0, archive: "/a") }, isServerGiven: isServerGiven)
        #expect((objection == nil) == isTaken, "\(objection ?? "")")
    }

    @Test func `an ID of any length is kept`() throws {
        let names = ["/", "é"].map { "@" + String(repeating: $0, count: 120) + ":e.org" }
        let accounts = try names.map(account)
        for account in accounts { try store.keep(account) }
        #expect(try Set(store.all().accounts) == Set(accounts))
        #expect(scratch.names("state/kedge/matrix").allSatisfy { $0.utf8.count <= 205 })
        #expect(Set(names.map { store.archive(of: $0) }).count == 2)
    }

    @Test func `an account that is forgotten is gone, and the others stay`() throws {
        let accounts = try ["@ana:e.org", "@ben:e.org"].map(account)
        for account in accounts { try store.keep(account) }
        try store.forget("@ana:e.org")
        try store.forget("@ana:e.org")
        #expect(try store.all().accounts.map(\.user) == ["@ben:e.org"])
    }

    @Test(arguments: ["", "{}", #"{"user":"@ana:e.org","homeserver":"https://e.org","token":"a\nb","archive":"/x"}"#])
    func `a damaged file is named, and hides no other account`(file: String) throws {
        try store.keep(account("@ben:e.org"))
        try scratch.write(file, to: "state/kedge/matrix/@ana:e.org.json")
        let (accounts, broken) = try store.all()
        #expect(accounts.map(\.user) == ["@ben:e.org"] && broken.count == 1)
    }

    @Test(arguments: [
        ("GET /s?loginToken=abc HTTP/1.1", "abc"), ("GET /s?x=1&loginToken=a%2Bb%20c HTTP/1.1", "a+b c"),
        ("GET /other?loginToken=abc HTTP/1.1", nil), ("POST /s?loginToken=abc HTTP/1.1", nil),
        ("GET /s?loginToken= HTTP/1.1", nil), ("GET /s?loginToken=%zz HTTP/1.1", nil), ("GET /s HTTP/1.1", nil),
        ("", nil),
    ])
    func `only the page of the login brings a token`(line: String, token: String?) {
        #expect(LoginDoor.token(in: line, secret: "s") == token)
    }

    @Test func `a browser that brings a token opens the door`() throws {
        let door = try LoginDoor()
        let client = try HTTPClient()
        let base = door.address
        let request = HTTPRequest(.wellKnown, at: base + "?loginToken=abc&x=", token: nil)
        client.start(HTTPRequest(.wellKnown, at: base, token: nil)) { _ in client.start(request) { _ in } }
        #expect(try door.token() == "abc")
        client.stop()
    }

    @Test func `a server that was named is kept, whatever it says`() throws {
        let login =
            #"{"user_id":"@ana:e.org","access_token":"t","well_known":{"m.homeserver":{"base_url":"https://other.org"}}}"#
        let session = try #require(Array(login.utf8).withUnsafeBytes { Session(login: $0) })
        func server(isTyped: Bool) -> String {
            Account(session, homeserver: "http://127.0.0.1:8008", isTyped: isTyped, archive: "/a").homeserver
        }
        #expect(server(isTyped: true) == "http://127.0.0.1:8008" && server(isTyped: false) == "https://other.org")
    }
}
