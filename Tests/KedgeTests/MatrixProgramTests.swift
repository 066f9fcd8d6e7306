import Testing

/// The command line of kedge-matrix, as a shell runs it.
struct MatrixProgramTests {
    private func run(_ arguments: [String]) throws -> Program.Result {
        try Program.run(Program.path + "-matrix", arguments, environment: Program.environment)
    }

    @Test(arguments: [
        (["synk"], "there is no command \"synk\"; did you mean `kedge-matrix sync`?"),
        (["help", "synk"], "there is no command \"synk\"; did you mean `kedge-matrix sync`?"),
        (["frobnicate"], "there is no command \"frobnicate\"; `kedge-matrix --help` lists the commands"),
        (["login"], "ID is missing (see `kedge-matrix login --help`)"),
        (
            ["login", "ana"],
            "\"ana\" is neither an ID (@ana:example.org) nor a server (example.org) (see `kedge-matrix login --help`)"
        ),
        (
            ["login", "example.org"],
            "the ID is missing, such as @ana:example.org (see `kedge-matrix login --help`)"
        ),
        (
            ["sync", "--onec"],
            "there is no option --onec; did you mean --once? (see `kedge-matrix sync --help`)"
        ),
        (
            ["-v"],
            "there is no option -v; `kedge-matrix --version` prints the version (see `kedge-matrix --help`)"
        ),
    ])
    func `A wrong command line is told in one line, with status 2`(arguments: [String], complaint: String) throws {
        let result = try run(arguments)
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(result.errors == "kedge-matrix: \(complaint)\n")
    }

    @Test func `Both programs have the same version`() throws {
        let version = try run(["--version"])
        #expect(version.status == 0 && version.errors.isEmpty)
        #expect(try version.output == Program.kedge("--version").output)
    }

    @Test func `Its help fits 80 columns, with the example of the README`() throws {
        let help = try run(["--help"])
        #expect(help.status == 0 && help.output.contains("$(kedge-matrix accounts | head -1 | cut -f2)"))
        for line in help.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        // A line that is too long would go on in the next one.
        #expect(help.output.contains("follows and sends for an open kedge\n"))
    }
}
