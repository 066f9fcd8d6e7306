import ArgumentParser

/// The option of printing commands to leave texts as they are in the archive.
struct RawOption: ParsableArguments {
    @Flag(
        name: .customLong("raw"),
        help:
            "On a pipe: keep control, bidi and invisible characters of texts (only tabs and line feeds become blanks)."
    )
    var isOn = false

    /// - Throws: on a terminal, which would obey control characters in the texts.
    func check() throws(Failure) {
        guard isOn, Output.isTerminal else { return }
        throw Failure(
            .usage, "--raw is for a pipe or a file: a terminal would obey the control characters of texts")
    }
}
