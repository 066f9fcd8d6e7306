import Glibc

/// Finds the archive to open: `--archive`, else `KEDGE_ARCHIVE`, else the config's, else the current folder if it is
/// one.
package enum ArchiveLocation {
    /// - Parameter isArchive: whether the folder at a path holds an archive.
    /// - Returns: the path; nil when nothing names one.
    package static func resolve(
        option: String?, environment: [String: String], config: Config, isArchive: (String) -> Bool
    ) -> String? {
        // A name of the config stands for its path, unless there is a folder of that name.
        func named(_ path: String) -> String {
            guard let known = config.archives[path], access(path, F_OK) != 0 else { return path }
            return known.path
        }
        if let option { return named(option) }
        if let path = environment["KEDGE_ARCHIVE"], !path.isEmpty { return named(path) }
        if let path = config.archive { return path }
        return isArchive(".") ? "." : nil
    }

    /// A path from the root, of something that need not exist.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// The canonical path of a folder, however it was reached. May wait for the disk.
    package static func realPath(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
