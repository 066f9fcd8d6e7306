import Display
import Interface

/// The tables of keys of the manual page, in the language of man(7) and tbl(1).
enum KeysManual {
    /// A terminal has no pages: without this, man(1) warns of a row that would stand across the end of one.
    private static let endless = ".if n .pl 9999i\n"

    static func text(of keymap: Keymap) -> String {
        endless
            + keymap.sections.flatMap { section in
                [".SS \(section.title)", ".TS", "tab(|);", "l l lx."]
                    + section.bindings.map { binding in
                        "\(keys(of: binding))|\(ManualPage.escaped(binding.name))|T{\n\(ManualPage.text(binding.help))\nT}"
                    } + [".TE"]
            }.joined(separator: "\n") + "\n"
    }

    private static func keys(of binding: Binding) -> String {
        let names = ManualPage.escaped(binding.keyNames.replacing("  ", with: " "))
        return arrows.reduce(names) { $0.replacing($1.key, with: $1.value) }
    }

    private static let arrows = ["↑": "\\(ua", "↓": "\\(da", "←": "\\(<-", "→": "\\(->"]
}
