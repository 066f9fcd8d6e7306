/// Writes the embeds of a message: previews of links, and the bodies of bots.
struct DiscordEmbeds {
    let text: DiscordText

    /// Appends them, as quotes if the message has a text of its own.
    func append(_ embeds: JSONValue, to out: inout [UInt8]) {
        let isQuote = !out.isEmpty
        for embed in embeds.elements {
            var piece: [UInt8] = []
            write(embed, &piece)
            Marks.trim(&piece, from: 0)
            // An embed of nothing but a picture or a film is named by its address, unless the text has that.
            if piece.isEmpty, let address = DiscordEmbeds.address(of: embed),
                out.withUnsafeBytes({ $0.offset(of: address) }) == nil
            {
                piece = Array(address.utf8)
            }
            guard !piece.isEmpty else { continue }
            Marks.beginLine(&out)
            let start = out.count
            out += piece
            if isQuote { Marks.quote(&out, from: start) }
        }
    }

    private static func address(of embed: JSONValue) -> String? {
        var addresses = [embed["url"]?.string]
        if let images = embed["images"] { addresses += images.elements.map { $0["url"]?.string } }
        for field in [embed["image"], embed["video"], embed["thumbnail"]] { addresses.append(field?["url"]?.string) }
        return addresses.lazy.compactMap { $0 }.first { !$0.isEmpty }
    }

    private func write(_ embed: JSONValue, _ out: inout [UInt8]) {
        if let author = embed["author"]?["name"]?.bytes, !author.isEmpty { out += author }
        if let title = embed["title"]?.bytes, !title.isEmpty {
            Marks.beginLine(&out)
            var shown: [UInt8] = []
            text.append(title, to: &shown)
            if let url = embed["url"]?.bytes, !url.isEmpty {
                shown.withUnsafeBytes { Marks.appendLink(url, label: $0, to: &out) }
            } else {
                out += Array("**".utf8) + shown + Array("**".utf8)
            }
        }
        line(embed["description"], &out)
        guard let fields = embed["fields"] else { return line(embed["footer"]?["text"], &out) }
        for field in fields.elements {
            let (name, value) = (field["name"]?.bytes ?? .empty, field["value"]?.bytes ?? .empty)
            guard !name.isEmpty || !value.isEmpty else { continue }
            Marks.beginLine(&out)
            text.append(name, to: &out)
            if !name.isEmpty, !value.isEmpty { out += Array(": ".utf8) }
            text.append(value, to: &out)
        }
        line(embed["footer"]?["text"], &out)
    }

    private func line(_ value: JSONValue?, _ out: inout [UInt8]) {
        guard let words = value?.bytes, !words.isEmpty else { return }
        Marks.beginLine(&out)
        text.append(words, to: &out)
    }
}
