internal import Dates
internal import JSON

/// Turns Discord's Markdown into Kedge's markup. Bold, italic, strikethrough and links are the same in both.
///
/// Fences move to lines of their own, `>>>` quotes all lines after it, and `<…>` becomes a name, an emoji, a time or an address. Each
/// line of a spoiler gets its own bars.
struct DiscordText {
    let names: ForeignNames
    /// The people whom the message mentions.
    let mentions: JSONValue?

    /// Appends the text, converted.
    func append(_ text: Bytes, to out: inout [UInt8]) {
        guard DiscordText.needsWork(text) else { return out.append(contentsOf: text) }
        var scan = Scan(text: text, converter: self)
        scan.run(into: &out)
    }

    private static func needsWork(_ text: Bytes) -> Bool {
        text.contains(UInt8(ascii: "<")) || text.starts(with: ">>>") || text.contains(UInt8(ascii: "`"))
            || text.contains(UInt8(ascii: ">")) || text.contains(UInt8(ascii: "|"))
    }

    // MARK: - Tokens

    /// Appends the replacement of `<…>`, whose contents are the token.
    /// - Returns: false for a token that Discord shows unchanged.
    fileprivate func appendToken(_ token: Bytes, to out: inout [UInt8]) -> Bool {
        switch token.first {
        case UInt8(ascii: "@"): mention(rest(token, 1), &out)
        case UInt8(ascii: "#"): channel(rest(token, 1), &out)
        case UInt8(ascii: ":"): emoji(rest(token, 1), &out)
        case UInt8(ascii: "a") where token.starts(with: "a:"): emoji(rest(token, 2), &out)
        case UInt8(ascii: "t") where token.starts(with: "t:"): time(rest(token, 2), &out)
        case UInt8(ascii: "/"): command(token, &out)
        case UInt8(ascii: "h"): address(token, &out)
        default: false
        }
    }

    private func rest(_ token: Bytes, _ count: Int) -> Bytes { Bytes(rebasing: token.dropFirst(count)) }

    private func mention(_ token: Bytes, _ out: inout [UInt8]) -> Bool {
        let isRole = token.first == UInt8(ascii: "&")
        let id = isRole || token.first == UInt8(ascii: "!") ? rest(token, 1) : token
        guard DiscordID.number(id) != nil else { return false }
        out.append(UInt8(ascii: "@"))
        if !isRole, let name = name(of: id) { out += name } else { out += id }
        return true
    }

    private func name(of id: Bytes) -> Bytes? {
        for person in mentions.list {
            guard let found = person["id"]?.bytes, found.elementsEqual(id) else { continue }
            let nickname = person["nickname"]?.bytes ?? .empty
            return nickname.isEmpty ? person["name"]?.bytes : nickname
        }
        return nil
    }

    private func channel(_ id: Bytes, _ out: inout [UInt8]) -> Bool {
        guard DiscordID.number(id) != nil else { return false }
        out.append(UInt8(ascii: "#"))
        out += names.conversation(id) ?? Array(id)
        return true
    }

    /// `name:id`
    private func emoji(_ token: Bytes, _ out: inout [UInt8]) -> Bool {
        guard let colon = token.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            DiscordID.number(rest(token, colon + 1)) != nil
        else { return false }
        out.append(UInt8(ascii: ":"))
        out += token[..<colon]
        out.append(UInt8(ascii: ":"))
        return true
    }

    /// `1618953630:R`, as a time in UTC.
    private func time(_ token: Bytes, _ out: inout [UInt8]) -> Bool {
        let end = token.firstIndex(of: UInt8(ascii: ":")) ?? token.count
        guard let seconds = DiscordID.number(Bytes(rebasing: token[..<end])), seconds < 250_000_000_000 else {
            return false
        }
        let text = Timestamp(milliseconds: seconds * 1_000).iso8601
        out += Array(text.prefix(10).utf8) + [0x20] + Array(text.dropFirst(11).prefix(5).utf8) + Array(" UTC".utf8)
        return true
    }

    /// `/name:id`
    private func command(_ token: Bytes, _ out: inout [UInt8]) -> Bool {
        guard let colon = token.lastIndex(of: UInt8(ascii: ":")), DiscordID.number(rest(token, colon + 1)) != nil else {
            return false
        }
        out += token[..<colon]
        return true
    }

    /// An address in brackets has no preview.
    private func address(_ token: Bytes, _ out: inout [UInt8]) -> Bool {
        guard LinkAddress.isWeb(token), !token.contains(where: { $0 <= 0x20 }) else { return false }
        out += token
        return true
    }
}

/// One pass over a text.
private struct Scan {
    let text: Bytes
    let converter: DiscordText
    var at = 0
    var isQuote = false
    /// True if no "```" follows.
    var hasNoFence = false
    /// True if no "||" follows.
    var hasNoBars = false
    /// No ">" comes between here and this place.
    var withoutToken = 0

    mutating func run(into out: inout [UInt8]) {
        beginLine(&out)
        while at < text.count {
            switch text[at] {
            case UInt8(ascii: "<"): token(&out)
            case UInt8(ascii: "`"): code(&out)
            case UInt8(ascii: "|"): spoiler(&out)
            case UInt8(ascii: "\n"):
                copy(&out)
                beginLine(&out)
            default: copy(&out)
            }
        }
    }

    private mutating func copy(_ out: inout [UInt8]) {
        out.append(text[at])
        at += 1
    }

    private mutating func beginLine(_ out: inout [UInt8]) {
        if isQuote {
            out.append("> ")
        } else if Bytes(rebasing: text[at...]).starts(with: ">>> ") {
            isQuote = true
            at += 4
            out.append("> ")
        }
    }

    private mutating func token(_ out: inout [UInt8]) {
        guard at >= withoutToken else { return copy(&out) }
        var end = at + 1
        while end < text.count, text[end] != UInt8(ascii: ">"), text[end] != UInt8(ascii: "<"),
            text[end] != UInt8(ascii: "\n")
        {
            end += 1
        }
        guard end < text.count, text[end] == UInt8(ascii: ">"), end > at + 1,
            converter.appendToken(Bytes(rebasing: text[at + 1..<end]), to: &out)
        else {
            withoutToken = min(end, text.count)
            return copy(&out)
        }
        at = end + 1
    }

    /// Discord hides everything up to the next "||": also lines, code, and text with blanks at its ends.
    private mutating func spoiler(_ out: inout [UInt8]) {
        guard isBars(at), at == 0 || text[at - 1] != UInt8(ascii: "\\"), !hasNoBars else { return copy(&out) }
        guard let end = (at + 3..<max(at + 3, text.count)).first(where: isBars) else {
            hasNoBars = true
            return copy(&out)
        }
        var inside: [UInt8] = []
        converter.append(Bytes(rebasing: text[at + 2..<end]), to: &inside)
        var hidden = MarkedText()
        inside.withUnsafeBytes { hidden.add($0, .spoiler) }
        // One more bar before or after the spoiler would open it.
        if out.last == UInt8(ascii: "|") { out.append(UInt8(ascii: " ")) }
        for byte in hidden.bytes {
            out.append(byte)
            if byte == UInt8(ascii: "\n"), isQuote { out.append("> ") }
        }
        at = end + 2
        if at < text.count, text[at] == UInt8(ascii: "|") { out.append(UInt8(ascii: " ")) }
    }

    private func isBars(_ place: Int) -> Bool {
        place + 1 < text.count && text[place] == UInt8(ascii: "|") && text[place + 1] == UInt8(ascii: "|")
    }

    private mutating func code(_ out: inout [UInt8]) {
        var length = 1
        while at + length < text.count, text[at + length] == UInt8(ascii: "`") { length += 1 }
        if length == 3, let end = closing(3, at + 3) {
            fence(end, &out)
        } else if length < 3, let end = closing(length, at + length, inLine: true) {
            out += text[at..<end + length]
            at = end + length
        } else {
            out += text[at..<at + length]
            at += length
        }
    }

    /// The place of the next run of exactly this many backquotes.
    private mutating func closing(_ length: Int, _ start: Int, inLine: Bool = false) -> Int? {
        if length == 3, hasNoFence { return nil }
        var place = start
        while place < text.count {
            if inLine, text[place] == UInt8(ascii: "\n") { return nil }
            if text[place] == UInt8(ascii: "`") {
                var end = place
                while end < text.count, text[end] == UInt8(ascii: "`") { end += 1 }
                if end - place == length { return place }
                place = end
            } else {
                place += 1
            }
        }
        if length == 3 { hasNoFence = true }
        return nil
    }

    private mutating func fence(_ end: Int, _ out: inout [UInt8]) {
        let inside = Bytes(rebasing: text[at + 3..<end])
        let firstLine = inside.prefix { $0 != UInt8(ascii: "\n") }
        let hasLanguage = firstLine.count < inside.count && firstLine.allSatisfy(Neighborhood.isOfLanguage)
        Marks.beginLine(&out)
        out.append("```")
        if !hasLanguage { out.append(UInt8(ascii: "\n")) }
        out += inside
        Marks.beginLine(&out)
        out.append("```")
        at = end + 3
        if at < text.count, text[at] != UInt8(ascii: "\n") { out.append(UInt8(ascii: "\n")) }
    }
}

extension DiscordText {
    /// Appends the embeds of a message, as quotes if it has a text: previews of links, and the contents of bots' messages.
    func appendEmbeds(_ embeds: JSONValue, to out: inout [UInt8]) {
        let isQuote = !out.isEmpty
        for embed in embeds.elements {
            var piece: [UInt8] = []
            write(embed, &piece)
            Marks.trim(&piece, from: 0)
            // An embed that is only a picture or video: its address is the text, unless the text already contains it.
            if piece.isEmpty, let address = DiscordText.address(of: embed),
                out.withUnsafeBytes({ $0.offset(of: address) }) == nil
            {
                piece = Array(address.utf8)
            }
            Marks.appendBlock(piece, isQuote: isQuote, to: &out)
        }
    }

    private static func address(of embed: JSONValue) -> String? {
        let places =
            [embed] + embed["images"].list + [embed["image"], embed["video"], embed["thumbnail"]].compactMap { $0 }
        return places.lazy.compactMap { $0["url"]?.string }.first { !$0.isEmpty }
    }

    private func write(_ embed: JSONValue, _ out: inout [UInt8]) {
        if let author = embed["author"]?["name"]?.bytes, !author.isEmpty { out += author }
        if let title = embed["title"]?.bytes, !title.isEmpty {
            Marks.beginLine(&out)
            var shown: [UInt8] = []
            append(title, to: &shown)
            if let url = embed["url"]?.bytes, !url.isEmpty {
                shown.withUnsafeBytes { Marks.appendLink(url, label: $0, to: &out) }
            } else {
                out += Array("**".utf8) + shown + Array("**".utf8)
            }
        }
        line(embed["description"], &out)
        if appendPoll(embed["fields"].list, &out) { return }
        for field in embed["fields"].list {
            let (name, value) = (field["name"]?.bytes ?? .empty, field["value"]?.bytes ?? .empty)
            guard !name.isEmpty || !value.isEmpty else { continue }
            Marks.beginLine(&out)
            append(name, to: &out)
            if !name.isEmpty, !value.isEmpty { out.append(": ") }
            append(value, to: &out)
        }
        line(embed["footer"]?["text"], &out)
    }

    /// Appends the result of a poll, whose fields have names for programs: `Poll closed: Lunch? – Pizza (3 of 5 votes)`
    /// - Returns: false for other fields.
    private func appendPoll(_ fields: JSONValue.Elements, _ out: inout [UInt8]) -> Bool {
        func value(_ name: StaticString) -> Bytes? {
            fields.lazy.filter { $0["name"]?.bytes.map { $0 == name } ?? false }.compactMap { $0["value"]?.bytes }
                .first { !$0.isEmpty }
        }
        guard let question = value("poll_question_text") else { return false }
        Marks.beginLine(&out)
        out.append("Poll closed: ")
        append(question, to: &out)
        if let answer = value("victor_answer_text") ?? value("victor_answer_emoji_name") {
            out.append(" – ")
            append(answer, to: &out)
        }
        let votes = [value("victor_answer_votes"), value("total_votes")].compactMap { $0?.string }
        if !votes.isEmpty { out += Array(" (\(votes.joined(separator: " of ")) votes)".utf8) }
        return true
    }

    private func line(_ value: JSONValue?, _ out: inout [UInt8]) {
        guard let words = value?.bytes, !words.isEmpty else { return }
        Marks.beginLine(&out)
        append(words, to: &out)
    }
}
