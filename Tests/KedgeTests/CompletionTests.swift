import ArgumentParser
import Foundation
import Testing

@testable import kedge

/// What shells complete.
struct CompletionTests {
    @Test(
        arguments: [
            ("", [.commands, .conversations, .files]), ("ge", [.commands, .conversations, .files]),
            ("general/", [.commands, .links, .files]), ("/tm", [.commands, .files]), ("-", [.options(of: "open")]),
            ("open ge", [.conversations, .files]), ("open --at m-1 ge", [.conversations, .files]),
            ("open general ", []), ("general ", []), ("general -", [.options(of: "open")]),
            ("show ge", [.beginningsOfLinks]), ("send ge", [.conversations]),
            ("show general/m", [.links]), ("send general ", []), ("search ti", []), ("search --in ", [.conversations]),
            ("search tide --from a", [.people]), ("send --as ", [.people]), ("list --", [.options(of: "list")]),
            ("--archive ", [.archives, .files]), ("--archive x show g", [.beginningsOfLinks]),
            ("import a.zip ", [.files]), ("/tmp/logs ge", [.conversations]), ("open ./logs kedge/", [.links]),
            ("check ", [.files]), ("export general --format ", [.words(["jsonl", "text", "markdown", "weechat"])]),
            ("help ", [.commands]), ("show --context ", []),
        ] as [(String, [Completion.Wish])])
    func `The place on the line decides what is completed`(line: String, wishes: [Completion.Wish]) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        #expect(Completion(words, commands: Kedge.configuration.subcommands).wishes == wishes)
    }

    private func lines(_ words: String...) throws -> [String] {
        let result = try Program.run(Program.path, ["complete", "--"] + words, environment: Program.environment)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test func `Conversations, people, links and options are completed with descriptions`() throws {
        let archive = ["--archive", Program.demo]
        #expect(try lines(archive[0], archive[1], "open", "gen") == ["general\tGeneral", ":files"])
        #expect(try lines(archive[0], archive[1], "search", "--from", "an") == ["ana\tAna Ruiz"])
        let links = try lines(archive[0], archive[1], "show", "welcome/")
        #expect(links.count == 1 && links[0].hasPrefix("welcome/m-") && links[0].contains("\t20"), "\(links)")
        #expect(try lines("list", "--j") == ["--json\tPrint a JSON array."])
        #expect(try lines("imp") == ["import\tMake an archive from an export, to write in.", ":files"])
        #expect(try lines("open", "--archive", "/nowhere", "") == [":files"])
    }

    @Test func `Each option that takes a value is known to the completions`() {
        let commands = Kedge.configuration.subcommands
        for command in commands {
            let name = command.configuration.commandName ?? ""
            let help = CommandHelp(command)
            #expect(help.usage.hasPrefix(name), "\(help.usage)")
            for option in help.options where option.value != nil {
                let option = option.names.last { $0.hasPrefix("--") } ?? ""
                #expect(Completion.valuesOfOptions[option] != nil, "\(option) of \(name)")
            }
        }
    }

    /// Runs a script of a shell in a folder that has a folder called general in it.
    private func output(_ shell: String, _ script: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-\(shell)-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["general", "paths"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        let programs = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path
        let shells = Program.repository.appending(path: "Sources/kedge/Completion/Shells").path
        let result = try Program.run(
            "/usr/bin/\(shell)", (shell == "fish" ? ["--no-config"] : ["-f"]) + ["-c", script],
            environment: Program.environment.merging([
                "KEDGE_ARCHIVE": Program.demo, "PWD_OF_TEST": folder.path, "PROGRAMS": programs, "SHELLS": shells,
                "HOME": folder.path,
            ]) { $1 })
        return result.output + result.errors
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/fish"), "fish is not here"),
        arguments: [("gen", "general\tGeneral\n"), ("pat", "paths/\n"), ("./gen", "./general/\n")])
    func `fish completes a path where no conversation begins like that`(word: String, completion: String) throws {
        let script =
            "set -x PATH $PROGRAMS $PATH; cd $PWD_OF_TEST; source $SHELLS/kedge.fish; complete -C 'kedge open \(word)'"
        #expect(try output("fish", script) == completion)
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh"), "zsh is not here"),
        arguments: [("gen", "compadd -l -S   -r / -V kedge -d shown -a values\n"), ("pat", "files\n")])
    func `zsh completes a path where no conversation begins like that`(word: String, calls: String) throws {
        let script =
            "PATH=$PROGRAMS:$PATH; compadd() { print -r -- compadd $@ }; _files() { print files }; "
            + "words=(kedge open \(word)); CURRENT=3; . $SHELLS/_kedge"
        #expect(try output("zsh", script) == calls)
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "bash is not here"),
        arguments: [
            ("open gen", 9, "^general\n$"),
            ("show general/", 9, "^general/m-[0-9]+  -- 20.*: .+\ngeneral/m-[0-9]+  -- 20"),
            ("show general/", 37, "^general/m-[0-9]+\ngeneral/m-[0-9]+\n"),
        ])
    func `bash completes a conversation, and lists messages with their texts`(
        line: String, type: Int, pattern: String
    ) throws {
        let script = Program.repository.appending(path: "Sources/kedge/Completion/Shells/kedge.bash").path
        let folder = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path
        let result = try Program.run(
            "/bin/bash",
            [
                "--norc", "-c",
                "compopt() { :; }; PATH=\(Program.quoted(folder)):$PATH; . \(Program.quoted(script)); "
                    + "COMP_WORDS=(kedge \(line)); COMP_CWORD=2; COMP_TYPE=\(type); _kedge; printf '%s\\n' \"${COMPREPLY[@]}\"",
            ], environment: Program.environment.merging(["KEDGE_ARCHIVE": Program.demo]) { $1 })
        let regex = try Regex(pattern)
        #expect(result.output.firstMatch(of: regex) != nil, "\(result)")
    }
}
