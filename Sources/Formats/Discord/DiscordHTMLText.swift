internal import JSON
/// Turns the HTML of a message into Kedge's markup. The exporter's own elements are first replaced by standard HTML.
enum DiscordHTMLText {
    /// The text of `chatlog__content`, and true if the message was edited.
    static func content(_ html: Bytes) -> (text: [UInt8], isEdited: Bool) {
        var scanner = HTMLScanner(html)
        var isEdited = false
        var text: Range<Int>?
        while let tag = scanner.nextTag() {
            if tag.hasClass("chatlog__edited-timestamp") {
                isEdited = true
                // Old files have no element around the text.
                if text == nil { text = 0..<tag.range.lowerBound }
            } else if text == nil, tag.hasClass("chatlog__markdown-preserve") || tag.hasClass("preserve-whitespace") {
                let inside = tag.inside(html)
                text = inside
                scanner = HTMLScanner(html, from: inside.upperBound)
            }
        }
        return (convert(Bytes(rebasing: html[text ?? 0..<html.count])), isEdited)
    }

    static func convert(_ html: Bytes) -> [UInt8] {
        var text =
            html.contains(UInt8(ascii: "<"))
            ? general(html).withUnsafeBytes { HTMLText.convert($0, keepsBlanks: true) } : HTMLEntity.decoded(html)
        // In HTML, a carriage return is no line break.
        if text.contains(0x0D) { text.removeAll { $0 == 0x0D } }
        return text
    }

    /// A custom emoji has a name of ASCII letters; any other emoji is written as characters.
    static func emoji(_ name: [UInt8]) -> [UInt8] {
        let isName = name.count > 1 && name.allSatisfy { (0x30...0x7A).contains($0) }
        return isName ? [UInt8(ascii: ":")] + name + [UInt8(ascii: ":")] : name
    }

    // MARK: - Elements

    private static func general(_ html: Bytes) -> [UInt8] {
        var scanner = HTMLScanner(html)
        var out: [UInt8] = []
        /// The replaced elements that are open, each with the text that replaces its end tag.
        var open: [(name: String, end: String)] = []
        while let piece = scanner.next() {
            switch piece {
            case .text(let range): out += html[range]
            case .tag(let tag):
                if tag.isEnd, let last = open.last, last.name == tag.name {
                    out += Array(last.end.utf8)
                    open.removeLast()
                } else if tag.isEnd {
                    out += html[tag.range]
                } else if tag.name == "img" {
                    out += escaped(emoji(tag.attribute("alt") ?? tag.attribute("title") ?? []))
                } else if let (begin, end) = replacement(tag) {
                    out += Array(begin.utf8)
                    open.append((tag.name, end))
                } else {
                    out += html[tag.range]
                }
            }
        }
        return out
    }

    /// The texts that replace the tags at the beginning and the end of a div, a span or a code; nil for other elements.
    private static func replacement(_ tag: HTMLTag) -> (String, String)? {
        switch tag.name {
        case "div": tag.hasClass("chatlog__markdown-quote-content") ? ("<blockquote>", "</blockquote>") : ("", "")
        case "span":
            tag.hasClass("chatlog__markdown-spoiler") || tag.hasClass("spoiler-text")
                ? ("<span class=\"spoiler\">", "</span>") : ("", "")
        case "code":
            tag.hasClass("chatlog__markdown-pre--multiline")
                ? ("<pre><code class=\"\(language(tag))\">", "</code></pre>") : ("<code>", "</code>")
        default: nil
        }
    }

    private static func language(_ tag: HTMLTag) -> String {
        let classes = String(decoding: tag.attribute("class") ?? [], as: UTF8.self).split(separator: " ")
        let language = classes.first { $0.hasPrefix("language-") } ?? ""
        return language.utf8.allSatisfy { Neighborhood.isOfLanguage($0) } ? String(language) : ""
    }

    private static func escaped(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "&"): Array("&amp;".utf8)
            case UInt8(ascii: "<"): Array("&lt;".utf8)
            default: [byte]
            }
        }
    }
}
