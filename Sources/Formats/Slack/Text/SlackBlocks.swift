/// Writes the `blocks` of a message, each on lines of its own.
struct SlackBlocks {
    let names: ForeignNames
    /// Whether something that can be read was left out.
    private(set) var isIncomplete = false

    init(names: ForeignNames) { self.names = names }

    /// Appends the blocks.
    mutating func append(_ blocks: JSONValue, to out: inout [UInt8]) {
        let start = out.count
        for block in blocks.elements {
            let begin = out.count
            Marks.beginLine(&out, from: start)
            let text = out.count
            write(block, &out)
            Marks.trim(&out, from: text)
            if out.count == text { out.removeLast(text - begin) }
        }
    }

    private mutating func write(_ block: JSONValue, _ out: inout [UInt8]) {
        guard let type = block["type"]?.bytes else { return }
        if type == "rich_text" {
            var text = SlackRichText(names: names, start: out.count)
            text.append(block, to: &out)
            isIncomplete = isIncomplete || text.isIncomplete
        } else if type == "section" {
            section(block, &out)
        } else if type == "header" {
            let start = out.count
            out += Array("**".utf8)
            text(block["text"], &out)
            out += Array("**".utf8)
            if out.count == start + 4 { out.removeLast(4) }
        } else if type == "context" {
            list(block["elements"], " ", &out)
        } else if type == "markdown" {
            if let markdown = block["text"]?.bytes { out += markdown }
        } else if type == "table" {
            table(block, &out)
        } else if type == "image" || type == "video" {
            text(block["title"], &out)
            if block["title"] == nil, let words = block["alt_text"]?.bytes { out += words }
        } else if !(type == "divider") {
            // Buttons, fields to fill in, and kinds that came later.
            isIncomplete = true
        }
    }

    private mutating func section(_ block: JSONValue, _ out: inout [UInt8]) {
        let start = out.count
        text(block["text"], &out)
        guard let fields = block["fields"], fields.isArray else { return }
        Marks.beginLine(&out, from: start)
        list(fields, "\n", &out)
    }

    /// Texts, and pictures by their descriptions.
    private mutating func list(_ elements: JSONValue?, _ separator: StaticString, _ out: inout [UInt8]) {
        guard let elements else { return }
        var isFirst = true
        for element in elements.elements {
            let begin = out.count
            if !isFirst {
                out.append(
                    contentsOf: UnsafeBufferPointer(start: separator.utf8Start, count: separator.utf8CodeUnitCount))
            }
            let start = out.count
            text(element, &out)
            if out.count == start { out.removeLast(start - begin) } else { isFirst = false }
        }
    }

    /// A text object: `{type: "mrkdwn" or "plain_text", text}`.
    private mutating func text(_ object: JSONValue?, _ out: inout [UInt8]) {
        guard let object else { return }
        guard let text = object["text"]?.bytes else {
            if let words = object["alt_text"]?.bytes { out += words }
            return
        }
        Mrkdwn(names: names).append(text, to: &out)
    }

    private mutating func table(_ block: JSONValue, _ out: inout [UInt8]) {
        guard let rows = block["rows"] else { return }
        let start = out.count
        for row in rows.elements {
            Marks.beginLine(&out, from: start)
            for (index, cell) in row.elements.enumerated() {
                if index > 0 { out += Array(" | ".utf8) }
                let begin = out.count
                if cell["elements"] != nil {
                    var text = SlackRichText(names: names, start: out.count)
                    text.append(cell, to: &out)
                } else {
                    text(cell, &out)
                }
                for place in begin..<out.count where out[place] == UInt8(ascii: "\n") { out[place] = 0x20 }
            }
        }
    }
}
