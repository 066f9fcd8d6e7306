import Terminal

/// The user's clipboard. Both ways are tried each time, since no terminal tells which of them worked.
///
///     text → Screen → (tmux, screen) → terminal → clipboard
///         └→ tmux load-buffer → tmux → terminal → clipboard
///
/// The second way is for tmux with its default settings (`set-clipboard external`): it takes a clipboard from its own command,
/// and not from the programs that run in it.
final class Clipboard {
    private let multiplexer: Multiplexer?
    private let buffer: TmuxBuffer?

    init(environment: [String: String] = Environment.variables) {
        multiplexer = Multiplexer(environment: environment)
        buffer = environment["TMUX"]?.isEmpty == false ? TmuxBuffer(environment: environment) : nil
    }

    /// Copies text, without control characters other than line feed and tab.
    /// - Returns: false when it is more than 1 MiB, and nothing is copied.
    func copy(_ text: String, by screen: borrowing Screen) -> Bool {
        guard let text = ClipboardText(text) else { return false }
        screen.copy(text, through: multiplexer)
        buffer?.load(text.string)
        return true
    }

    /// To be called before the program ends, after the screen is closed. A text on its way to tmux gets a second, so that it
    /// does not arrive cut in two.
    func finish() { buffer?.finish() }
}
