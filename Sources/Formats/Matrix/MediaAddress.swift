/// The address of a file on a Matrix server: `mxc://example.org/AbC`. Both of its parts come from anybody, so only those are
/// taken that can be parts of a path.
package struct MediaAddress: Hashable, Sendable {
    /// `example.org`, perhaps with a port.
    package let server: String
    package let media: String

    private static let longestPart = 200
    /// The endings that a copy may have. None of them is of a program: the sender has chosen the name.
    private static let endings: Set<String> = [
        "png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff", "heic", "heif", "avif", "ico", "svg", "mp3", "ogg",
        "oga",
        "opus", "flac", "wav", "m4a", "aac", "wma", "amr", "mid", "mp4", "m4v", "mkv", "webm", "mov", "avi", "mpg",
        "mpeg",
        "3gp", "ogv", "wmv", "txt", "text", "log", "md", "csv", "tsv", "pdf", "json", "xml", "toml", "yaml", "yml",
        "diff",
        "patch", "tex", "bib", "rtf", "odt", "ods", "odp", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "epub", "zip",
        "tar",
        "gz", "tgz", "bz2", "xz", "zst", "7z", "rar", "ics", "vcf", "gpx", "geojson", "stl", "asc", "sig", "gpg", "psd",
        "xcf",
    ]

    /// Nil for every other text.
    package init?(_ address: String) {
        guard address.hasPrefix("mxc://") else { return nil }
        let parts = address.dropFirst("mxc://".count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, MediaAddress.isPart(parts[0], others: ".-:[]"),
            MediaAddress.isPart(parts[1], others: ".-_")
        else { return nil }
        (server, media) = (String(parts[0]), String(parts[1]))
    }

    /// The place of a copy in an archive: `files/example.org/AbC.png`. Two files never share one.
    /// - Parameter name: its ending becomes that of the copy, if it is one of a kind that desktops only show.
    package func path(name: String) -> String {
        let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        // A name ends at its last dot, so that the ending of one file is never the end of the address of another.
        return "files/\(server)/\(media).\(MediaAddress.endings.contains(ending) ? ending : "file")"
    }

    private static func isPart(_ text: Substring, others: String) -> Bool {
        // A dot at the beginning could be a way up.
        !text.isEmpty && text.utf8.count <= longestPart && !text.hasPrefix(".")
            && text.utf8.allSatisfy { $0.isSign || others.utf8.contains($0) }
    }
}

extension UInt8 {
    /// A letter or a digit of ASCII.
    fileprivate var isSign: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
