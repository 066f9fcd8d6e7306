import ArgumentParser
import Interface
import Messages

extension Kedge {
    /// Runs `complete`, which the completions of shells call, and `manual`, which `make install` calls: they are no commands for
    /// people, and the help does not list them.
    /// - Returns: whether the command line is one of these.
    static func servesInstallation(_ arguments: [String]) throws -> Bool {
        let commands = configuration.subcommands
        switch arguments.first {
        case "complete":
            // Shells keep the separator.
            let words = arguments.dropFirst().first == "--" ? arguments.dropFirst(2) : arguments.dropFirst()
            try Output.print(Completion(Array(words), commands: commands).lines)
        case "manual":
            guard let name = arguments.dropFirst().first else {
                try Output.print(commands.compactMap { $0.configuration.commandName })
                break
            }
            // A part of kedge(1).
            if name == "keys" {
                try Output.write(KeysManual.text(of: .standard))
                break
            }
            guard let command = commands.first(where: { $0.configuration.commandName == name }) else {
                throw Failure(.usage, "there is no command \"\(name.shortened)\"")
            }
            try Output.write(ManualPage(CommandHelp(command)).text)
        default: return false
        }
        return true
    }
}
