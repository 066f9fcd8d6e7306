import Settings

/// Reads a config.toml.
package enum ConfigTarget {
    package static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        // Text that is not UTF-8 never reaches the reader of TOML.
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        let (config, problems) = Config.read(text, path: "config.toml", home: "/home/ana")
        try demand(config.me.map(Config.isPerson) ?? true, "takes as a person: \(config.me ?? "")")
        try demand(
            config.archive.map { $0.hasPrefix("/") } ?? true, "takes as an archive's path: \(config.archive ?? "")")
        for problem in problems {
            try demand(problem.hasPrefix("config.toml"), "does not say where: \(problem)")
        }
        let (again, problemsAgain) = Config.read(text, path: "config.toml", home: "/home/ana")
        try demand(config == again && problems == problemsAgain, "reads the same text in two ways")
    }
}
