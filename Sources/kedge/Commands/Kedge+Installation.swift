import ArgumentParser
import Interface
import Messages

extension Kedge {
    /// Runs `complete`, which the completions of shells call, and `manual`, which `make install` calls: they are no commands for
    /// people, and the help does not list them.
    /// - Returns: whether the command line is one of these.
    static func servesInstallation(_ arguments: [String]) throws -> Bool {
        // A start that opens a conversation does without the table of commands.
        guard let first = arguments.first, first == "complete" || first == "manual" else { return false }
        let commands = configuration.subcommands
        if first == "complete" {
            // Shells keep the separator.
            let words = arguments.dropFirst().first == "--" ? arguments.dropFirst(2) : arguments.dropFirst()
            try Output.print(Completion(Array(words), commands: commands).lines)
        } else if let name = arguments.dropFirst().first {
            try printManual(of: name, among: commands)
        } else {
            try Output.print(commands.compactMap { $0.configuration.commandName })
        }
        return true
    }

    private static func printManual(of name: String, among commands: [any ParsableCommand.Type]) throws {
        // A part of kedge(1).
        if name == "keys" { return try Output.write(KeysManual.text(of: .standard)) }
        guard let command = commands.first(where: { $0.configuration.commandName == name }) else {
            throw Failure(.usage, "there is no command \"\(name.shortened)\"")
        }
        try Output.write(ManualPage(CommandHelp(command)).text)
    }
}
