internal import Dates

/// Files of messages. Events name them by an address on a server; an export with media holds copies.
struct MatrixMedia {
    enum Source {
        /// The paths of the copies of an export.
        case copies([String])
        /// A server, from which a copy may be fetched later: records say where it will be.
        case server
    }

    /// Paths of copies, by folder and the beginning of the name up to its date.
    private let paths: [String]
    private let isOfServer: Bool

    init(_ source: Source) {
        switch source {
        case .copies(let paths): (self.paths, isOfServer) = (paths.sorted(), false)
        case .server: (paths, isOfServer) = ([], true)
        }
    }

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
        if isOfServer {
            path = plain.flatMap { MediaAddress($0) }?.path(name: name)
        } else if !paths.isEmpty {
            path = self.path(kind, isSticker, body, isVoice: content["org.matrix.msc3245.voice"] != nil, time)
        }
        let kindName = isSticker ? "sticker" : String(kind.dropFirst(2))
        return ForeignAttachment(
            name: name.isEmpty ? kindName : name, path: path, size: size, address: address,
            isEncrypted: isOfServer && plain == nil && content["file"] != nil)
    }

    /// The copy of a file: `images/cat-11-23-2026 at 10-31-18 AM.jpg` for `cat.jpg`. The date is written as the reader's country
    /// writes it, so of several copies with one name the minutes and seconds tell which it is.
    private func path(_ kind: String, _ isSticker: Bool, _ body: String, isVoice: Bool, _ time: Timestamp) -> String? {
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
