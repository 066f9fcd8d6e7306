import Interface

import Glibc

/// The user's own editor for texts: `$VISUAL`, else `$EDITOR`, else vi.
struct TextEditor {
    /// May have arguments: `code --wait`.
    private let command: String
    /// The folders for the file, the best first.
    private let folders: [String]
    private let environment: [String]

    /// More than a message can have.
    private static let mostBytes = 1 << 25

    init(environment: [String: String], folders: [String]) {
        command = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
        self.folders = folders
        self.environment = environment.map { "\($0)=\($1)" }
    }

    /// Shows a text in the editor, which has the terminal meanwhile, and waits until it ends.
    /// - Returns: the text of the file; or the reason why there is none.
    func edit(_ text: String) -> Result<String, EditFailure> {
        var written: String?
        for folder in folders where written == nil { written = TextEditor.write(text, into: folder) }
        guard let path = written else {
            return .failure(EditFailure("there is no room for the file of the editor"))
        }
        defer { unlink(path) }
        if let reason = run(path) { return .failure(EditFailure(reason)) }
        guard let text = TextEditor.read(path) else {
            return .failure(EditFailure("the text of the editor cannot be read"))
        }
        return .success(text)
    }

    /// - Returns: the reason of a failure.
    private func run(_ path: String) -> String? {
        // Keys for the editor that the terminal turns into signals are not for Kedge; ^Z stops both, as the shell expects.
        let handlers: [(Int32, __sighandler_t?)] = [(SIGINT, SIG_IGN), (SIGQUIT, SIG_IGN), (SIGTSTP, SIG_DFL)]
        let former = handlers.map { number, handler in
            var (action, old) = (sigaction(), sigaction())
            action.__sigaction_handler.sa_handler = handler
            sigaction(number, &action, &old)
            return (number, old)
        }
        defer {
            for (number, old) in former { withUnsafePointer(to: old) { _ = sigaction(number, $0, nil) } }
        }
        let name = command.split(separator: " ").first.map(String.init) ?? command
        let process: pid_t
        do throws(ChildFailure) {
            // The variable is a command line of the user's own, as for git.
            process = try Child.startOnTerminal(
                "/bin/sh", ["-c", "exec \(command) \"$@\"", name, path], environment: environment)
        } catch {
            return "the editor cannot be started: \(String(cString: strerror(error.code)))"
        }
        let status = Child.wait(for: process)
        if status == 0 { return nil }
        let short = name.split(separator: "/").last ?? name[...]
        if status & 0x7F != 0 { return "\(short) was ended by signal \(status & 0x7F)" }
        let code = status >> 8 & 0xFF
        return code == 127 ? "there is no \(name); set EDITOR" : "\(short) failed with status \(code)"
    }

    /// Writes a new file that nobody else can read.
    /// - Returns: its path; nil when it cannot be written.
    private static func write(_ text: String, into folder: String) -> String? {
        var template = Array((folder + "/kedge-draft-XXXXXX.md").utf8CString)
        let file = mkstemps(&template, 3)
        guard file >= 0 else { return nil }
        let path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? ""
        // Editors expect a line feed at the end; some would join a new line to the last one.
        var rest = Array((text.isEmpty || text.hasSuffix("\n") ? text : text + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        guard close(file) == 0, rest.isEmpty else {
            unlink(path)
            return nil
        }
        return path
    }

    /// The editor may have put another file in the place of the first one.
    private static func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= mostBytes else {
            return nil
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= mostBytes {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return String(validating: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
        return nil
    }
}
