import Glibc

/// Finds the archive to open: `--archive`, else `KEDGE_ARCHIVE`, else the config's, else the current folder if it is
/// one.
package enum ArchiveLocation {
    /// - Parameter isArchive: whether the folder at a path holds an archive.
    /// - Returns: the path; nil when nothing names one.
    package static func resolve(
        option: String?, environment: [String: String], config: Config, isArchive: (String) -> Bool
    ) -> String? {
        if let option { return option }
        if let path = environment["KEDGE_ARCHIVE"], !path.isEmpty { return path }
        if let path = config.archive { return path }
        return isArchive(".") ? "." : nil
    }

    /// The canonical path of a folder, however it was reached. May wait for the disk.
    package static func realPath(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
