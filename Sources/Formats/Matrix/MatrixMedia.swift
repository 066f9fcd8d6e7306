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
