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

    private func shown(columns: Int) throws -> [String] {
        let console = try Console(
            ["show", "general/m-1", "--archive", archive.path], columns: columns, rows: 30,
            environment: ["NO_COLOR": "1", "TZ": "UTC"])
        #expect(try console.status() == 0)
        return console.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    }

    @Test func `Beside time and sender a text keeps its lines, its code and its words`() throws {
        let head = "general/m-1  2025-03-01 09:12  ben  "
        let blanks = String(repeating: " ", count: head.count)
        #expect(
            try shown(columns: 80) == [
                head + "Words that go on and on until they have to",
                blanks + "be broken between two of them.", blanks + "```", blanks + "  if tide > 3:",
                blanks + "      warn()", blanks + "```", blanks + "- an item", "",
            ])
    }

    @Test func `When there is no room beside them, the text is below`() throws {
        #expect(
            try shown(columns: 60) == [
                "general/m-1  2025-03-01 09:12  ben", "    Words that go on and on until they have to be broken",
                "    between two of them.", "    ```", "      if tide > 3:", "          warn()", "    ```",
                "    - an item", "",
            ])
    }

    @Test func `On a pipe a message is one line`() throws {
        let result = try archive.kedge(["show", "general/m-1"], environment: ["TZ": "UTC"])
        #expect(result.output.filter { $0 == "\n" }.count == 1)
        #expect(result.output.hasPrefix("general/m-1\t2025-03-01 09:12\tben\tWords that go on"))
    }
}
