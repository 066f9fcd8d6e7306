import Terminal

/// The user's clipboard, by whatever way there is: nobody tells which one worked.
///
///     text → Screen → (tmux, screen) → terminal → clipboard
///         └→ tmux load-buffer → tmux → terminal → clipboard
///
/// The second way is for tmux as it comes: it takes no clipboard from the programs in it (`set-clipboard external`), but
/// from its own command.
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

    /// To be called before the program ends, when the screen is closed: what is on its way to tmux gets a second, so that
    /// no half of it arrives.
    func finish() { buffer?.finish() }
}
