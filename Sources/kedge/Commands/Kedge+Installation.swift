import ArgumentParser
import Interface
import Messages

extension Kedge {
    /// Runs `complete`, which the completions of shells call, and `manual`, which `make install` calls: they are no commands for
    /// people, and the help does not list them.
    /// - Returns: whether the command line is one of these.
    static func servesInstallation(_ arguments: [String]) throws -> Bool {
        switch arguments.first {
        case "complete":
            // Shells keep the separator.
            let words = arguments.dropFirst().first == "--" ? arguments.dropFirst(2) : arguments.dropFirst()
            try Output.print(Completion(Array(words), commands: configuration.subcommands).lines)
        case "manual":
            if let name = arguments.dropFirst().first {
                try printManual(of: name)
            } else {
                try Output.print(configuration.subcommands.compactMap { $0.configuration.commandName })
            }
        default: return false
        }
        return true
    }

    private static func printManual(of name: String) throws {
        // A part of kedge(1).
        if name == "keys" { return try Output.write(KeysManual.text(of: .standard)) }
        guard let command = configuration.subcommands.first(where: { $0.configuration.commandName == name }) else {
            throw Failure(.usage, "there is no command \"\(name.shortened)\"")
        }
        try Output.write(ManualPage(CommandHelp(command)).text)
    }
}
