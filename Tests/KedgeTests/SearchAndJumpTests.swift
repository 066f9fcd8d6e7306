import Foundation
import TestSupport
import Testing

/// Searching and jumping, in a real terminal.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct SearchAndJumpTests {
    private let middle = "\"$KEDGE\" open --archive '\(Program.demo)' general --at m-001500"

    private func open() throws -> (tmux: Tmux, screen: [String]) {
        let tmux = try Tmux(columns: 100, rows: 30, command: middle)
        // The place comes when the index is there.
        let first = try tmux.waitUntilStill("opened") {
            $0.last?.contains("general/m-001500") == true && $0[0].contains("1,456 of 3,206")
        }
        return (tmux, first)
    }

    @Test
    func `/ shows a hit while typing, Esc brings back the exact screen, Enter stays, n and N continue, ^O returns`()
        throws
    {
        let (tmux, first) = try open()
        try tmux.press("/")
        try tmux.type(letters: "datum")
        let found = try tmux.waitUntilStill("counted") { $0.last?.contains(#/hit \d+ of \d+/#) == true }
        let standing = try #require(found.last?.firstMatch(of: #/hit (\d+) of (\d+)/#))
        let total = try #require(Int(standing.2))
        #expect(total > 3)
        try tmux.press("Escape")
        try tmux.waitUntil("as before") { $0 == first }
        try tmux.press("/")
        try tmux.type(letters: "datum")
        try tmux.waitUntil("counted again") { $0.last?.contains("of \(total)") == true }
        try tmux.press("Enter")
        // Enter ends the word: `datums` is no hit any more.
        var screen = try tmux.waitUntilStill("accepted") {
            $0.last?.contains(#/^ \/datum   hit \d+ of \d+/#) == true && $0.last?.contains("of \(total)") == false
        }
        let accepted = try #require(screen.last?.firstMatch(of: #/hit (\d+) of (\d+)/#))
        let hit = try #require(Int(accepted.1))
        let count = try #require(Int(accepted.2))
        for key in ["n", "n", "N", "N", "N"] {
            try tmux.press(key)
            screen = try tmux.waitForChange(from: screen, ofLastRow: true)
        }
        // Two forward and three back, round the ends where there is one.
        let expected = (hit - 1 - 1 + count) % count + 1
        screen = try tmux.waitUntilStill("stepped") {
            $0.last?.contains("of \(count)") == true || $0.last?.contains("search wrapped") == true
        }
        #expect(
            screen.last?.contains("hit \(expected) of \(count)") == true
                || screen.last?.contains("search wrapped") == true)
        #expect(screen.contains { $0.hasPrefix("▌") })
        try tmux.press("Escape")
        try tmux.waitUntil("without highlights") { $0.last?.contains("general/m-") == true }
        try tmux.press("C-o")
        try tmux.waitUntil("back where it began") { $0 == first }
    }

    private func withoutScrollBar(_ row: String) -> String {
        var row = row[...]
        while let last = row.last, "│┃█┤ ".contains(last) { row.removeLast() }
        return String(row)
    }

    @Test func `A search everywhere is grouped and previewed, Enter opens the hit, ^O returns`() throws {
        let (tmux, first) = try open()
        try tmux.press("s")
        try tmux.type(letters: "high water")
        var screen = try tmux.waitUntilStill("found") { $0[0].contains(#/\d hits$|\d hits $/#) }
        #expect(screen[1].hasPrefix(" "))
        #expect(screen.filter { $0.hasPrefix("▌") }.count == 1)
        screen = try tmux.waitUntilStill("previewed") { $0.contains { $0.hasPrefix("►") } }
        try tmux.press("Escape")
        try tmux.waitUntil("as before") { $0 == first }
        try tmux.press("s")
        // The scroll bar of the preview comes in with the index, perhaps only now.
        let left = screen.map(withoutScrollBar)
        screen = try tmux.waitUntilStill("as it was left") { $0.map(withoutScrollBar) == left }
        let link = try #require(screen.last?.split(separator: " ").first)
        try tmux.press("Enter")
        try tmux.waitUntil("opened") { $0.last?.contains("hit ") == true && $0.contains { $0.hasPrefix("▌") } }
        try tmux.press("Escape")
        try tmux.waitUntil("at the hit") { $0.last?.contains(link) == true }
        try tmux.press("C-o")
        try tmux.waitUntil("back") { $0 == first }
    }

    @Test func `^K opens another conversation, and each is where the user left it`() throws {
        let (tmux, first) = try open()
        try tmux.press("C-k")
        try tmux.waitUntil("listed") {
            $0[0].contains("conversations") && $0.contains { $0.contains("#dev") || $0.contains("Dev") }
        }
        try tmux.type(letters: "dev")
        try tmux.press("Enter")
        try tmux.waitUntil("in dev") { $0.last?.contains("dev/m-") == true }
        try tmux.press("PageUp")
        let dev = try tmux.waitUntilStill("moved") { $0.last?.contains("dev/m-") == true }
        try tmux.press("C-o")
        try tmux.waitUntil("back") { $0 == first }
        try tmux.press("Tab")
        try tmux.waitUntil("forward") { $0[0] == dev[0] || $0.last?.contains("dev/m-") == true }
    }

    @Test func `Without a conversation open begins with the list of them`() throws {
        let tmux = try Tmux(columns: 80, rows: 20, command: "\"$KEDGE\" open --archive '\(Program.demo)'; echo left $?")
        try tmux.waitUntil("listed") { $0[0].contains("Go to:") && $0.contains { $0.hasPrefix("▌") } }
        try tmux.type(letters: "welc")
        try tmux.press("Enter")
        try tmux.waitUntil("opened") { $0.last?.contains("welcome/m-000001") == true }
        try tmux.press("q")
        try tmux.waitUntil("left") { $0.contains("left 0") }
    }

    @Test func `d shows the date that it understood, and goes there`() throws {
        let (tmux, first) = try open()
        try tmux.press("d")
        try tmux.type(letters: "1 march")
        try tmux.waitUntil("understood") {
            $0.last?.contains("1 March 2024") == true || $0.last?.contains("1 March 2025") == true
        }
        try tmux.press("Enter")
        // The prompt, too, names the date, but no message.
        try tmux.waitUntil("there") { screen in
            screen.contains { $0.contains(" March 202") }
                && ["general/m-", "No messages on"].contains { screen.last?.contains($0) == true }
        }
        try tmux.press("C-o")
        try tmux.waitUntil("back") { $0 == first }
    }

    @Test func `Enter goes to the quoted message, and says when there is none`() throws {
        let tmux = try Tmux(
            columns: 100, rows: 30, command: "\"$KEDGE\" open --archive '\(Program.demo)' general/m-002290")
        // The place comes when the index is there.
        let first = try tmux.waitUntilStill("opened") {
            $0.last?.contains("general/m-002290") == true && $0[0].contains(" of 3,206")
        }
        try tmux.press("Enter")
        try tmux.waitUntil("at the quoted message") { screen in
            screen[0] != first[0] && screen.last?.contains("general/m-00") == true
                && screen.last?.contains("m-002290") == false
        }
        try tmux.press("C-o")
        try tmux.waitUntil("back") { $0 == first }
        let lost = try Tmux(
            columns: 100, rows: 30, command: "\"$KEDGE\" open --archive '\(Program.demo)' general/m-002788")
        let before = try lost.waitUntilStill("opened") {
            $0.last?.contains("general/m-002788") == true && $0[0].contains(" of 3,206")
        }
        try lost.press("Enter")
        let after = try lost.waitUntilStill("told") { $0.last?.contains("not here (m-999999)") == true }
        #expect(after.dropLast() == before.dropLast())
    }

    @Test func `y and Y put the text and the link into the clipboard of tmux`() throws {
        let tmux = try Tmux(
            columns: 100, rows: 30, environment: ["TERM": "tmux-256color"], command: middle)
        try tmux.waitUntil("opened") { $0.last?.contains("general/m-001500") == true }
        try tmux.set("set-clipboard", "on")
        try tmux.press("Y")
        try tmux.waitUntil("told") { $0.last?.contains("link copied: general/m-001500") == true }
        try tmux.waitUntilBuffer { $0 == "general/m-001500" }
        try tmux.press("y")
        try tmux.waitUntil("told") { $0.last?.contains("text copied") == true }
        try tmux.waitUntilBuffer { $0.hasPrefix("So the numbers were fine, the sea was fine") }
    }

    @Test func `The mouse scrolls, selects, and drags the scroll bar`() throws {
        let (tmux, first) = try open()
        let wheelDown = "\u{1B}[<65;20;10M"
        try tmux.send(wheelDown)
        let scrolled = try tmux.waitForChange(from: first)
        // The first row repeats time and name of its message.
        #expect(scrolled[3..<20].map { $0.dropLast() } == first[6..<23].map { $0.dropLast() })
        #expect(scrolled[2].dropFirst(24).dropLast() == first[5].dropFirst(24).dropLast())
        try tmux.send("\u{1B}[<64;20;10M")
        try tmux.waitUntil("scrolled back") { $0.dropLast() == first.dropLast() }
        try tmux.send("\u{1B}[<0;30;20M\u{1B}[<0;30;20m")
        try tmux.waitUntil("selected") { $0[19].hasPrefix("▌") }
        try tmux.send("\u{1B}[<0;100;4M")
        try tmux.waitUntil("near the beginning") { $0[3].hasSuffix("┃") }
        try tmux.send("\u{1B}[<32;100;27M\u{1B}[<0;100;27m")
        try tmux.waitUntil("near the end") { $0[26].hasSuffix("┃") }
    }

    @Test(arguments: [7] as [UInt64])
    func `A hundred random jumps and back end on the first screen`(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let (tmux, first) = try open()
        var screen = first
        for step in 0..<100 {
            try jump(tmux, step, &random)
            screen = try arrive(tmux)
        }
        #expect(screen != first)
        // All at once: steps that are still being loaded count.
        for _ in 0..<110 { try tmux.press("C-o") }
        try tmux.waitUntil("back at the first jump's start") { $0.dropLast() == first.dropLast() }
        try tmux.press("C-o")
        try tmux.waitUntil("told that there is no more") { $0.last?.contains("nothing to go back to") == true }
        try tmux.press("Escape")
        try tmux.waitUntil("the first screen") { $0 == first }
    }

    /// Waits until a message is selected again and nothing is loading. Ends a search, for which Esc may be needed twice: the
    /// first one gives up a step that is being loaded. A key right after Esc would be another key with it, so Esc is pressed again
    /// only when the one before has changed the screen.
    private func arrive(_ tmux: Tmux) throws -> [String] {
        var (last, ended): ([String], [String]) = ([], [])
        return try tmux.waitUntilStill("arrived") { screen in
            defer { last = screen }
            let status = screen.last ?? ""
            if status.contains("Esc end"), screen == last, screen != ended {
                ended = screen
                _ = try? tmux.press("Escape")
            }
            return !screen.contains { $0.contains("loading") }
                && status.contains(#/^ [a-z-]+\/|no messages|No messages on|nothing to open here|o opens the /#)
        }
    }

    private func jump(_ tmux: Tmux, _ step: Int, _ random: inout SeededGenerator) throws {
        // The first one starts on the first screen; later there are moves between the jumps.
        switch step == 0 ? 0 : Int.random(in: 0..<6, using: &random) {
        case 0: try tmux.press(["Home", "End"].randomElement(using: &random) ?? "Home")
        case 1:
            try tmux.press("d")
            try tmux.type(
                letters: "202\(Int.random(in: 4...5, using: &random))-0\(Int.random(in: 1...9, using: &random))-11")
            try tmux.press("Enter")
        case 2:
            try tmux.press("C-k")
            try tmux.waitUntil("listed") { $0[0].contains("Go to:") && $0.contains { $0.hasPrefix("▌") } }
            for _ in 0..<Int.random(in: 0...6, using: &random) { try tmux.press("Down") }
            try tmux.press("Enter")
        case 3: try search(tmux, &random)
        case 4: try tmux.send("\u{1B}[<0;100;\(Int.random(in: 3...28, using: &random))M")
        default:
            try tmux.press(["PageUp", "Up", "C-y", "PageDown"].randomElement(using: &random) ?? "Up")
            try tmux.press("Enter")
        }
    }

    private func search(_ tmux: Tmux, _ random: inout SeededGenerator) throws {
        // Quoted, a word is complete while it is typed: Enter changes no count.
        let word = ["\"tide\"", "\"harbour\"", "\"the\"", "\"berth\""].randomElement(using: &random) ?? "\"tide\""
        try tmux.press("/")
        try tmux.type(letters: word)
        try tmux.press("Enter")
        // While it is being typed, another row says so.
        let screen = try tmux.waitUntilStill("searched") {
            $0.last?.hasPrefix(" no match for ") == true
                || $0.last?.hasPrefix(" /\(word) ") == true && $0.last?.contains(#/hit \d+ of \d+/#) == true
        }
        if let standing = screen.last?.firstMatch(of: #/hit (\d+) of (\d+)/#), let total = Int(standing.2) {
            var hit = Int(standing.1) ?? 0
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                hit = hit % total + 1
                try tmux.press("n")
                try tmux.waitUntil("at the next hit") { $0.last?.contains("hit \(hit) of \(total)") == true }
            }
        }
        _ = try arrive(tmux)
    }
}

/// The same on a real conversation of 247,963 messages.
@Suite(
    .serialized, .timeLimit(.minutes(30)),
    .enabled(if: Program.hasPublicArchive, "shared/data/public-irc is not beside the repository"))
struct RealSearchTests {
    @Test func `Each link of a search opens on its message in the middle of the screen`() throws {
        let result = try Program.kedge("search", "--archive", Program.publicArchive, "\"seamless mode\"")
        #expect(result.status == 0)
        let links = result.output.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map(String.init) }
        #expect(links.count > 2)
        for link in links {
            let tmux = try Tmux(
                columns: 100, rows: 30, command: "\"$KEDGE\" open --archive '\(Program.publicArchive)' \(link)")
            let screen = try tmux.waitUntilStill("opened at \(link)") { $0.last?.contains(link) == true }
            let row = try #require(screen.firstIndex { $0.hasPrefix("▌") })
            #expect((12...17).contains(row), "\(link) stands on row \(row)")
        }
    }

    @Test func `A jump to a quoted message 200,000 messages away, and back to the exact screen`() throws {
        let archive = try FarReply()
        let tmux = try Tmux(
            columns: 100, rows: 30, command: "\"$KEDGE\" open --archive '\(archive.path)' ubuntu/far-reply")
        // Where it stands is known with the index.
        let first = try tmux.waitUntilStill("opened") {
            $0.last?.contains("ubuntu/far-reply") == true && $0[0].contains("247,964 of 247,964")
                && $0.allSatisfy { !$0.contains("indexing") }
        }
        try tmux.press("Enter")
        try tmux.waitUntil("at the quoted message") {
            $0.last?.contains("ubuntu/\(archive.quoted)") == true && $0[0].contains("20,001 of 247,964")
        }
        try tmux.press("C-o")
        try tmux.waitUntil("back") { $0 == first }
    }

    @Test func `n steps through hits all over the conversation, with one page each`() throws {
        let tmux = try Tmux(
            columns: 100, rows: 30,
            command: "\"$KEDGE\" open --archive '\(Program.publicArchive)' ubuntu/2008-04-27-a-1003")
        let first = try tmux.waitUntilStill("opened") {
            $0.last?.contains("2008-04-27-a-1003") == true && $0[0].contains(" of ")
                && $0.allSatisfy { !$0.contains("indexing") }
        }
        try tmux.press("/")
        try tmux.type(letters: "\"seamless mode\"")
        var screen = try tmux.waitUntilStill("counted", seconds: 120) { $0.last?.contains(#/hit \d+ of \d+/#) == true }
        try tmux.press("Enter")
        screen = try tmux.waitUntilStill("accepted") { $0.last?.contains("   hit ") == true }
        let total = try #require((screen.last?.firstMatch(of: #/of (\d+)/#)?.1).flatMap { Int($0) })
        var seen: Set<String> = []
        for _ in 0..<total {
            try tmux.press("n")
            let old = screen[0]
            screen = try tmux.waitUntilStill("at another hit") { $0[0] != old && $0.last?.contains("hit ") == true }
            seen.insert(screen[0])
        }
        #expect(seen.count == total, "every hit once, round to the first")
        try tmux.press("Escape")
        try tmux.waitUntil("without highlights") { $0.last?.hasPrefix(" ubuntu/") == true }
        try tmux.press("C-o")
        try tmux.waitUntil("back") { $0 == first }
    }
}

/// The public archive with one reply more, to a message of long ago. Its files are linked, not copied.
private final class FarReply {
    let path: String
    let quoted: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "kedge-far-\(UUID().uuidString)").path
        let folder = path + "/conversations/ubuntu"
        let source = Program.publicArchive + "/conversations/ubuntu"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for file in ["archive.json", "people.json"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(path)/\(file)", withDestinationPath: "\(Program.publicArchive)/\(file)")
        }
        for file in try FileManager.default.contentsOfDirectory(atPath: source) {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(file)", withDestinationPath: "\(source)/\(file)")
        }
        let start = try String(contentsOfFile: source + "/messages-000001.jsonl", encoding: .utf8)
        let line = start.split(separator: "\n", maxSplits: 20_001)[20_000]
        let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        quoted = try #require(record?["id"] as? String)
        let reply =
            #"{"type":"message","id":"far-reply","at":"2030-01-01T00:00:00Z","from":"ana","text":"at last","replyTo":""#
        try (reply + quoted + "\"}\n").write(
            toFile: folder + "/messages-000099.jsonl", atomically: true, encoding: .utf8)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        Program.forget(archive: path)
    }
}
