import Foundation
import Testing

/// `kedge show`, for people: on a terminal.
@Suite(.timeLimit(.minutes(30)))
struct ShowTerminalTests {
    private let archive: ScratchArchive
    private static let text =
        #"Words that go on and on until they have to be broken between two of them.\n```\nif tide > 3:\n\twarn()\n```\n- an item"#

    init() throws {
        archive = try ScratchArchive()
        try archive.write("people.json", "[]")
        try archive.write(ScratchArchive.segment, ScratchArchive.message("m-1", Self.text) + "\n")
    }

    private func shown(columns: Int, rows: Int = 30, environment: [String: String?] = [:]) throws -> [String] {
        let console = try Console(
            ["show", "general/m-1", "--archive", archive.path], columns: columns, rows: rows,
            environment: ["NO_COLOR": "1", "TZ": "UTC"].merging(environment) { $1 })
        #expect(try console.status() == 0)
        return console.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    }

    @Test func `On a terminal a message looks as on the screen`() throws {
        let blanks = String(repeating: " ", count: 22)
        #expect(
            try shown(columns: 80) == [
                " general   general/m-1",
                " ─────────────────────────── Saturday 1 March 2025 ───────────────────────────",
                "►09:12  ben           Words that go on and on until they have to be broken",
                blanks + "between two of them.", blanks + "```", blanks + "│ if tide > 3:",
                blanks + "│     warn()", blanks + "```", blanks + "- an item", "",
            ])
    }

    @Test func `A screen of other size is used, too`() throws {
        let lines = try shown(columns: 40)
        #expect(lines.contains { $0.contains("►09:12 ben") }, "\(lines)")
        #expect(lines.allSatisfy { $0.count <= 40 })
    }

    @Test func `Messages that do not fit on the screen go through PAGER`() throws {
        let lines = try shown(columns: 80, rows: 6, environment: ["PAGER": "sed s/^/paged:/"])
        #expect(lines.first == "paged: general   general/m-1", "\(lines)")
        #expect(try shown(columns: 80, environment: ["PAGER": "sed s/^/paged:/"]).first == " general   general/m-1")
        #expect(
            try shown(columns: 80, rows: 6, environment: ["PAGER": "no-such-pager"]).first == " general   general/m-1")
    }

    @Test func `Colours are those of the screen`() throws {
        let console = try Console(
            ["show", "general/m-1", "--archive", archive.path], columns: 80, rows: 30, environment: ["TZ": "UTC"])
        #expect(try console.status() == 0)
        #expect(console.text.contains("\u{1B}[1m general\u{1B}[0m"), "\(console.text.debugDescription)")
        #expect(console.text.contains("\u{1B}[1;38;5;32m►\u{1B}[0m"), "\(console.text.debugDescription)")
    }

    @Test func `On a pipe a message is one line`() throws {
        let result = try archive.kedge(["show", "general/m-1"], environment: ["TZ": "UTC"])
        #expect(result.output.filter { $0 == "\n" }.count == 1)
        #expect(result.output.hasPrefix("general/m-1\t2025-03-01 09:12\tben\tWords that go on"))
    }
}
