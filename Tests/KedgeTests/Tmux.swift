import Foundation
import Testing

/// A real terminal: a tmux server of its own with one pane. Nothing here sleeps; what is waited for is polled, at the
/// pace of asking tmux, and the screen is shown when it does not come.
final class Tmux {
    private let socket = "kedge-tests-\(UUID().uuidString)"

    /// - Parameter command: run by the shell in the pane, which stays open behind it.
    init(columns: Int, rows: Int, environment: [String: String] = [:], command: String? = nil) throws {
        try FileManager.default.createDirectory(
            at: Program.stateFolder, withIntermediateDirectories: true)
        var variables = Program.environment
        for (name, value) in environment { variables[name] = value }
        let shell = "env -i " + variables.map { "\($0)=\(Program.quoted($1))" }.sorted().joined(separator: " ")
        let size = ["-x", "\(columns)", "-y", "\(rows)"]
        // The server outlives this client and would keep its pipes open: it gets none.
        let start = ["tmux", "-u", "-L", socket, "-f", "/dev/null", "new-session", "-d"] + size
        let words = (start + ["\(shell) bash --norc --noprofile"]).map(Program.quoted).joined(separator: " ")
        _ = try Program.run("/bin/sh", ["-c", words + " </dev/null >/dev/null 2>&1"])
        try run(["set-option", "-g", "status", "off"])
        try run(["set-option", "-g", "escape-time", "0"])
        try resize(columns: columns, rows: rows)
        if let command { try type(command) }
    }

    deinit { _ = try? Program.run("/usr/bin/env", ["tmux", "-L", socket, "kill-server"]) }

    /// Types a line of text and Enter.
    func type(_ text: String) throws {
        try run(["send-keys", "-l", text])
        try run(["send-keys", "Enter"])
    }

    /// Types a message into the composer and Enter, and waits until it has left the composer: several lines that come faster than the
    /// program reads would be one text.
    func post(_ text: String) throws {
        try type(text)
        try waitUntil("\(text) posted") { $0.contains { $0.contains(text) && !$0.contains("› ") } }
    }

    /// Types letters, and no Enter.
    func type(letters text: String) throws { try run(["send-keys", "-l", text]) }

    /// Sends bytes as a terminal would: what the mouse did, say.
    func send(_ bytes: String) throws {
        try run(["send-keys", "-H"] + bytes.utf8.map { String($0, radix: 16) })
    }

    /// Sets an option of the server or of all sessions.
    func set(_ option: String, _ value: String) throws { try run(["set-option", "-g", option, value]) }

    /// Polls until the newest buffer, into which programs copy, is as wanted.
    func waitUntilBuffer(
        seconds: Double = 60, _ condition: (String) -> Bool, location: SourceLocation = #_sourceLocation
    ) throws {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while true {
            let buffer = try Program.run("/usr/bin/env", ["tmux", "-u", "-L", socket, "show-buffer"]).output
            if condition(buffer) { return }
            guard Date() < deadline else {
                Issue.record("the clipboard holds \"\(buffer)\"", sourceLocation: location)
                throw Unmet(what: "clipboard")
            }
        }
    }

    /// Presses keys by tmux's names.
    func press(_ keys: String...) throws { try press(keys) }

    /// They come all at once: nothing else happens in between, however slow the machine.
    func press(_ keys: [String]) throws { try run(["send-keys"] + keys) }

    func resize(columns: Int, rows: Int) throws {
        try run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// What tmux knows of the pane, by one of its formats.
    func ask(_ format: String) throws -> String {
        try run(["display-message", "-p", format]).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Writes all that the pane's program prints from now on into a file.
    func record(to path: String) throws { try run(["pipe-pane", "cat > \(Program.quoted(path))"]) }

    /// Whether anything on the screen has a colour or another attribute.
    func hasColors() throws -> Bool { try run(["capture-pane", "-p", "-e"]).contains("\u{1B}[") }

    func screen() throws -> [String] {
        var lines = try run(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    /// Polls until the screen is as wanted. One look can show half of a frame, so it returns no screen: `waitUntilStill` does.
    func waitUntil(
        _ what: String, seconds: Double = 60, location: SourceLocation = #_sourceLocation,
        _ condition: ([String]) -> Bool
    ) throws {
        let deadline = Date(timeIntervalSinceNow: seconds)
        var screen = try screen()
        while !condition(screen) {
            guard Date() < deadline else {
                Issue.record("not \(what):\n\(screen.joined(separator: "\n"))", sourceLocation: location)
                throw Unmet(what: what)
            }
            screen = try self.screen()
        }
    }

    /// The screen after it is as wanted, and stays so for some looks: one look can show half of a frame, and so can two on a slow machine.
    func waitUntilStill(
        _ what: String, looks: Int = 5, seconds: Double = 60, location: SourceLocation = #_sourceLocation,
        _ condition: ([String]) -> Bool
    ) throws -> [String] {
        var (last, same): ([String], Int) = ([], 0)
        try waitUntil(what, seconds: seconds, location: location) { screen in
            same = screen == last ? same + 1 : 1
            last = screen
            return same >= looks && condition(screen)
        }
        return last
    }

    /// The screen after it has become another than `old`, and stayed so for some looks.
    /// - Parameter ofLastRow: whether the last row has to be another. It is drawn last: what is above it is whole then.
    func waitForChange(
        from old: [String], ofLastRow: Bool = false, location: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        try waitUntilStill("another screen", looks: ofLastRow ? 2 : 5, location: location) { screen in
            screen != old && (!ofLastRow || screen.last != old.last)
        }
    }

    /// The screen as it stays for some looks: one look can show half of a frame, and so can two on a slow machine.
    func stillScreen(location: SourceLocation = #_sourceLocation) throws -> [String] {
        try waitUntilStill("a screen that stays", looks: 5, location: location) { _ in true }
    }

    struct Unmet: Error { let what: String }

    @discardableResult
    private func run(_ arguments: [String]) throws -> String {
        let result = try Program.run("/usr/bin/env", ["tmux", "-u", "-L", socket] + arguments)
        guard result.status == 0 else { throw Unmet(what: "tmux \(arguments): \(result.errors)") }
        return result.output
    }
}

/// The program that was built with these tests.
enum Program {
    static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let demo = repository.appending(path: "fixtures/demo").path
    /// Real chats beside the repository, where there are some.
    static let publicArchive = repository.deletingLastPathComponent().appending(path: "shared/data/public-irc").path
    static let hasPublicArchive = FileManager.default.fileExists(atPath: publicArchive + "/archive.json")
    static let stateFolder = FileManager.default.temporaryDirectory.appending(path: "kedge-tests-state")

    static let path: String = {
        let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "kedge")
        let built = repository.appending(path: ".build/debug/kedge")
        return FileManager.default.isExecutableFile(atPath: beside.path) ? beside.path : built.path
    }()

    /// Settings with which a screen says which message is selected.
    /// - Parameter list: whether wide screens have the list of conversations.
    static func configFolder(list: Bool) -> String { list ? configFolders.with : configFolders.without }

    private static let configFolders = (with: makeConfigFolder(list: true), without: makeConfigFolder(list: false))

    private static func makeConfigFolder(list: Bool) -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-tests-config-\(list)")
        let kedge = folder.appending(path: "kedge")
        try? FileManager.default.createDirectory(at: kedge, withIntermediateDirectories: true)
        try? Data("status-link = true\nlist = \(list)\n".utf8).write(to: kedge.appending(path: "config.toml"))
        return folder.path
    }

    /// An environment that is the same everywhere, and writes nothing into the user's folders.
    static var environment: [String: String] {
        [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": stateFolder.path,
            "XDG_STATE_HOME": stateFolder.path, "TZ": "UTC", "LC_ALL": "C.UTF-8", "TERM": "screen-256color",
            "PS1": "$ ", "KEDGE": path, "XDG_CONFIG_HOME": configFolder(list: false),
        ].merging(sanitizers) { $1 }
    }

    /// Where the program is to put what a sanitizer reports of it (`make sanitize`).
    private static let sanitizers = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }

    /// Takes away the index of an archive that was made for a test, whose name is no other's.
    static func forget(archive: String) {
        let cache = stateFolder.appending(path: ".cache/kedge").path
        let name = URL(fileURLWithPath: archive).lastPathComponent
        let all = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
        for index in all where index.hasPrefix(name) {
            try? FileManager.default.removeItem(atPath: "\(cache)/\(index)")
        }
    }

    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs kedge to its end.
    static func kedge(_ arguments: String..., environment extra: [String: String] = [:]) throws -> Result {
        try run(path, arguments, environment: environment.merging(extra) { $1 })
    }

    /// Runs a program to its end, by the plain calls of the system: Foundation's `Process` needs a run loop, which the
    /// threads of tests do not have.
    static func run(_ path: String, _ arguments: [String], environment: [String: String]? = nil) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files, not pipes: a server that is started here would inherit a pipe and never close it.
        let files = ["output", "errors"].map { folder.appending(path: $0).path }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, files[0], O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, files[1], O_WRONLY | O_CREAT, 0o600)
        // The threads of tests block signals, without which a shell waits for its children for ever.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let variables = environment ?? ProcessInfo.processInfo.environment
        let status = try withStrings([path] + arguments) { words in
            try withStrings(variables.map { "\($0)=\($1)" }) { settings in
                var process = pid_t()
                let failure = posix_spawn(&process, path, &actions, &attributes, words, settings)
                guard failure == 0 else { throw Unstartable(path: path, reason: String(cString: strerror(failure))) }
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                return status
            }
        }
        let texts = files.map { String(decoding: FileManager.default.contents(atPath: $0) ?? Data(), as: UTF8.self) }
        return Result(status: (status >> 8) & 0xFF, output: texts[0], errors: texts[1])
    }

    struct Unstartable: Error {
        let path: String
        let reason: String
    }

    private static func withStrings<Value>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Value
    ) rethrows -> Value {
        let copies = strings.map { strdup($0) } + [nil]
        defer { copies.forEach { free($0) } }
        return try body(copies)
    }

    static func quoted(_ text: String) -> String { "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'" }
}
