extension Source {
    /// The path in the source of a file that a record names, seen from a folder of the source; nil if it leads out of the
    /// source. Exporters on Windows write "\" between the parts of a path.
    package static func inside(_ path: String, of folder: Substring) -> String? {
        let path = path.replacing("\\", with: "/")
        guard !path.isEmpty, !path.hasPrefix("/"), !path.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            return nil
        }
        var parts = folder.split(separator: "/")
        for part in path.split(separator: "/") where part != "." {
            guard part != "..", !(part.utf8.count == 2 && part.hasSuffix(":")) else { return nil }
            parts.append(part)
        }
        return parts.isEmpty ? nil : parts.joined(separator: "/")
    }
}
