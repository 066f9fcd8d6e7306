import ArgumentParser
import TestSupport
import Testing

@testable import kedge

/// Command lines that are read without ArgumentParser.
struct PlainArgumentsTests {
    private static let words = [
        "--archive", "--at", "--date", "--start", "--unread", "--in", "--from", "--since", "--until", "--limit",
        "--json", "--raw", "--count", "--plain", "general", "general/m-1", "seamless", "12", "3 weeks ago", "help",
        "open",
        "search", "ü",
        "+3",
    ]
    private static let rareWords = [
        "--as", "--new-person", "--help", "-h", "--version", "--", "-", "", "-virtualbox", "--at=m-1", "--limit=3",
        "0", "99999999999999999999", "--unknown", "--star", "-s", "\u{2013}\u{2013}at", "-\u{301}", "1_0", "٣",
        "--generate-completion-script", "--no-json", "--experimental-dump-help",
    ]

    /// All that a command knows; nil when the line is an error, or asks for help.
    private static func parsed(_ line: [String]) -> String? {
        do { return fields(of: try Kedge.parseAsRoot(line)) } catch { return nil }
    }

    private static func fields(of command: any ParsableCommand) -> String? {
        switch command {
        case let open as Open:
            """
            open \(String(describing: open.options.archive)) \(String(describing: open.person.person)) \
            \(open.person.newPerson) \(String(describing: open.link)) \(String(describing: open.linkInPath)) \
            \(String(describing: open.at)) \
            \(String(describing: open.date)) \(open.start) \(open.unread) \(open.isPlain)
            """
        case let search as Search:
            """
            search \(String(describing: search.options.archive)) \(search.words) \
            \(String(describing: search.conversation)) \(String(describing: search.from)) \
            \(String(describing: search.since)) \(String(describing: search.until)) \
            \(String(describing: search.limit)) \(search.count) \(search.json) \(search.raw.isOn)
            """
        default: nil
        }
    }

    @Test(arguments: [
        "open", "open general", "open general --at m-1 --archive a", "open --unread general", "open --plain a",
        "open a b",
        "search word",
        "search two words --in general --limit 3 --json", "search --count word",
        "search --raw --from ana --since 2025 --until 2026 word",
    ])
    func `A plain command line is read without ArgumentParser, with the same result`(line: String) throws {
        let line = line.split(separator: " ").map(String.init)
        let command = try #require(Kedge.plainCommand(line))
        #expect(Self.fields(of: command) == Self.parsed(line))
    }

    @Test(arguments: [
        "", "list", "open --help", "open -h", "open a b c", "open --at", "open --at --start a", "open --at=m-1 a",
        "open --start --start a", "open --at 1 --at 2 a", "open -- a", "open a --as ana", "search", "search -word",
        "search word --limit 0", "search word --count --json", "search word --limit x", "search word --version",
        "help open",
    ])
    func `Any other command line is left to ArgumentParser`(line: String) {
        #expect(Kedge.plainCommand(line.split(separator: " ").map(String.init)) == nil)
    }

    @Test(arguments: 0..<8)
    func `Every command line that is read without ArgumentParser gives the same result`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var plain = 0
        for _ in 0..<1_000 {
            var line = [Bool.random(using: &random) ? "open" : "search"]
            for _ in 0..<Int.random(in: 0...7, using: &random) {
                let isRare = Int.random(in: 0..<12, using: &random) == 0
                line += [isRare ? Self.rareWords : Self.words].compactMap { $0.randomElement(using: &random) }
            }
            guard let command = Kedge.plainCommand(line) else { continue }
            plain += 1
            #expect(Self.fields(of: command) == Self.parsed(line), "\(line), seed \(seed)")
        }
        #expect(plain > 100, "seed \(seed)")
    }
}
