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

// Each value is set: ArgumentParser's wrappers end the process when one is read that nobody has.

extension ArchiveOptions {
    init(_ plain: PlainArguments) {
        self.init()
        archive = plain.values["--archive"]
    }
}

extension PersonOptions {
    static var none: PersonOptions {
        var options = PersonOptions()
        options.person = nil
        options.newPerson = false
        return options
    }
}

extension RawOption {
    init(_ plain: PlainArguments) {
        self.init()
        isOn = plain.flags.contains("--raw")
    }
}
