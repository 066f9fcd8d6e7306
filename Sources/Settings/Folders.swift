import Glibc

/// Where Kedge keeps what is the user's own, by the XDG base directory specification.
///
/// Without a home there are none: a folder that any user can find and make before would be no place for one's own.
package struct Folders: Hashable, Sendable {
    /// What the user sets.
    package let config: String?
    /// Read positions, drafts and the log.
    package let state: String?
    /// The indexes of archives: what is there may be deleted at any time.
    package let cache: String?
    /// What is of no use once the processes have ended.
    package let runtime: String?

    /// - Parameters:
    ///   - environment: variables by name. A relative path counts as unset, as the specification says.
    ///   - account: the home that the system knows of the user, asked for where HOME says none.
    package init(environment: [String: String], account: () -> String? = Folders.homeOfAccount) {
        let home = Folders.absolute(environment["HOME"]) ?? Folders.absolute(account())
        func folder(_ variable: String, else fallback: String) -> String? {
            (Folders.absolute(environment[variable]) ?? home.map { $0 + "/" + fallback }).map { $0 + "/kedge" }
        }
        config = folder("XDG_CONFIG_HOME", else: ".config")
        state = folder("XDG_STATE_HOME", else: ".local/state")
        cache = folder("XDG_CACHE_HOME", else: ".cache")
        // Where no such folder is given, as over some kinds of login, one in the state folder does as well.
        runtime = Folders.absolute(environment["XDG_RUNTIME_DIR"]).map { $0 + "/kedge" } ?? state.map { $0 + "/run" }
    }

    private static func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// The home in the system's list of users; nil where there is none, or the user is not in it.
    package static func homeOfAccount() -> String? {
        guard let entry = getpwuid(geteuid()), let home = entry.pointee.pw_dir else { return nil }
        return String(cString: home)
    }
}
