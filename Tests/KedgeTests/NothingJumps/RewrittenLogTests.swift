import Foundation
import Testing

/// Somebody rewrites the log of a conversation that is on a real screen.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct RewrittenLogTests {
    private static func log(_ numbers: some Sequence<Int>, edited: Int? = nil) -> String {
        numbers.map { number in
            let text = "message \(number)" + (number == edited ? " edited" : "")
            let hour = String(number / 60 + 100).suffix(2)
            let minute = String(number % 60 + 100).suffix(2)
            return #"{"type":"message","id":"m-\#(number)","at":"2025-03-01T\#(hour):\#(minute):00Z","from":"ben","#
                + #""text":"\#(text)"}"# + "\n"
        }.joined()
    }

    /// Open at message 200 of 400.
    private func open(_ arguments: String = "--at m-200") throws -> (ScratchArchive, Tmux) {
        let archive = try ScratchArchive()
        try archive.write("people.json", "[]")
        try archive.write(ScratchArchive.segment, Self.log(0..<400))
        let tmux = try Tmux(columns: 80, rows: 20, environment: ["ARCHIVE": archive.path])
        try tmux.type("clear; \"$KEDGE\" open --archive \"$ARCHIVE\" general \(arguments)")
        try tmux.waitUntil("opened") { $0.last?.hasPrefix(" general/m-") == true && $0[0].hasSuffix(" of 400") }
        return (archive, tmux)
    }

    /// The rows of messages, by their numbers.
    private func rows(_ screen: [String]) -> [Int: Int] {
        var rows: [Int: Int] = [:]
        for (row, line) in screen.enumerated() {
            if let match = line.firstMatch(of: #/message (\d+)/#), let number = Int(match.1) { rows[number] = row }
        }
        return rows
    }

    @Test func `After a replacement without the selected message, the next message takes its row`() throws {
        let (archive, tmux) = try open()
        let before = rows(try tmux.stillScreen())
        try archive.write("conversations/general/new", Self.log((0..<400).filter { $0 != 200 && $0 != 10 }))
        try archive.shell("cd \"$KEDGE_ARCHIVE\" && mv conversations/general/new \(ScratchArchive.segment)")
        let screen = try tmux.waitUntilStill("the survivor") {
            $0.last?.hasPrefix(" general/m-201 ") == true && $0[0].contains("200 of 398")
        }
        let after = rows(screen)
        let expected = before.compactMap { number, row in
            number == 200 ? nil : (number, number > 200 ? row - 1 : row)
        }
        for (number, row) in expected { #expect(after[number] == row, "message \(number)") }
        #expect(!screen.contains { $0.contains("not loaded") })
    }

    @Test func `A rewrite in place, in two pieces, moves nothing; while following, the bottom stays the bottom`() throws
    {
        let (archive, tmux) = try open()
        let before = rows(try tmux.stillScreen())
        let new = Self.log((0..<400).filter { !(20..<90).contains($0) }, edited: 203)
        try archive.shell(": > \"$KEDGE_ARCHIVE/\(ScratchArchive.segment)\"")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: archive.path + "/" + ScratchArchive.segment))
        try file.write(contentsOf: Data(new.utf8.prefix(9_999)))
        try file.synchronize()
        try file.write(contentsOf: Data(new.utf8.dropFirst(9_999)))
        try file.close()
        let screen = try tmux.waitUntilStill("the edit") {
            $0.contains { $0.contains("message 203 edited") } && $0[0].contains("131 of 330")
        }
        #expect(rows(screen) == before)
        #expect(screen.last?.hasPrefix(" general/m-200 ") == true)
        try tmux.press("End")
        try tmux.waitUntil("the end") { $0.last?.hasPrefix(" general/m-399 ") == true }
        try archive.write(ScratchArchive.segment, Self.log(0..<390))
        let end = try tmux.waitUntilStill("the new end") {
            $0.last?.hasPrefix(" general/m-389 ") == true && $0[0].contains("390 of 390")
        }
        #expect(rows(end)[389] == 18)
    }

    @Test func `A file of older messages comes before the first row, and no row moves`() throws {
        let (archive, tmux) = try open("--at m-0")
        let before = try tmux.stillScreen()
        #expect(before.contains { $0.contains("beginning of the conversation") })
        let older = Self.log(0..<100).replacing("\"m-", with: "\"o-").replacing("message", with: "older")
        try archive.write(
            "conversations/general/messages-000000.jsonl", older.replacing("\"older\"", with: "\"message\""))
        let screen = try tmux.waitUntilStill("the older messages") {
            $0[0].contains("101 of 500") && $0[3].contains("older 99")
        }
        #expect(rows(screen) == rows(before))
        // The line of the day stood there.
        #expect(before[3].contains("Saturday 1 March 2025"))
        try tmux.press("Up")
        try tmux.waitUntil("the last older message") {
            $0.last?.hasPrefix(" general/o-99 ") == true && $0[0].contains("100 of 500")
        }
    }
}
