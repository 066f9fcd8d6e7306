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
        try run([
            "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "\(shell) bash --norc --noprofile",
        ])
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

    /// Presses keys by tmux's names.
    func press(_ keys: String...) throws { try run(["send-keys"] + keys) }

    func resize(columns: Int, rows: Int) throws {
        try run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    func screen() throws -> [String] {
        var lines = try run(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    /// Polls until the screen is as wanted and returns it.
    @discardableResult
    func waitUntil(
        _ what: String, seconds: Double = 30, _ condition: ([String]) -> Bool,
        location: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        let deadline = Date(timeIntervalSinceNow: seconds)
        var screen = try screen()
        while !condition(screen) {
            guard Date() < deadline else {
                Issue.record("not \(what):\n\(screen.joined(separator: "\n"))", sourceLocation: location)
                throw Unmet(what: what)
            }
            screen = try self.screen()
        }
        return screen
    }

    /// The screen after it has become another than `old`, and stayed so for two looks.
    func waitForChange(
        from old: [String], location: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        var last = old
        return try waitUntil(
            "another screen",
            { screen in
                defer { last = screen }
                return screen != old && screen == last
            }, location: location)
    }

    struct Unmet: Error { let what: String }

    @discardableResult
    private func run(_ arguments: [String]) throws -> String {
        let result = try Program.run("/usr/bin/env", ["tmux", "-L", socket] + arguments)
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

    /// An environment that is the same everywhere, and writes nothing into the user's folders.
    static var environment: [String: String] {
        [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": stateFolder.path,
            "XDG_STATE_HOME": stateFolder.path, "TZ": "UTC", "LC_ALL": "C.UTF-8", "TERM": "screen-256color",
            "PS1": "$ ", "KEDGE": path,
        ]
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

    static func run(_ path: String, _ arguments: [String], environment: [String: String]? = nil) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        if let environment { process.environment = environment }
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // What goes to stderr is a line or two, and fits its pipe while stdout is read.
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complaints = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: text, errors: complaints)
    }

    static func quoted(_ text: String) -> String { "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'" }
}
