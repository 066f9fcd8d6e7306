/// A file of a message, or its contents that are no text: places, polls, invoices.
struct TelegramHTMLMedia {
    /// The last word of the class: `media_voice_message`, `photo_wrap`.
    private var kind = ""
    private var link: Bytes?
    private var title: Bytes?
    private var description: Bytes?
    private var status: Bytes?
    private var lines: [Bytes] = []

    var isCall: Bool { kind == "media_call" }

    mutating func read(_ name: Bytes, _ reader: TelegramHTMLReader) {
        if name.starts(with: "media clearfix pull_left ") {
            // `media_call success` is a call that took place.
            kind = name.string.split(separator: " ").first { $0.hasPrefix("media_") }.map(String.init) ?? "media_file"
            link = reader.attribute(" href=\"")
        } else if name.starts(with: "photo_wrap") || name.starts(with: "sticker_wrap")
            || name.starts(with: "animated_wrap")
            || name.starts(with: "video_file_wrap")
        {
            kind = String(name.string.prefix { $0 != " " })
            link = reader.attribute(" href=\"")
        } else if name == "media_poll" || name == "media_giveaway" {
            kind = name.string
        } else if kind == "media_poll" || kind == "media_giveaway" {
            if reader.isTag("<div") { lines.append(reader.content) }
        } else if !kind.isEmpty {
            if name == "title bold" { title = reader.content }
            if name == "description" { description = reader.content }
            if name == "status details" { status = reader.content }
        } else if name == "userpic_link" {
            // The new photo of a group.
            kind = "photo_wrap"
            link = reader.attribute(" href=\"")
        }
    }

    private func plain(_ html: Bytes?) -> String { html.map(TelegramHTMLText.plain) ?? "" }

    // MARK: - Files

    func attachments(in folder: Substring) -> [ForeignAttachment] {
        guard isFile else { return [] }
        let path = link.flatMap { TelegramHTMLMedia.path($0, folder) }
        let last = path?.split(separator: "/").last.map(String.init)
        // The title of a file is its name; that of other media is their kind, or a song.
        let name = kind == "media_file" ? plain(title) : last ?? plain(title)
        return [ForeignAttachment(name: name.isEmpty ? last ?? "File" : name, path: path)]
    }

    private var isFile: Bool {
        switch kind {
        case "photo_wrap", "sticker_wrap", "animated_wrap", "video_file_wrap", "media_photo", "media_video",
            "media_voice_message", "media_audio_file", "media_file":
            true
        case "media_contact": link != nil
        default: false
        }
    }

    /// Links of a chat among others lead out of its folder and back into it: `../../chats/chat_001/photos/1.jpg`.
    private static func path(_ link: Bytes, _ folder: Substring) -> String? {
        var path = Substring(String(decoding: HTMLEntity.decoded(link), as: UTF8.self))
        var parts = folder.split(separator: "/")
        while path.hasPrefix("../") {
            guard parts.popLast() != nil else { return nil }
            path = path.dropFirst(3)
        }
        return Source.inside(String(path), of: parts.joined(separator: "/")[...])
    }

    // MARK: - Lines

    func describe(in text: inout MarkedText) {
        switch kind {
        case "sticker_wrap": text.addLine("Sticker")
        case "media_photo": if plain(title) == "Sticker" { text.addLine([sticker, "Sticker"].joined(by: " ")) }
        case "media_video":
            if plain(title) == "Video message" { text.addLine(["Video message", duration].joined(by: ", ")) }
        case "media_voice_message": text.addLine(["Voice message", duration].joined(by: ", "))
        case "media_audio_file": text.addLine([plain(title), duration].joined(by: ", "))
        // Its status is a phone number.
        case "media_contact": text.addLine(["Contact", plain(title)].joined(by: ": "))
        case "media_location", "media_live_location": text.addLine([plain(title), plain(status)].joined(by: ": "))
        case "media_venue": text.addLine("Location: " + [plain(title), plain(description)].joined(by: ", "))
        case "media_game": text.addLine(["Game: \(plain(title))", plain(description), plain(status)].joined(by: "\n"))
        case "media_invoice":
            text.addLine(
                ["Invoice: " + [plain(title), plain(status)].joined(by: ", "), plain(description)].joined(by: "\n"))
        case "media_call": text.addLine(["Call", plain(status)].joined(by: ": "))
        case "media_poll": describePoll(in: &text)
        case "media_giveaway": text.addLine("Giveaway: " + lines.map { plain($0) }.joined(by: " "))
        default: break
        }
    }

    /// The emoji of a sticker, before the size of its file.
    private var sticker: String {
        let first = plain(status).split(separator: ",").first.map(String.init) ?? ""
        return first.contains(where: \.isNumber) ? "" : first
    }

    /// The time before the size of the file.
    private var duration: String { plain(status).split(separator: ",").first.map(String.init) ?? "" }

    /// A question, the kind of the poll, answers, and the number of votes; or a list of tasks.
    private func describePoll(in text: inout MarkedText) {
        var lines = lines.map { plain($0) }
        guard !lines.isEmpty else { return }
        let question = lines.removeFirst()
        let kind = lines.isEmpty ? "" : lines.removeFirst()
        text.addLine(kind == "To-do List" ? "To-do list: \(question)" : "Poll: \(question)")
        for line in lines.map({ kind == "Final results" && $0 == lines.last ? "\($0), final results" : $0 }) {
            text.addLine(line)
        }
    }
}
