import Display
import Terminal

import Glibc

/// The program by which a user reads long output: `$PAGER`, else less.
enum UserPager {
    /// Shows lines on the terminal, by the pager if they are more than the screen has rows.
    /// - Throws: when stdout cannot be written.
    static func show(_ lines: [String]) throws(Failure) {
        let command = Environment.variables["PAGER"].flatMap { $0.isEmpty ? nil : $0 } ?? "less"
        guard lines.count >= Screen.terminalSize.rows, command != "cat", page(lines, by: command) else {
            return try Output.print(lines)
        }
    }

    /// - Returns: false if the pager could not be started.
    private static func page(_ lines: [String], by command: String) -> Bool {
        // Without a shell that finds the pager, all lines would be lost.
        let name = command.split(separator: " ").first.map(String.init) ?? ""
        guard isInstalled(name) else { return false }
        // As for git: colours, no pager for a short text, and the text stays on the screen.
        if Environment.variables["LESS"] == nil { setenv("LESS", "FRX", 1) }
        signal(SIGPIPE, SIG_IGN)
        // ^C is for the pager.
        signal(SIGINT, SIG_IGN)
        guard let pipe = popen(command, "w") else { return false }
        for line in lines {
            let text = Output.presentable(line + "\n")
            guard fputs(text, pipe) >= 0 else { break }
        }
        pclose(pipe)
        return true
    }

    private static func isInstalled(_ name: String) -> Bool {
        guard !name.contains("/") else { return access(name, X_OK) == 0 }
        let folders = (Environment.variables["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.contains { access("\($0)/\(name)", X_OK) == 0 }
    }
}
