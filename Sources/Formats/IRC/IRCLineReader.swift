internal import JSON
/// Reads lines of a log, without their times, by the grammar of the program that wrote them.
enum IRCLineReader {
    /// Reads a line without its time; nil if the grammar does not know such lines.
    static func line(_ rest: Bytes, _ grammar: IRCGrammar) -> IRCLine? {
        switch grammar.body {
        case .columns: columns(rest)
        case .brackets: brackets(rest, oneStar: grammar.oneStar)
        case .colon: colon(rest)
        }
    }

    // MARK: - ana⇥text

    private static func columns(_ rest: Bytes) -> IRCLine? {
        guard let tab = rest.firstIndex(of: 9) else {
            // `****  Beginning of log  ****`
            return rest.starts(with: "****") ? IRCLine(.system, nil, rest) : nil
        }
        let prefix = rest[..<tab].trimmed
        let text = Bytes(rebasing: rest[(tab + 1)...])
        switch prefix {
        case "-->": return arrow(.join, text)
        case "<--": return arrow(.leave, text)
        case "--": return notice(text) ?? IRCEvent.line(text)
        case "*": return action(text)
        case "", "=!=": return IRCLine(.system, nil, text)
        default: return prefix.unbracketed.nick.map { IRCLine(.message, $0, text) } ?? IRCEvent.line(text)
        }
    }

    /// `Notice(ana): text`. The name of a server contains a dot; a nick cannot.
    private static func notice(_ text: Bytes) -> IRCLine? {
        guard text.starts(with: "Notice("), let end = text.firstIndex(of: UInt8(ascii: ")")), end + 2 < text.count,
            text[end + 1] == UInt8(ascii: ":"), text[end + 2] == UInt8(ascii: " ")
        else { return nil }
        let name = Bytes(rebasing: text[7..<end])
        guard !name.contains(UInt8(ascii: ".")), let nick = name.nick else { return IRCLine(.system, nil, text) }
        return IRCLine(.notice, nick, Bytes(rebasing: text[(end + 3)...]))
    }

    /// The first word of such a line is the nick, in any language, except that the first word of a kick is the operator's nick.
    private static func arrow(_ kind: IRCLine.Kind, _ text: Bytes) -> IRCLine {
        if let line = IRCEvent.found(in: text), line.kind == kind { return line }
        return IRCLine(kind, text.word.nick, text)
    }

    private static func action(_ text: Bytes) -> IRCLine {
        let word = text.word
        guard let nick = word.nick else { return IRCLine(.system, nil, text) }
        return IRCLine(.action, nick, Bytes(rebasing: text[min(text.count, word.count + 1)...]))
    }

    // MARK: - <ana> text

    private static func brackets(_ rest: Bytes, oneStar: Bool) -> IRCLine? {
        let body = rest.withoutColours
        guard let first = body.first else { return nil }
        switch first {
        case UInt8(ascii: "<"): return arrowOrSpeaker(body)
        case UInt8(ascii: "*"): return star(body, oneStar)
        case UInt8(ascii: "-"): return dash(body)
        case UInt8(ascii: "=") where body.starts(with: "=== "): return IRCEvent.line(body.after(4))
        case UInt8(ascii: "!") where body.count > 1 && body[1] > 0x40: return IRCLine(.system, nil, body)
        case 0xE2 where body.starts(with: "• "): return bullet(body.after(4))
        default: return IRCEvent.found(in: body) ?? IRCEvent.ofEggdrop(body) ?? headed(body)
        }
    }

    /// `Join⇥ana (~ana@host) has joined`: Konversation writes the kind of a line before it.
    private static func headed(_ body: Bytes) -> IRCLine? {
        guard let tab = body.firstIndex(of: 9), tab > 0, tab < 24,
            body[..<tab].allSatisfy({ $0 >= 0x80 || $0.isLetter })
        else { return nil }
        return IRCEvent.line(Bytes(rebasing: body[(tab + 1)...]))
    }

    private static func arrowOrSpeaker(_ body: Bytes) -> IRCLine? {
        if body.starts(with: "<--") { return arrow(.leave, body.after(3)) }
        // Quassel writes new nicks this way.
        if body.starts(with: "<->") { return IRCEvent.line(body.after(3)) }
        // No nick is longer; names from bridges may contain blanks.
        let limit = min(body.count, 80)
        guard let end = body[..<limit].firstIndex(of: UInt8(ascii: ">")),
            end + 1 == body.count || body[end + 1] == 32 || body[end + 1] == 9, let nick = body[1..<end].trimmed.spoken
        else { return nil }
        return IRCLine(.message, nick, Bytes(rebasing: body[min(body.count, end + 2)...]))
    }

    private static func star(_ body: Bytes, _ oneStar: Bool) -> IRCLine? {
        if body.starts(with: "*** ") { return IRCEvent.line(body.after(4)) }
        guard body.count > 2, body[1] == 32 || body[1] == 9 else { return nil }
        let text = body.after(2)
        if let event = IRCEvent.found(in: text), oneStar || event.kind == .join || event.kind == .leave || event.isMode,
            event.isSure
        {
            return event
        }
        if oneStar, IRCEvent.isOfProgram(text) { return IRCLine(.system, nil, text) }
        if oneStar, let event = IRCEvent.foreign(text) { return event }
        return action(text)
    }

    private static func dash(_ body: Bytes) -> IRCLine? {
        if body.starts(with: "-!- ") { return IRCEvent.line(body.after(4)) }
        if body.starts(with: "-->") { return arrow(.join, body.after(3)) }
        if body.starts(with: "---") { return IRCEvent.line(body.after(3)) }
        // `-ana- text`, `-ana:#kedge- text`, `-ana/#kedge-⇥text`, `-ana(~ana@host)- text`
        var end = 1
        while end + 1 < body.count, body[end] != UInt8(ascii: "-") || body[end + 1] != 32 && body[end + 1] != 9 {
            if body[end] <= 32 { return nil }
            end += 1
        }
        guard end + 1 < body.count, end > 1 else { return nil }
        let name = Bytes(rebasing: body[1..<end])
        let cut = name.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "(") }
        guard let nick = Bytes(rebasing: name[..<(cut ?? name.count)]).nick else { return nil }
        return IRCLine(.notice, nick, body.after(end + 2))
    }

    /// `• ana: waves`
    private static func bullet(_ text: Bytes) -> IRCLine? {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon + 1 < text.count, text[colon + 1] == 32,
            let nick = Bytes(rebasing: text[..<colon]).nick
        else { return action(text) }
        return IRCLine(.action, nick, text.after(colon + 2))
    }

    // MARK: - ana: text

    private static func colon(_ rest: Bytes) -> IRCLine? {
        if rest.starts(with: "*") || rest.starts(with: "•") { return brackets(rest, oneStar: false) }
        let word = rest.word
        guard word.last == UInt8(ascii: ":"), let nick = Bytes(rebasing: word.dropLast()).nick, nick.isPlainNick else {
            return IRCEvent.found(in: rest)
        }
        return IRCLine(.message, nick, Bytes(rebasing: rest[min(rest.count, word.count + 1)...]))
    }
}

/// The form of the lines of a log. One engine reads the logs of all programs: a grammar says how a line begins, how it names its
/// sender, and which lines are not messages but give the date.
struct IRCGrammar: Hashable, Sendable {
    /// A short name that is kept in the setting of a feed.
    let id: String
    let stamp: IRCStamp.Style
    let body: Body
    /// The beginnings of lines that are not messages. Most of them contain a date.
    let markers: [String]
    /// True if both actions and lines of the program begin with a single star.
    var oneStar = false

    enum Body: Hashable, Sendable {
        /// `<ana> text`, `* ana waves`, `*** text`, `-!- text`, `-ana- notice`
        case brackets
        /// `ana⇥text`, `-->⇥text`
        case columns
        /// `ana: text`
        case colon
    }

    /// Stricter grammars come first: if two fit equally well, the first is used.
    static let all = [
        IRCGrammar(id: "weechat", stamp: .tabbed, body: .columns, markers: []),
        IRCGrammar(id: "dated", stamp: .dated, body: .brackets, markers: ["--- ", "**** ", "Session "]),
        IRCGrammar(id: "hexchat", stamp: .month, body: .brackets, markers: ["**** "], oneStar: true),
        IRCGrammar(id: "irssi", stamp: .time, body: .brackets, markers: ["--- "]),
        IRCGrammar(id: "znc", stamp: .bracketed, body: .brackets, markers: ["--- "]),
        IRCGrammar(
            id: "mirc", stamp: .bracketed, body: .brackets, markers: ["Session ", "**** "], oneStar: true),
        IRCGrammar(id: "xchat", stamp: .time, body: .brackets, markers: ["**** "], oneStar: true),
        IRCGrammar(id: "ii", stamp: .epoch, body: .brackets, markers: []),
        IRCGrammar(id: "numeric", stamp: .numeric, body: .brackets, markers: ["Session ", "--- "]),
        IRCGrammar(id: "named", stamp: .named, body: .brackets, markers: ["Session ", "Logging "]),
        IRCGrammar(id: "colon", stamp: .dated, body: .colon, markers: []),
        IRCGrammar(id: "limechat", stamp: .time, body: .colon, markers: []),
        IRCGrammar(id: "textual", stamp: .bracketed, body: .colon, markers: []),
    ]

    static func named(_ id: some StringProtocol) -> IRCGrammar? { all.first { $0.id == id } }

    /// The line without its time, if the program marks a day or the beginning of a log with it; nil for a message. A line must
    /// contain a date if it has a time (`[00:00] --- Sun Mar 29 2026`), or if it is in the words of another program: many
    /// programs share such lines.
    func marker(_ line: Bytes, _ stamp: IRCStamp?) -> Bytes? {
        guard let stamp else {
            let isOther = IRCGrammar.otherMarkers.contains { line.starts(with: $0) } && Self.tellsDay(line)
            // `[Sun Mar 29 2026]`
            let isDay = line.first == UInt8(ascii: "[") && line.last == UInt8(ascii: "]") && Self.tellsDay(line)
            return isOwn(line) || isOther || isDay || line.starts(with: "### Log session ") ? line : nil
        }
        let rest = Bytes(rebasing: line[stamp.length...])
        return needsMarkers && rest.starts(with: "--- ") && Self.tellsDay(rest) ? rest : nil
    }

    private static func tellsDay(_ line: Bytes) -> Bool { IRCDate.day(in: line, after: nil) != nil }

    private static let otherMarkers: [StaticString] = [
        "--- ", "**** ", "### ", "Session ", "Logging ", "IRC log ", "IRC Log ", "Start of ", "End of ", "—",
    ]

    /// True if this line, which marks a day, begins like the lines of this grammar.
    func isOwn(_ marker: Bytes) -> Bool { markers.contains { marker.starts(with: $0.utf8) } }

    /// True for an event without a time, which has the time of the line before. Ubuntu's logs have such lines.
    func isEvent(_ line: Bytes) -> Bool { stamp == .bracketed && line.starts(with: "=== ") }

    /// True if the dates of lines are known only from lines before them.
    var needsMarkers: Bool { stamp == .month || stamp == .time || stamp == .bracketed }
}
