import Foundation
import Testing

/// People on one machine who chat through an archive.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct ChatTests {
    private let archive: ScratchArchive

    init() throws {
        archive = try ScratchArchive()
        try archive.write("people.json", "[]")
    }

    /// A screen on which somebody looks at the conversation.
    /// - Parameter state: who has one of his own shares no drafts and read positions with others.
    private func kedge(as person: String, state: String? = nil, extra: [String: String] = [:]) throws -> Tmux {
        var environment = ["ARCHIVE": archive.path, "XDG_RUNTIME_DIR": archive.path + "-run"]
        environment["XDG_STATE_HOME"] = state ?? archive.path + "-state-" + person
        let tmux = try Tmux(columns: 80, rows: 16, environment: environment.merging(extra) { $1 })
        try tmux.type("clear; \"$KEDGE\" open --archive \"$ARCHIVE\" general --as \(person) --new-person; echo left $?")
        try tmux.waitUntil("opened") { $0.last?.contains("general/m-1") == true }
        return tmux
    }

    private func texts(of person: String) throws -> [String] {
        try archive.records().compactMap { $0["from"] as? String == person ? $0["text"] as? String : nil }
    }

    @Test func `Of three people who write at once nothing is lost or doubled, and their screens agree`() throws {
        let count = 40
        let (ana, cy) = (try kedge(as: "ana"), try kedge(as: "cy"))
        for tmux in [ana, cy] {
            try tmux.press("i")
            try tmux.waitUntil("composer") { $0.last?.contains("Enter send") == true }
        }
        for number in 1...count {
            try ana.post("a \(number)")
            try cy.post("c \(number)")
            if number.isMultiple(of: 4) {
                #expect(try archive.kedge("send", "general", "s \(number)", "--as", "sh", "--new-person").status == 0)
            }
        }
        let all = 2 * count + count / 4
        let isThere = { (screen: [String]) in screen.contains { $0.contains(" a \(count)") } }
        try ana.waitUntil("own message", isThere)
        try cy.waitUntil("message of the other") { screen in
            isThere(screen) && screen.contains { $0.contains(" c \(count)") }
        }
        #expect(try texts(of: "ana") == (1...count).map { "a \($0)" })
        #expect(try texts(of: "cy") == (1...count).map { "c \($0)" })
        #expect(try texts(of: "sh") == stride(from: 4, through: count, by: 4).map { "s \($0)" })
        let ids = try archive.records().compactMap { $0["id"] as? String }
        #expect(ids.count == all + 2 && Set(ids).count == ids.count)
        let last = try #require(try archive.records().last?["id"] as? String)
        for tmux in [ana, cy] {
            try tmux.press("Escape")
            try tmux.waitUntil("the end") { $0.last?.contains("general/\(last)") == true }
        }
        #expect(try ana.stillScreen() == cy.stillScreen())
    }

    @Test func `Others see who is typing, a reply with its quote, and a reaction and a deletion in place`()
        throws
    {
        let (ana, cy) = (try kedge(as: "ana"), try kedge(as: "cy"))
        try ana.press("i")
        try ana.type(letters: "half a sentence")
        try cy.waitUntil("somebody who writes") { $0.contains { $0.contains("ana is typing…") } }
        try ana.press("Enter")
        try cy.waitUntil("the message alone") { screen in
            screen.contains { $0.contains("half a sentence") } && !screen.contains { $0.contains("is typing") }
        }
        try ana.press("Escape")
        try cy.press("r")
        try cy.waitUntil("what is answered to") { $0.contains { $0.contains("↳ ana: half a sentence") } }
        try cy.type("and the other half")
        try ana.waitUntil("the answer") { screen in
            screen.contains { $0.contains("↳ ana: half a sentence") }
                && screen.contains { $0.contains("the other half") }
        }
        try ana.press("+")
        try ana.type("rocket")
        try cy.waitUntil("the reaction") { $0.contains { $0.contains("the other half") && $0.contains("🚀") } }
        try cy.press("Escape")
        try cy.waitUntil("no composer") { $0.last?.contains("general/") == true }
        try cy.press("x")
        try cy.waitUntil("the question") { $0.last?.contains("delete this message?") == true }
        try cy.press("y")
        try ana.waitUntil("the deletion") { $0.contains { $0.contains("message deleted") } }
    }

    @Test func `A draft comes back after a kill, and a paste does not send`() throws {
        let state = archive.path + "-state"
        let first = try kedge(as: "ana", state: state)
        try first.press("i")
        try first.waitUntil("composer") { $0.last?.contains("Enter send") == true }
        try first.send("\u{1B}[200~one\rtwo\u{1B}[201~")
        try first.waitUntil("the text") { $0.contains { $0.contains("› one") } && $0.contains { $0.contains("  two") } }
        let drafts = state + "/kedge/drafts.json"
        try first.waitUntil("kept") { _ in
            FileManager.default.contents(atPath: drafts).map { String(decoding: $0, as: UTF8.self).contains("one") }
                ?? false
        }
        #expect(try archive.records().count == 2)
        // The children first: without the shell they have another parent, and a Kedge that only loses its terminal runs on a while.
        let pane = try first.ask("#{pane_pid}")
        try archive.shell("pkill -9 -P \(pane); kill -9 \(pane)")
        let second = try kedge(as: "ana", state: state)
        try second.press("i")
        try second.waitUntil("the draft") {
            $0.contains { $0.contains("› one") } && $0.contains { $0.contains("  two") }
        }
        try second.press("Enter")
        try second.waitUntil("sent") { _ in (try? archive.records().count) == 3 }
        #expect(try archive.lastRecord()["text"] as? String == "one\ntwo")
    }

    @Test func `A store that loses responses stores each message once`() throws {
        let slow = ["KEDGE_SIMULATE": "latency:20ms,failures:0.4,after:3,seed:3"]
        let ana = try kedge(as: "ana", extra: slow)
        try ana.press("i")
        for number in 1...10 { try ana.post("message \(number)") }
        try ana.waitUntil("all sent") { _ in (try? texts(of: "ana").count) ?? 0 >= 10 }
        try ana.waitUntil("quiet") {
            $0.last?.contains("sending") == false && $0.contains { $0.contains("message 10") }
        }
        #expect(try texts(of: "ana").sorted() == (1...10).map { "message \($0)" }.sorted())
    }
}
