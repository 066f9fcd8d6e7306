import Settings

extension Config {
    /// What the user has set. What is wrong with it is said once, however often one asks.
    static var ofUser: Config { loaded.config }

    /// What is wrong with the file, in one line for the screen, which has no room for its path; nil for nothing.
    /// - Parameter other: what is wrong with it in this archive.
    static func problemForScreen(besides other: String?) -> String? {
        let problems = loaded.problems + [other].compactMap(\.self)
        guard let first = problems.first else { return nil }
        let folder = (Folders(environment: Environment.variables).config ?? "") + "/"
        let text = first.hasPrefix(folder) ? first.dropFirst(folder.count) : first[...]
        return text + (problems.count > 1 ? " (and \(problems.count - 1) more)" : "")
    }

    private static let loaded: (config: Config, problems: [String]) = {
        let environment = Environment.variables
        let folders = Folders(environment: environment)
        guard let folder = folders.config else { return (Config(), []) }
        let loaded = Config.load(folder: folder, home: environment["HOME"] ?? "/")
        for problem in loaded.problems { Output.complain(problem) }
        return loaded
    }()
}
