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
            ("help ", [.commands]), ("show --context ", []), ("search tide --in=", [.conversations]),
            ("search tide --from=a", [.people]), ("--archive=", [.archives, .files]),
            ("--archive=x show g", [.beginningsOfLinks]), ("search --in=general ", []),
            ("list --x=", [.options(of: "list")]),
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
        #expect(try lines("--archive=" + archive[1], "search", "tide", "--in=gen") == ["--in=general\tGeneral"])
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
            + "words=(kedge open \(word)); CURRENT=3; PREFIX=\(word); . $SHELLS/_kedge"
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
                    + "COMP_LINE='kedge \(line)'; COMP_POINT=${#COMP_LINE}; COMP_TYPE=\(type); _kedge kedge ${COMP_LINE##* }; "
                    + "printf '%s\\n' \"${COMPREPLY[@]}\"",
            ], environment: Program.environment.merging(["KEDGE_ARCHIVE": Program.demo]) { $1 })
        let regex = try Regex(pattern)
        #expect(result.output.firstMatch(of: regex) != nil, "\(result)")
    }

    // MARK: - Names that mean something to a shell

    private static let names = [
        "a;touch RAN;x", "f\"$(touch RAN)\"", "b`touch RAN`", "x|touch RAN", "it's 'x'", "e!touch RAN", "back\\sl",
        "end!",
        "co:lon@touch=RAN", "g*[a]{b,c}>RAN", "q'", "می\u{200C}خ",
    ]
    /// A shell, the quote that is open before the word, and a name. zsh and fish quote by themselves: a few names will do.
    private static let typings =
        names.flatMap { name in ["", "'", "\"", "$'"].map { ("bash", $0, name) } }
        + ["zsh", "fish"].flatMap { shell in
            names.prefix(5).flatMap { name in ["", "'", "\""].map { (shell, $0, name) } }
        }

    @Test(
        .enabled(if: ["zsh", "fish"].allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }),
        arguments: typings)
    func `A name that a shell completes is only a name`(shell: String, quote: String, name: String) throws {
        let tmux = try ShellTerminal(shell, conversations: [name])
        try tmux.complete("show \(quote)\(name.prefix(1))")
        let screen = try tmux.waitUntilDone()
        #expect(screen.contains { $0.contains("hello there") }, "\(screen)")
        #expect(!tmux.hasRun, "\(screen)")
    }

    @Test(arguments: ["", "'", "\"", "$'"])
    func `The beginning that two names share is quoted as well`(quote: String) throws {
        let tmux = try ShellTerminal("bash", conversations: ["a;touch RAN;x", "a;touch RAN;y"])
        try tmux.complete("show \(quote)a")
        if !quote.isEmpty {
            // An open quote keeps the line open.
            try tmux.terminal.waitUntil("the next line") { $0.contains { $0.hasPrefix(">") } }
            try tmux.terminal.press("C-c")
        }
        _ = try tmux.waitUntilDone()
        #expect(!tmux.hasRun)
    }

    @Test func `Of names in lines for shells each byte is kept`() {
        let name = Completion.Candidate(word: ":a\n\\'\u{200D}\"\t", description: "one\ntwo")
        #expect(name.line == "\\x3aa\\x0a\\x5c\\x27\u{200D}\\x22\\x09\tone")
    }
}

/// A shell with Kedge's completion in a real terminal, in a folder of its own.
private final class ShellTerminal {
    let terminal: Tmux
    private let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-shell-\(UUID().uuidString)")

    /// - Parameter conversations: their IDs. Each has a message "hello there".
    init(_ shell: String, conversations: [String]) throws {
        let folder = self.folder
        func write(_ file: String, _ text: String) throws {
            let url = folder.appending(path: file)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        try write("archive/archive.json", #"{"format":"kedge","version":1,"name":"Test","me":"ana"}"#)
        for id in conversations {
            try write(
                "archive/conversations/\(id)/messages-000001.jsonl", ScratchArchive.message("m-1", "hello there") + "\n"
            )
        }
        try write("work/.keep", "")
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "kedge"), withDestinationURL: URL(fileURLWithPath: Program.path))
        let scripts = Program.repository.appending(path: "Sources/kedge/Completion/Shells").path
        try write("bashrc", "PS1='ready$ '; bind 'set bell-style none'; set -H; source \(scripts)/kedge.bash\n")
        try write(
            ".zshrc", "PS1='ready$ '; fpath=(\(scripts) $fpath); autoload -Uz compinit; compinit -u -d $HOME/dump\n")
        let fish = "function fish_prompt; echo 'ready$ '; end; set fish_greeting; source \(scripts)/kedge.fish\n"
        try write("fish/config.fish", fish)
        let start = shell == "bash" ? "bash --rcfile \(folder.path)/bashrc -i" : "\(shell) -i"
        terminal = try Tmux(
            columns: 160, rows: 30,
            environment: [
                "HOME": folder.path, "XDG_CONFIG_HOME": folder.path, "XDG_CACHE_HOME": folder.path + "/cache",
                "XDG_STATE_HOME": folder.path + "/state", "KEDGE_ARCHIVE": folder.path + "/archive",
                "PATH": folder.path + ":" + (Program.environment["PATH"] ?? ""),
            ], command: "cd \(folder.path)/work && exec \(start)")
        try terminal.waitUntil("ready") { $0.contains { $0.hasPrefix("ready$") } }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Types the beginning of a line, Tab twice, and Enter. The shell takes them one after the other.
    func complete(_ line: String) throws {
        try terminal.type(letters: "kedge \(line)")
        try terminal.press("Tab")
        try terminal.press("Tab")
        try terminal.press("Enter")
    }

    /// The screen when the shell has run the lines before.
    func waitUntilDone() throws -> [String] {
        try terminal.type("echo do''ne")
        try terminal.waitUntil("done") { $0.contains { $0.hasPrefix("done") } }
        return try terminal.screen()
    }

    var hasRun: Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: "work/RAN").path)
    }
}
