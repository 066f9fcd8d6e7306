/// Which archive is meant: `--archive`, else `KEDGE_ARCHIVE`, else the current folder if it is one.
package enum ArchiveLocation {
    /// - Parameter isArchive: whether the folder at a path holds an archive.
    /// - Returns: the path; nil when nothing names one.
    package static func resolve(
        option: String?, environment: [String: String], isArchive: (String) -> Bool
    ) -> String? {
        if let option { return option }
        if let path = environment["KEDGE_ARCHIVE"], !path.isEmpty { return path }
        return isArchive(".") ? "." : nil
    }
}
