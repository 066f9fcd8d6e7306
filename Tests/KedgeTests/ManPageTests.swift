import Foundation
import Testing

/// What the man page says is what the program has.
struct ManPageTests {
    private let page: String

    init() throws {
        let path = Program.repository.appending(path: "Sources/kedge/Manual/kedge.1")
        page = try String(contentsOf: path, encoding: .utf8).replacingOccurrences(of: "\\-", with: "-")
    }

    @Test(arguments: ["open", "search", "show", "list", "send", "new", "stats", "index", "export", "config"])
    func `Each option of a command is in the man page`(command: String) throws {
        let help = try Program.kedge("help", command).output
        let options = help.matches(of: #/^ +(--[a-z-]+)/#.anchorsMatchLineEndings()).map { String($0.1) }
        #expect(options.contains("--archive"))
        for option in options where option != "--version" && option != "--help" {
            #expect(page.contains(option), "\(option) of \(command)")
        }
        #expect(page.contains(".B \(command)\n"))
    }

    /// The page as `make install` makes it: with the tables of keys.
    private func installed() throws -> String {
        let path = Program.repository.appending(path: "Sources/kedge/Manual/kedge.1")
        let keys = try Program.kedge("manual", "keys").output
        return try String(contentsOf: path, encoding: .utf8).replacingOccurrences(of: ".\\\" KEYS\n", with: keys)
    }

    @Test func `The man page lists all commands with their keys`() throws {
        let page = try installed()
        #expect(page.contains("T{\nreply to the message\nT}"))
        for line in try Program.kedge("config", "--keys").output.split(separator: "\n") {
            let name = line.prefix { $0 != "\t" }.split(separator: ".").last ?? ""
            #expect(page.contains("|\(name.replacingOccurrences(of: "-", with: "\\-"))|T{"), "\(name)")
        }
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/man"), "man is not here"),
        arguments: [80, 132])
    func `The man page is formatted without a warning, and within the width`(columns: Int) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "kedge-\(UUID().uuidString).1").path
        try Data(installed().utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let result = try Program.run(
            "/usr/bin/man", ["--warnings", "-l", path],
            environment: Program.environment.merging([
                "MANWIDTH": "\(columns)", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": "", "PAGER": "cat",
            ]) { $1 })
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        #expect(result.output.contains("EXIT STATUS"))
        for line in result.output.split(separator: "\n") { #expect(line.count <= columns, "\(line)") }
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/man"), "man is not here"),
        arguments: DocumentsTests.documents.filter(\.isManual).map(\.path))
    func `Each written page is formatted without a warning`(path: String) throws {
        let result = try Program.run(
            "/usr/bin/man", ["--warnings", "-l", Program.repository.appending(path: path).path],
            environment: Program.environment.merging([
                "MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": "", "PAGER": "cat",
            ]) { $1 })
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(result.output.contains("SEE ALSO"))
    }

    @Test(arguments: ["open", "search", "show"])
    func `No option is hyphenated`(command: String) throws {
        #expect(try Program.kedge("manual", command).output.contains("\n.nh\n"))
        #expect(page.contains("\n.nh\n"))
    }

    @Test func `Each command that the help lists is in the man page`() throws {
        let help = try Program.kedge("--help").output
        let commands = help.split(separator: "SUBCOMMANDS:").last?.matches(
            of: #/^  ([a-z]+) /#.anchorsMatchLineEndings())
        let names = try #require(commands).map { String($0.1) }
        #expect(names.count >= 4)
        for name in names where name != "help" { #expect(page.contains("kedge \(name)"), "\(name)") }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/man"), "man is not here"))
    func `The page of each command is formatted without a warning, with all its options`() throws {
        let names = try Program.kedge("manual").output.split(separator: "\n").map(String.init)
        #expect(names.contains("open") && names.contains("demo") && !names.contains("manual"))
        let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-man-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in names {
            let path = folder.appending(path: "kedge-\(name).1").path
            try Data(Program.kedge("manual", name).output.utf8).write(to: URL(fileURLWithPath: path))
            let result = try Program.run(
                "/usr/bin/man", ["--warnings", "-l", path],
                environment: Program.environment.merging([
                    "MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": "", "PAGER": "cat",
                ]) { $1 })
            #expect(result.status == 0 && result.errors.isEmpty, "\(name): \(result.errors)")
            let help = try Program.kedge("help", name).output
            for option in help.matches(of: #/^ +(--[a-z-]+)/#.anchorsMatchLineEndings()) where option.1 != "--version" {
                #expect(result.output.contains(option.1), "\(option.1) of \(name)")
            }
        }
    }
}
