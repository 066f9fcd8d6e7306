import ArgumentParser

/// The arguments and options of a command, as its help lists them: manual pages and completions are made of them.
struct CommandHelp {
    struct Entry: Equatable {
        /// `--archive`, or the name of an argument.
        let names: [String]
        /// `path`; nil for a flag or an argument.
        let value: String?
        let help: String
    }

    let name: String
    let abstract: String
    let discussion: String
    /// Begins with the name of the command.
    private(set) var usage = ""
    private(set) var arguments: [Entry] = []
    private(set) var options: [Entry] = []

    init(_ command: any ParsableCommand.Type) {
        name = command.configuration.commandName ?? ""
        abstract = command.configuration.abstract
        discussion = command.configuration.discussion
        read(command.helpMessage(columns: 10_000))
    }

    /// Reads the sections of a help: each entry is one line, in columns that are two blanks apart.
    private mutating func read(_ help: String) {
        var section = ""
        for line in help.split(separator: "\n") {
            if let title = ["USAGE: ", "ARGUMENTS:", "OPTIONS:"].first(where: { line.hasPrefix($0) }) {
                section = title
                if title == "USAGE: " { usage = String(line.dropFirst(title.count)) }
            } else if line.hasPrefix("      ") {
                continueEntry(of: section, with: String(line.drop { $0 == " " }))
            } else if line.hasPrefix("  "), let entry = CommandHelp.entry(line) {
                switch section {
                case "ARGUMENTS:": arguments.append(entry)
                case "OPTIONS:": options.append(entry)
                default: break
                }
            }
        }
    }

    /// The help of a long name stands in the line below it.
    private mutating func continueEntry(of section: String, with text: String) {
        func continued(_ entries: [Entry]) -> [Entry] {
            guard let last = entries.last else { return entries }
            let help = last.help.isEmpty ? text : "\(last.help) \(text)"
            return entries.dropLast() + [Entry(names: last.names, value: last.value, help: help)]
        }
        switch section {
        case "ARGUMENTS:": arguments = continued(arguments)
        case "OPTIONS:": options = continued(options)
        default: break
        }
    }

    private static func entry(_ line: Substring) -> Entry? {
        let text = line.drop { $0 == " " }
        let gap = text.firstRange(of: "  ")
        let head = gap.map { text[..<$0.lowerBound] } ?? text
        let help = gap.map { text[$0.upperBound...].drop { $0 == " " } } ?? ""
        let words = head.split(separator: " ").map { $0.last == "," ? $0.dropLast() : $0 }
        let value = words.first { $0.hasPrefix("<") }.map { String($0.dropFirst().prefix { $0 != ">" }) }
        let names = words.filter { $0.hasPrefix("-") }.map(String.init)
        guard !names.isEmpty else {
            return value.map { Entry(names: [$0], value: nil, help: String(help)) }
        }
        return Entry(names: names, value: value, help: String(help))
    }
}
