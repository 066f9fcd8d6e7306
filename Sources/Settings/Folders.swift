/// Where Kedge keeps what is the user's own, by the XDG base directory specification.
package struct Folders: Hashable, Sendable {
    /// What the user sets.
    package let config: String
    /// Read positions, drafts and the log.
    package let state: String
    /// The indexes of archives: what is there may be deleted at any time.
    package let cache: String
    /// What is of no use once the processes have ended.
    package let runtime: String

    /// - Parameter environment: variables by name. A relative path counts as unset, as the specification says.
    package init(environment: [String: String]) {
        config = Folders.folder("XDG_CONFIG_HOME", else: ".config", environment)
        state = Folders.folder("XDG_STATE_HOME", else: ".local/state", environment)
        cache = Folders.folder("XDG_CACHE_HOME", else: ".cache", environment)
        // Where no such folder is given, as over some kinds of login, one in the state folder does as well.
        let given = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        runtime = given.map { $0 + "/kedge" } ?? state + "/run"
    }

    private static func folder(_ variable: String, else fallback: String, _ environment: [String: String]) -> String {
        if let path = environment[variable], path.hasPrefix("/") { return path + "/kedge" }
        return (environment["HOME"] ?? "/tmp") + "/" + fallback + "/kedge"
    }
}
