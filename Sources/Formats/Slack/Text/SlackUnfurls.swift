/// Writes the `attachments` of a message: previews of links, messages that were shared, and the bodies of bots.
struct SlackUnfurls {
    let names: ForeignNames

    /// Appends them, as quotes if the message has a text of its own.
    func append(_ attachments: JSONValue, to out: inout [UInt8], start: Int) {
        let isQuote = out.count > start
        for attachment in attachments.elements {
            var piece: [UInt8] = []
            write(attachment, &piece)
            Marks.trim(&piece, from: 0)
            guard !piece.isEmpty else { continue }
            Marks.beginLine(&out, from: start)
            let begin = out.count
            out += piece
            if isQuote { Marks.quote(&out, from: begin) }
        }
    }

    private func write(_ attachment: JSONValue, _ out: inout [UInt8]) {
        line(attachment["pretext"], &out)
        line(attachment["author_name"] ?? attachment["author_subname"], &out)
        title(attachment, &out)
        let body = out.count
        if let blocks = blocks(of: attachment) {
            Marks.beginLine(&out)
            var writer = SlackBlocks(names: names)
            writer.append(blocks, to: &out)
        }
        if out.count == body { line(attachment["text"], &out) }
        fields(attachment["fields"], &out)
        if out.isEmpty { line(attachment["fallback"], &out) }
        for address in [
            attachment["image_url"], attachment["thumb_url"], attachment["from_url"], attachment["original_url"],
        ]
        where out.isEmpty {
            out += address?.bytes ?? .empty
        }
    }

    private func line(_ value: JSONValue?, _ out: inout [UInt8]) {
        guard let text = value?.bytes, !text.isEmpty else { return }
        Marks.beginLine(&out)
        Mrkdwn(names: names).append(text, to: &out)
    }

    private func title(_ attachment: JSONValue, _ out: inout [UInt8]) {
        guard let title = attachment["title"]?.bytes, !title.isEmpty else { return }
        Marks.beginLine(&out)
        var text: [UInt8] = []
        Mrkdwn(names: names).append(title, to: &text)
        guard let address = (attachment["title_link"] ?? attachment["from_url"])?.bytes, !address.isEmpty
        else { return out += text }
        text.withUnsafeBytes { Marks.appendLink(address, label: $0, to: &out) }
    }

    /// The blocks of the attachment, or of the message that was shared.
    private func blocks(of attachment: JSONValue) -> JSONValue? {
        if let blocks = attachment["blocks"], blocks.isArray { return blocks }
        if let shared = attachment["message_blocks"] {
            for part in shared.elements {
                if let blocks = part["message"]?["blocks"], blocks.isArray { return blocks }
            }
        }
        return nil
    }

    private func fields(_ fields: JSONValue?, _ out: inout [UInt8]) {
        guard let fields else { return }
        for field in fields.elements {
            let title = field["title"]?.bytes ?? .empty
            let value = field["value"]?.bytes ?? .empty
            guard !title.isEmpty || !value.isEmpty else { continue }
            Marks.beginLine(&out)
            Mrkdwn(names: names).append(title, to: &out)
            if !title.isEmpty, !value.isEmpty { out += Array(": ".utf8) }
            Mrkdwn(names: names).append(value, to: &out)
        }
    }
}
