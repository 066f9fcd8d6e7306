import Foundation
import Testing

/// What the man page says is what the program has.
struct ManPageTests {
    private let page: String

    init() throws {
        let path = Program.repository.appending(path: "Sources/kedge/kedge.1")
        page = try String(contentsOf: path, encoding: .utf8).replacingOccurrences(of: "\\-", with: "-")
    }

    @Test(arguments: ["open", "search", "show", "list", "send", "stats", "index"])
    func `Each option of a command is in the man page`(command: String) throws {
        let help = try Program.kedge("help", command).output
        let options = help.matches(of: #/^ +(--[a-z]+)/#.anchorsMatchLineEndings()).map { String($0.1) }
        #expect(options.contains("--archive"))
        for option in options where option != "--version" && option != "--help" {
            #expect(page.contains(option), "\(option) of \(command)")
        }
        #expect(page.contains(".B \(command)\n"))
    }

    @Test func `Each command that the help lists is in the man page`() throws {
        let help = try Program.kedge("--help").output
        let commands = help.split(separator: "SUBCOMMANDS:").last?.matches(
            of: #/^  ([a-z]+) /#.anchorsMatchLineEndings())
        let names = try #require(commands).map { String($0.1) }
        #expect(names.count >= 4)
        for name in names where name != "help" { #expect(page.contains("kedge \(name)"), "\(name)") }
    }
}
