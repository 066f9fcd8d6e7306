import ArgumentParser

/// Whether a command that prints leaves texts as the archive has them.
struct RawOption: ParsableArguments {
    @Flag(
        name: .customLong("raw"),
        help:
            "On a pipe: leave control, bidi and invisible characters in the texts (only tabs and line feeds become blanks)."
    )
    var isOn = false

    /// - Throws: on a terminal, which would do as the texts say.
    func check() throws(Failure) {
        guard isOn, Output.isTerminal else { return }
        throw Failure(
            .usage, "--raw is for a pipe or a file: a terminal would do what control characters in the texts say")
    }
}
