import ArgumentParser

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
                arguments, options: ["--archive", "--at", "--date"], flags: ["--start", "--unread", "--plain"]),
            plain.words.count <= 2
        else { return nil }
        self = .plain
        options = ArchiveOptions(plain)
        link = plain.words.first
        linkInPath = plain.words.dropFirst().first
        at = plain.values["--at"]
        date = plain.values["--date"]
        start = plain.flags.contains("--start")
        unread = plain.flags.contains("--unread")
        isPlain = plain.flags.contains("--plain")
    }
}

extension Search {
    /// - Parameter arguments: after the name of the command.
    fileprivate init?(plain arguments: ArraySlice<String>) {
        let options: Set = ["--archive", "--in", "--from", "--since", "--until", "--limit"]
        guard let plain = PlainArguments(arguments, options: options, flags: ["--count", "--json", "--raw"]),
            !plain.words.isEmpty, !plain.flags.isSuperset(of: ["--count", "--json"])
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
        count = plain.flags.contains("--count")
        json = plain.flags.contains("--json")
        raw = RawOption(plain)
    }
}
