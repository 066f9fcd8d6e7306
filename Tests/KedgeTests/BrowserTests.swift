import Foundation
import Interface
import Testing

@testable import kedge

/// Links on their way to the user's browser, with programs that stand in for xdg-open.
@Suite(.timeLimit(.minutes(30)))
struct BrowserTests {
    private static let address = "https://kedge.chat/?q='a'&b=$(touch%20x);`id`|x#*"

    @Test func `The address is the only argument, no shell reads it, and Kedge does not wait`() throws {
        let fake = try Fake("printf '%s' \"$1\" > \"$0.address\"; [ $# = 1 ] && exec sleep 5")
        let mailbox = try #require(Mailbox())
        let start = ContinuousClock.now
        Browser(mailbox: mailbox, environment: Program.environment, program: fake.path).open(Self.address)
        #expect(ContinuousClock.now - start < .seconds(1))
        try poll("opened") { fake.file("address") == Self.address }
        #expect(mailbox.takeAll().isEmpty)
    }

    @Test(arguments: [("exit 3", "knows no browser"), ("exit 4", "failed with status 4"), ("exit 0", nil)])
    func `A failure is reported, and no process is left`(body: String, expected: String?) throws {
        let fake = try Fake(body)
        let mailbox = try #require(Mailbox())
        Browser(mailbox: mailbox, environment: Program.environment, program: fake.path).open(Self.address)
        try poll("run") { fake.runs.count == 1 }
        let process = try #require(fake.runs.first?.first)
        try poll("reaped") { !FileManager.default.fileExists(atPath: "/proc/\(process)") }
        guard let expected else { return #expect(notices(mailbox).isEmpty) }
        var told: [String] = []
        try poll("told") {
            told += notices(mailbox)
            return !told.isEmpty
        }
        #expect(told.count == 1 && told[0].contains(expected), "\(told)")
    }

    @Test func `A missing xdg-open is reported with its package`() throws {
        let mailbox = try #require(Mailbox())
        Browser(mailbox: mailbox, environment: Program.environment, program: "/nowhere/xdg-open").open(Self.address)
        var told: [String] = []
        try poll("told") {
            told += notices(mailbox)
            return !told.isEmpty
        }
        #expect(told == ["the link was not opened: there is no /nowhere/xdg-open (package xdg-utils)"])
    }

    @Test func `o in a real terminal runs xdg-open with the link, and the screen stays whole`() throws {
        let fake = try Fake("echo zqzq; echo zqzq >&2; printf '%s' \"$1\" > \"$0.address\"", name: "xdg-open")
        let tmux = try openLink(with: fake)
        try poll("run") { fake.file("address")?.hasPrefix("https://") == true }
        let screen = try tmux.waitUntilStill("told") { $0.last?.contains("opening https://") == true }
        #expect(!screen.contains { $0.contains("zqzq") })
    }

    @Test func `A started program inherits no open file, so that it keeps no terminal open`() throws {
        // The shell itself has its script open, and the list that it writes.
        let list = "for file in /proc/$$/fd/*; do readlink $file; done > \"$0.new\"; mv \"$0.new\" \"$0.files\""
        let fake = try Fake(list, name: "xdg-open")
        let tmux = try openLink(with: fake)
        try poll("run") { fake.file("files") != nil }
        try tmux.waitUntil("told") { $0.last?.contains("opening https://") == true }
        let files = try #require(fake.file("files")).split(separator: "\n").filter { $0 != "/dev/null" }
        #expect(files.allSatisfy { $0.hasPrefix(fake.folder.path) }, "\(files)")
    }

    /// Presses o at a message with a link, in a terminal where `fake` is xdg-open.
    private func openLink(with fake: Fake) throws -> Tmux {
        let path = "\(fake.folder.path):\(Program.environment["PATH"] ?? "")"
        let tmux = try Tmux(
            columns: 100, rows: 20, environment: ["PATH": path],
            command: "\"$KEDGE\" open --archive '\(Program.demo)' general/m-000084")
        try tmux.waitUntil("opened") { $0.last?.contains("o open link") == true }
        try tmux.press("o")
        return tmux
    }

    private func notices(_ mailbox: Mailbox) -> [String] {
        mailbox.takeAll().compactMap { if case .notOpened(let text, _) = $0 { text } else { nil } }
    }

    private func poll(_ what: String, _ condition: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try !condition() {
            guard ContinuousClock.now < deadline else { throw Tmux.Unmet(what: what) }
        }
    }
}
