import ArgumentParser

/// The words of a plain command line: each option is there once, its value is a word of its own, and no word has two meanings.
/// ArgumentParser would read the same, but builds a description of all commands first; it reads only the other command lines.
struct PlainArguments {
    private(set) var words: [String] = []
    private(set) var values: [String: String] = [:]
    private(set) var flags: Set<String> = []

    /// Nil when the command line is not plain: it may be wrong, or ask for help.
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

// Each property is set here, since ArgumentParser's wrappers end the process when a property is read that was never set.

extension ArchiveOptions {
    /// For commands with another way to name their archive.
    init(path: String?, reading: ReadingArguments = .none, format: String? = nil) {
        self.init()
        archive = path
        self.reading = reading
        self.format = format
    }
}

extension ReadingArguments {
    static var none: ReadingArguments {
        var arguments = ReadingArguments()
        (arguments.zone, arguments.charset, arguments.dates) = (nil, nil, nil)
        return arguments
    }
}

extension Open {
    /// The command without any option.
    static var plain: Open {
        var open = Open()
        open.options = ArchiveOptions(path: nil)
        open.person = PersonOptions.none
        open.link = nil
        open.linkInPath = nil
        open.at = nil
        open.date = nil
        open.start = false
        open.unread = false
        open.isPlain = false
        return open
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
