import Foundation
import Testing

/// Terminals that do not read UTF-8: no byte of a character may reach them, since it may be a control there.
@Suite(.timeLimit(.minutes(30)))
struct LocaleTests {
    /// Nobody names a charset; one is named that is not installed; one that no library knows.
    static let locales: [[String: String?]] = [
        ["LC_ALL": "C"], ["LC_ALL": "POSIX"], ["LC_ALL": nil, "LANG": nil, "LC_CTYPE": nil],
        ["LC_ALL": "de_DE.ISO-8859-1"],
        ["LC_ALL": nil, "LANG": "ru_RU.KOI8-R"], ["LC_ALL": "nonsense"],
    ]
    private static let advice = "the locale is not UTF-8"

    @Test(arguments: locales)
    func `In another locale the screen is ASCII, and says so`(locale: [String: String?]) throws {
        let archive = try ScratchArchive()
        let hostile = "Û 潮位 e\u{301} \u{9B}31m “é” ünï 👨‍👩‍👧 \\u009b end"
        try archive.write(ScratchArchive.segment, ScratchArchive.message("m-1", hostile) + "\n")
        let console = try Console(
            ["open", "--archive", archive.path, "general"], columns: 100, rows: 20, environment: locale)
        try console.wait("told") { console.text.contains(LocaleTests.advice) }
        try console.wait("drawn") { console.text.contains("U ???? e") }
        console.type("iû")
        try console.wait("composing") { console.text.contains("Esc") }
        kill(console.process, SIGTERM)
        _ = try console.status()
        #expect(console.read().allSatisfy { $0 < 0x80 })
    }

    @Test(arguments: locales)
    func `In another locale commands print ASCII on a terminal, and say so once`(locale: [String: String?]) throws {
        for arguments in [
            ["list"], ["show", "general/m-001500"], ["search", "潮位表"], ["stats", "general"], ["show", "general/Û"],
        ] {
            let console = try Console(
                arguments + ["--archive", Program.demo], columns: 100, rows: 30, environment: locale)
            _ = try console.status()
            #expect(console.read().allSatisfy { $0 < 0x80 }, "\(arguments)")
            let count = console.text.components(separatedBy: LocaleTests.advice).count - 1
            #expect(
                count == (arguments[0] == "stats" || arguments[0] == "list" ? count : 1),
                "\(arguments): \(console.text)")
        }
    }

    @Test(arguments: [["LC_ALL": "en_US.UTF-8"], ["LC_ALL": nil, "LANG": "xx_XX.utf8"]] as [[String: String?]])
    func `A UTF-8 locale that is not installed counts as UTF-8`(locale: [String: String?]) throws {
        let console = try Console(
            ["show", "general/m-001500", "--context", "0", "--archive", Program.demo], columns: 100, rows: 30,
            environment: locale)
        #expect(try console.status() == 0)
        #expect(console.text.contains("基準面"))
    }

    @Test func `On a pipe the output is UTF-8 in any locale`() throws {
        let shown = try Program.kedge(
            "show", "general/m-001500", "--context", "0", "--archive", Program.demo, environment: ["LC_ALL": "C"])
        #expect(shown.output.contains("基準面"))
        #expect(shown.errors.isEmpty)
    }
}
