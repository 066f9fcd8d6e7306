import Glibc

/// The folders of the user's own files, by the XDG base directory specification.
///
/// Without a home there are no folders: one that any user can find and create first is no place for private files.
package struct Folders: Hashable, Sendable {
    /// The user's settings.
    package let config: String?
    /// Read positions, drafts and the log.
    package let state: String?
    /// Archives that Kedge itself makes.
    package let data: String?
    /// The indexes of archives, which may be deleted at any time.
    package let cache: String?
    /// Files that are of no use once the processes have ended.
    package let runtime: String?

    /// - Parameters:
    ///   - environment: variables by name. A relative path counts as unset, as the specification says.
    ///   - account: the home that the system has for the user, for when HOME is not set.
    package init(environment: [String: String], account: () -> String? = Folders.homeOfAccount) {
        let home = Folders.absolute(environment["HOME"]) ?? Folders.absolute(account())
        func folder(_ variable: String, else fallback: String) -> String? {
            (Folders.absolute(environment[variable]) ?? home.map { $0 + "/" + fallback }).map { $0 + "/kedge" }
        }
        config = folder("XDG_CONFIG_HOME", else: ".config")
        state = folder("XDG_STATE_HOME", else: ".local/state")
        data = folder("XDG_DATA_HOME", else: ".local/share")
        cache = folder("XDG_CACHE_HOME", else: ".cache")
        // There is no such folder after some kinds of login; then one in the state folder does as well.
        runtime = Folders.absolute(environment["XDG_RUNTIME_DIR"]).map { $0 + "/kedge" } ?? state.map { $0 + "/run" }
    }

    private static func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// The home in the system's list of users; nil when there is none, or the user is not in the list.
    package static func homeOfAccount() -> String? {
        guard let entry = getpwuid(geteuid()), let home = entry.pointee.pw_dir else { return nil }
        return String(cString: home)
    }
}

/// The environment of the process.
package enum Environment {
    /// The variables of the process at their first use. Of two with the same name the first one counts, as with `getenv`.
    package static let variables: [String: String] = {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
                let name = String(text[..<equals])
                variables[name] = variables[name] ?? String(text[text.utf8.index(after: equals)...])
            }
            next += 1
        }
        return variables
    }()
}

extension Folders {
    /// The user's folders.
    package static let ofUser = Folders(environment: Environment.variables)
}
