package import Display

/// The title of the window or tab in which the terminal is.
extension Screen {
    /// Saves the title (XTWINOPS 22) before the first change, and brings it back (23). Terminals without such a stack ignore both.
    private static var save: String { "\u{1B}[22;0t" }
    static var restoreTitle: [UInt8] { Array("\u{1B}[23;0t".utf8) }

    /// The kinds of terminals that have a title, by the beginning of their names: terminfo seldom tells.
    private static let titled = [
        "xterm", "tmux", "screen", "rxvt", "alacritty", "kitty", "foot", "wezterm", "ghostty", "contour", "konsole",
        "gnome",
        "vte", "st-", "putty", "mintty", "iterm", "mlterm",
    ]

    /// Whether a terminal has a title: the Linux console, for example, would show some of the sequence as text.
    static func hasTitle(_ kind: String) -> Bool { titled.contains { kind.hasPrefix($0) } || kind == "st" }

    /// Writes the title, if it is another one than before. To be called after a frame, which it must not delay.
    package mutating func setTitle(_ title: CleanText) {
        guard hasTitle, title.string != shownTitle, !isClosed else { return }
        let isFirst = shownTitle == nil
        shownTitle = title.string
        if isFirst { prepareFarewell() }
        send(Array(((isFirst ? Self.save : "") + "\u{1B}]2;" + Self.harmless(title, isUTF8: isUTF8) + "\u{1B}\\").utf8))
    }

    /// The title from before, as other programs expect it. The next `setTitle` writes its own again.
    /// Call this between `cn_begin_output` and `cn_end_output`.
    mutating func giveTitleBack() {
        guard shownTitle != nil else { return }
        shownTitle = nil
        write(Self.restoreTitle)
    }

    /// Without anything that could end the sequence. A clean text has no controls; this does not rely on it.
    private static func harmless(_ title: CleanText, isUTF8: Bool) -> String {
        let scalars = title.string.unicodeScalars.filter { $0.properties.generalCategory != .control }
        return String(String.UnicodeScalarView(isUTF8 ? Array(scalars) : scalars.map(Substitutes.ascii)))
    }
}
