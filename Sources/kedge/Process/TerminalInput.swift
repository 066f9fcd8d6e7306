import Glibc

/// The terminal as the source of keys.
enum TerminalInput {
    /// Makes the terminal the standard input, if that is something else and the screen would be shown on a terminal: as less
    /// and fzf do, so that `… | xargs kedge open` works.
    static func takeOver() {
        guard isatty(STDIN_FILENO) == 0, isatty(STDOUT_FILENO) == 1 else { return }
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return }
        dup2(terminal, STDIN_FILENO)
        close(terminal)
    }
}
