import Display
import Foundation
import Testing

@testable import Interface

/// A document names nothing that does not exist: no file, no command, no option, no target of make, no key.
struct DocumentsTests {
    struct Document: CustomTestStringConvertible {
        /// From the root of the repository.
        let path: String
        let text: String

        var testDescription: String { path }
        var isManual: Bool { !path.hasSuffix(".md") }

        /// The text that is code: in Markdown fences and backquotes, in manual pages examples and words in bold.
        var code: [String] {
            if isManual {
                let examples = text.matches(of: #/\n\.nf\n([\s\S]*?)\n\.fi/#).flatMap { $0.1.split(separator: "\n") }
                let bold = text.matches(of: #/^\.BR? (.+)$/#.anchorsMatchLineEndings()).map { $0.1 }
                return (examples + bold).map { String($0).replacing("\"", with: "") }
            }
            let blocks = text.split(separator: "```", omittingEmptySubsequences: false)
            let fenced = blocks.indices.filter { $0 % 2 == 1 }.flatMap { blocks[$0].split(separator: "\n") }
            let prose = blocks.indices.filter { $0 % 2 == 0 }.map { String(blocks[$0]) }.joined()
            return fenced.map(String.init) + prose.matches(of: #/`+([^`]+)`+/#).map { String($0.1) }
        }
    }

    static let documents: [Document] = {
        let endings = [".md", ".1", ".5", ".7"]
        let sources = FileManager.default.subpaths(atPath: Program.repository.appending(path: "Sources").path) ?? []
        let pages = sources.filter { path in endings.contains { path.hasSuffix($0) } }.map { "Sources/" + $0 }
        return (["README.md", "fixtures/README.md"] + pages.sorted()).compactMap { path in
            (try? String(contentsOf: Program.repository.appending(path: path), encoding: .utf8)).map { text in
                Document(path: path, text: text.replacing("\\-", with: "-"))
            }
        }
    }()

    @Test func `All documents are read`() {
        let paths = DocumentsTests.documents.map(\.path)
        #expect(paths.contains("README.md"))
        #expect(paths.count { $0.hasPrefix("Sources/kedge/Manual/") } == 5)
        #expect(paths.count { $0.hasPrefix("Sources/kedge/kedge.docc/") } == 10)
    }

    @Test(arguments: documents) func `Each file that it names exists`(document: Document) {
        let root = Program.repository.path
        func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(root)/\(path)") }
        for match in document.text.matches(of: #/(?:Sources|Tests|fixtures)(?:/[A-Za-z0-9_.+-]+)+/#) {
            let path = match.0.hasSuffix(".") ? match.0.dropLast() : match.0
            #expect(exists(String(path)), "\(path)")
        }
        // The catalog names files of Sources without it.
        for code in document.code where code.contains("/") && code.hasSuffix(".swift") && !code.contains(" ") {
            #expect(exists(code) || exists("Sources/\(code)"), "\(code)")
        }
    }

    @Test(arguments: documents) func `Each command and option that it names exists`(document: Document) throws {
        let commands = try DocumentsTests.commands.get()
        for line in document.code {
            let words = line.split(separator: " ").map(String.init)
            // Two blanks end a command: a description follows.
            let command = line.trimmingCharacters(in: .whitespaces).split(separator: "  ").first ?? ""
            guard let program = words.first,
                let word = command.split(separator: " ").dropFirst().first.map(String.init),
                word.allSatisfy({ $0.isLowercase || $0 == "-" }), !word.hasPrefix("-")
            else { continue }
            if program == "make" {
                #expect(try DocumentsTests.targets.get().contains(word), "\(line)")
            } else if let all = commands[program] {
                // A conversation stands for `kedge open`.
                let options = try #require(all[all[word] == nil && word == "general" ? "open" : word], "\(line)")
                for option in words.prefix(while: { $0 != "|" }).filter({ $0.hasPrefix("--") }) {
                    let name = option.prefix { $0 == "-" || $0.isLowercase }
                    #expect(options.contains(String(name)), "\(line): \(name)")
                }
            }
        }
    }

    @Test(arguments: documents.filter(\.isManual))
    func `Each option in a manual page is one of a command`(page: Document) throws {
        let commands = try DocumentsTests.commands.get()
        let options = commands.values.flatMap(\.values).reduce(into: Set<String>()) { $0.formUnion($1) }
        for match in page.text.matches(of: #/(?:^|[\s(\[])(--[a-z][a-z-]*)/#.anchorsMatchLineEndings()) {
            #expect(options.contains(String(match.1)), "\(match.1)")
        }
    }

    @Test func `Each key in the table of the README has an action`() throws {
        let readme = try #require(DocumentsTests.documents.first { $0.path == "README.md" })
        let rows = readme.text.split(separator: "\n").filter { $0.hasPrefix("| `") && !$0.hasPrefix("| `man") }
        let names = rows.flatMap { $0.matches(of: #/`([^`]+)`/#).map { String($0.1) } }
        #expect(names.count >= 12)
        let arrows = ["↑": "up", "↓": "down"]
        for name in names {
            let key = try #require(Key(notation: arrows[name] ?? name), "\(name)")
            #expect(Keymap.standard.action(for: key) != nil, "\(name)")
        }
    }

    private static let targets = Result {
        let makefile = try String(contentsOf: Program.repository.appending(path: "Makefile"), encoding: .utf8)
        return Set(makefile.matches(of: #/^([a-z][a-z-]*):/#.anchorsMatchLineEndings()).map { String($0.1) })
    }

    /// The options of each command of both programs.
    private static let commands = Result {
        try ["kedge": options(of: Program.path), "kedge-matrix": options(of: Program.path + "-matrix")]
    }

    private static func options(of program: String) throws -> [String: Set<String>] {
        let help = try Program.run(program, ["--help"], environment: Program.environment).output
        var options: [String: Set<String>] = [:]
        for match in help.matches(of: #/^  ([a-z]+) /#.anchorsMatchLineEndings()) {
            let name = String(match.1)
            let help = try Program.run(program, ["help", name], environment: Program.environment).output
            options[name] = Set(help.matches(of: #/--[a-z][a-z-]*/#).map { String($0.0) })
        }
        return options
    }
}
