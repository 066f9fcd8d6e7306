import ArgumentParser

/// The words of a command line in which all is plain: each option once, apart from its value, and nothing that could be meant in
/// two ways. ArgumentParser would read the same out of it, but describes all commands to itself first; it reads all others.
struct PlainArguments {
    private(set) var words: [String] = []
    private(set) var values: [String: String] = [:]
    private(set) var flags: Set<String> = []

    /// Nil when something is not plain: it may be wrong, or ask for help.
    init?(_ arguments: some Sequence<String>, options: Set<String>, flags known: Set<String>) {
        var option: String?
        for argument in arguments {
            guard let first = argument.utf8.first else { return nil }
            if first != UInt8(ascii: "-") {
                if let name = option {
                    values[name] = argument
                    option = nil
                } else {
                    words.append(argument)
                }
            } else if option == nil, options.contains(argument), values[argument] == nil {
                option = argument
            } else if option == nil, known.contains(argument), flags.insert(argument).inserted {
                continue
            } else {
                return nil
            }
        }
        if option != nil { return nil }
    }
}

extension Kedge {
    /// The command of a plain command line; nil for any other.
    /// - Parameter arguments: after the name of the program.
    static func plainCommand(_ arguments: [String]) -> (any ParsableCommand)? {
        switch arguments.first {
        case "open": Open(plain: arguments.dropFirst())
        case "search": Search(plain: arguments.dropFirst())
        default: nil
        }
    }
}

extension Open {
    /// - Parameter arguments: after the name of the command.
    fileprivate init?(plain arguments: ArraySlice<String>) {
        guard
            let plain = PlainArguments(
                arguments, options: ["--archive", "--at", "--date"], flags: ["--start", "--unread"]),
            plain.words.count <= 1
        else { return nil }
        self.init()
        options = ArchiveOptions(plain)
        person = PersonOptions.none
        link = plain.words.first
        at = plain.values["--at"]
        date = plain.values["--date"]
        start = plain.flags.contains("--start")
        unread = plain.flags.contains("--unread")
    }
}

extension Search {
    /// - Parameter arguments: after the name of the command.
    fileprivate init?(plain arguments: ArraySlice<String>) {
        let options: Set = ["--archive", "--in", "--from", "--since", "--until", "--limit"]
        guard let plain = PlainArguments(arguments, options: options, flags: ["--json", "--raw"]), !plain.words.isEmpty
        else { return nil }
        let limit = plain.values["--limit"].map { Int($0) ?? 0 }
        if let limit, limit < 1 { return nil }
        self.init()
        self.options = ArchiveOptions(plain)
        words = plain.words
        conversation = plain.values["--in"]
        from = plain.values["--from"]
        since = plain.values["--since"]
        until = plain.values["--until"]
        self.limit = limit
        json = plain.flags.contains("--json")
        raw = RawOption(plain)
    }
}

// Each value is set: ArgumentParser's wrappers end the process when one is read that nobody has.

extension ArchiveOptions {
    fileprivate init(_ plain: PlainArguments) {
        self.init()
        archive = plain.values["--archive"]
    }
}

extension PersonOptions {
    fileprivate static var none: PersonOptions {
        var options = PersonOptions()
        options.person = nil
        options.newPerson = false
        return options
    }
}

extension RawOption {
    fileprivate init(_ plain: PlainArguments) {
        self.init()
        isOn = plain.flags.contains("--raw")
    }
}
