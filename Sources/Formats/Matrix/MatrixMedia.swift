internal import Dates
internal import JSON

/// The files of messages. Events give an address on a server; an export with media contains copies.
struct MatrixMedia {
    /// The paths of the copies in an export, sorted; nil for a server, from which a copy may be fetched later: records contain its
    /// future path.
    private let paths: [String]?

    init(copies: [String]?) { paths = copies?.sorted() }

    static func isFile(_ content: JSONValue) -> Bool {
        ["m.image", "m.file", "m.video", "m.audio"].contains(content["msgtype"]?.string ?? "")
    }

    /// Nil for a message without a file.
    func attachment(of content: JSONValue, isSticker: Bool, at time: Timestamp) -> ForeignAttachment? {
        let kind = content["msgtype"]?.string ?? ""
        guard isSticker || MatrixMedia.isFile(content) else { return nil }
        let body = content["body"]?.string ?? ""
        let name = content["filename"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? body
        let size = content["info"]?["size"]?.integer.flatMap { $0 > 0 ? $0 : nil }
        let plain = content["url"]?.string
        let address = (plain ?? content["file"]?["url"]?.string).flatMap { $0.hasPrefix("mxc://") ? $0 : nil }
        var path: String?
        if let paths {
            let isVoice = content["org.matrix.msc3245.voice"] != nil
            path = MatrixMedia.path(in: paths, kind, isSticker, body, isVoice: isVoice, time)
        } else {
            path = plain.flatMap { MediaAddress($0) }?.path(name: name)
        }
        let kindName = isSticker ? "sticker" : String(kind.dropFirst(2))
        return ForeignAttachment(
            name: name.isEmpty ? kindName : name, path: path, size: size, address: address,
            isEncrypted: paths == nil && plain == nil && content["file"] != nil)
    }

    /// The copy of a file: `images/cat-11-23-2026 at 10-31-18 AM.jpg` for `cat.jpg`. The format of the date depends on the
    /// exporter's country, so only its minutes and seconds are compared to choose between copies with one name.
    private static func path(
        in paths: [String], _ kind: String, _ isSticker: Bool, _ body: String, isVoice: Bool, _ time: Timestamp
    ) -> String? {
        let folder =
            isSticker
            ? "stickers"
            : kind == "m.image" ? "images" : kind == "m.video" ? "videos" : kind == "m.audio" ? "audio" : "files"
        let dot = body.lastIndex(of: ".")
        let stem = dot.map { body[..<$0] } ?? body[...]
        let ending = isSticker ? ".png" : isVoice ? ".ogg" : dot.map { String(body[$0...]) } ?? ""
        let found = paths.filter { path in
            guard path.hasSuffix(ending) else { return false }
            let parts = path.split(separator: "/")
            guard parts.count >= 2, parts[parts.count - 2] == folder, let name = parts.last else { return false }
            return name.hasPrefix("\(stem)-")
        }
        if found.count < 2 { return found.first }
        let second = CivilTime(secondsSinceEpoch: time.milliseconds.flooredDivision(by: 1_000))
        let clock = "-\(decimal(second.minute, digits: 2))-\(decimal(second.second, digits: 2))"
        let exact = found.filter { $0.dropLast(ending.count).contains(clock) }
        return exact.count == 1 ? exact.first : nil
    }
}

/// The address of a file on a Matrix server: `mxc://example.org/AbC`. Anybody may have written it, so both parts must be safe as
/// parts of a path.
package struct MediaAddress: Hashable, Sendable {
    /// `example.org`, optionally with a port.
    package let server: String
    package let media: String

    private static let longestPart = 200
    /// The extensions that a copy may have. None belongs to a program, because the sender chooses the name.
    private static let endings: Set<String> = [
        "png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff", "heic", "heif", "avif", "ico", "svg", "mp3", "ogg",
        "oga", "opus", "flac", "wav", "m4a", "aac", "wma", "amr", "mid", "mp4", "m4v", "mkv", "webm", "mov", "avi",
        "mpg", "mpeg", "3gp", "ogv", "wmv", "txt", "text", "log", "md", "csv", "tsv", "pdf", "json", "xml", "toml",
        "yaml", "yml", "diff", "patch", "tex", "bib", "rtf", "odt", "ods", "odp", "doc", "docx", "xls", "xlsx", "ppt",
        "pptx", "epub", "zip", "tar", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar", "ics", "vcf", "gpx", "geojson",
        "stl", "asc", "sig", "gpg", "psd", "xcf",
    ]

    /// Nil for a text that is not such an address.
    package init?(_ address: String) {
        guard address.hasPrefix("mxc://") else { return nil }
        let parts = address.dropFirst("mxc://".count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, MediaAddress.isPart(parts[0], others: ".-:[]"),
            MediaAddress.isPart(parts[1], others: ".-_")
        else { return nil }
        (server, media) = (String(parts[0]), String(parts[1]))
    }

    /// The path of a copy in an archive: `files/example.org/AbC.png`. No two files share one.
    /// - Parameter name: the copy gets the extension of this name, if desktops only display files of that kind.
    package func path(name: String) -> String {
        let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        // A name ends at its last dot, so the extension of one file is never part of the address of another.
        return "files/\(server)/\(media).\(MediaAddress.endings.contains(ending) ? ending : "file")"
    }

    private static func isPart(_ text: Substring, others: String) -> Bool {
        // A name that begins with a dot could lead out of the folder.
        !text.isEmpty && text.utf8.count <= longestPart && !text.hasPrefix(".")
            && text.utf8.allSatisfy { Neighborhood.isAlphanumeric($0) || others.utf8.contains($0) }
    }
}
