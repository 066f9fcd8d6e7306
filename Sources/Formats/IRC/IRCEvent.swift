internal import JSON

/// Reads lines about people: who joined, left, took another nick or changed a mode, in the words of all programs.
enum IRCEvent {
    /// Reads any line that the program wrote, rather than a person.
    static func line(_ text: Bytes) -> IRCLine { found(in: text) ?? ofEggdrop(text) ?? IRCLine(.system, nil, text) }

    /// A line about people; nil for any other.
    static func found(in text: Bytes) -> IRCLine? {
        let word = text.word
        guard !word.isEmpty, word.count < text.count else { return nil }
        if let line = headed(word, text) { return line }
        // ii joins the host to the nick: `ana(~ana@host) has joined`
        let length = word.firstIndex(of: UInt8(ascii: "(")) ?? word.count
        guard let nick = Bytes(rebasing: word[..<length]).nick else { return nil }
        var rest = text.after(length)
        // `ana [account] (real name) (~ana@host) has joined`
        while let group = rest.group { rest = rest.after(group) }
        return verbs(nick, rest, text)
    }

    /// Lines that begin with a word for the event.
    private static func headed(_ word: Bytes, _ text: Bytes) -> IRCLine? {
        let rest = text.after(word.count)
        switch word {
        case "Joins:": return IRCLine(.join, rest.word.nick, text)
        case "Parts:", "Quits:": return IRCLine(.leave, rest.word.nick, text)
        case "Netsplit": return IRCLine(rest.starts(with: "over, joins:") ? .join : .leave, nil, text)
        case "Nick" where rest.starts(with: "change: "):
            let old = rest.after(8).word
            let arrow = rest.after(8).after(old.count)
            guard arrow.starts(with: "-> ") else { return nil }
            return IRCLine(.nick, old.nick, text, newNick: arrow.after(3).word.nick)
        case "You", "You're": return IRCLine(.system, nil, text)
        default:
            let isMode =
                word == "Mode" || word.starts(with: "mode/") || word.starts(with: "ServerMode/")
                || word[0] == UInt8(ascii: "#") && rest.starts(with: "mode change '")
            return isMode ? IRCLine(.mode, lastWord(after: " by ", text), text) : nil
        }
    }

    private static func verbs(_ nick: Bytes, _ rest: Bytes, _ text: Bytes) -> IRCLine? {
        for (word, kind) in lastWords where rest == word || rest.starts(with: word) && rest.after(word).first == 0x28 {
            return IRCLine(kind, nick, text)
        }
        if let line = event(beginnings, nick, rest, text) { return line }
        // The first word of these lines is the operator's nick.
        for beginning in kicks where rest.starts(with: beginning) {
            return IRCLine(.leave, rest.after(beginning).word.nick, text)
        }
        return nil
    }

    /// The event that the words after a nick tell; nil if the table has no such words.
    private static func event(
        _ table: KeyValuePairs<IRCLine.Kind, [StaticString]>, _ nick: Bytes, _ rest: Bytes, _ text: Bytes
    ) -> IRCLine? {
        for (kind, beginnings) in table {
            for beginning in beginnings where rest.starts(with: beginning) {
                return IRCLine(kind, nick, text, newNick: kind == .nick ? rest.after(beginning).word.nick : nil)
            }
        }
        return nil
    }

    /// Words that end an event: only a reason in brackets may follow.
    private static let lastWords: [(StaticString, IRCLine.Kind)] = [
        ("joined", .join), ("joined.", .join), ("left", .leave), ("left.", .leave), ("parted", .leave),
        ("quit", .leave),
    ]
    /// The words of HexChat in other languages. HexChat writes some of them with the person's host, and some without.
    private static let foreign: KeyValuePairs<IRCLine.Kind, [StaticString]> = [
        .join: [
            "s'ha unit", "deltager", "ist beigetreten", "έχει εισέλθει", "se ha unido", "liittyi",
            "vient de rentrer", "telah bergabung", "è entrato", "が参加", "님이 입장하였습니다", "atėjo", "har blitt med",
            "dołączył", "entrou", "был добавлен", "се прикључио", "har gått in", "katıldı", "已进入",
        ],
        .leave: [
            "ha sortit", "odešel", "har afsluttet", "hat die Verbindung getrennt", "εγκατέλειψε", "se ha marchado",
            "lopetti", "a quitté", "kijelentkezett", "telah keluar", "ha chiuso la connessione", "님이 끝내셨습니다",
            "atsijungė", "har avsluttet", "rozłączył", "saiu", "desconectou-se", "вышел", "је отишао",
            "har avslutat", "çıktı", "已退出", "er gået", "ist gegangen", "αποχώρησε", "ha salido", "poistui",
            "est parti", "telah meninggalkan", "abbandona", "ha abbandonato", "님이 나갔습니다", "išėjo", "har forlatt",
            "wyszedł", "har lämnat", "ayrıldı", "已离开",
        ],
        .mode: [
            "setzt Modus ", "setzt Modi ", "pone modo", "a mis le mode ", "a activé le mode ",
            "ha impostato la modalità ", "ha impostato le modalità ", "ustawia status ", "ustawia tryb ",
            "definiu o", "ajustou os modos ", "установил режим ", "изменён режим ", "sätter läge", "setter flagg ",
            "setter modus ", "sætter tilstand", "estableix el", "设置模式 ",
        ],
        .nick: [
            "és conegut com a ", "er nu kendt som ", "heißt jetzt ", "τώρα είναι ως ", "ahora es conocido como ",
            "est maintenant connu sous le nom de ", "sekarang namanya adalah ", "è ora conosciuto come ",
            "dabar žinomos kaip ", "er nå kjent som ", "jest znany teraz jako ", "agora é ",
            "mudou de apelido para ", "теперь известен как ", "је сада познат као ", "je sada poznat kao ",
            "är nu känd som ", "artık bu şekilde biliniyor ", "改名为 ",
        ],
    ]

    /// Reads an event in another language. A host in brackets after the nick proves an event, whatever the words.
    static func foreign(_ text: Bytes) -> IRCLine? {
        let word = text.word
        guard word.count < text.count, let nick = word.nick else { return nil }
        var rest = text.after(word.count)
        var hasHost = false
        if rest.first == UInt8(ascii: "("), let group = rest.group {
            hasHost = Bytes(rebasing: rest[..<group]).contains(UInt8(ascii: "@"))
            rest = rest.after(group)
        }
        // People may write this about themselves as an action. A host or a reason in brackets shows that the program wrote it.
        if let line = event(foreign, nick, rest, text),
            hasHost || line.kind == .mode || line.kind == .nick || rest.ends(with: ")") || rest.ends(with: ").")
        {
            return line
        }
        return hasHost ? IRCLine(.system, nick, text) : nil
    }

    private static let beginnings: KeyValuePairs<IRCLine.Kind, [StaticString]> = [
        .join: [
            "has joined", "have joined", "joined #", "joined &", "returned to #", "joined the channel", "arrives",
        ],
        .leave: [
            "got netsplit", "has left", "left #", "left irc:", "left IRC", "left the channel", "has quit", "Quit (",
            "leaves", "was kicked ", "kicked from ",
        ],
        .mode: [
            "sets mode", "set mode", "gives channel ", "removes channel ", "gives voice to ", "removes voice from ",
            "sets ban on ", "removes ban on ", "sets channel ", "sets quiet on ", "removes quiet on ",
            "sets exempt on ", "removes exempt on ", "sets invite exempt on ", "removes invite exempt on ",
            "removes user limit",
        ],
        .nick: [
            "is now known as ", "is known as ", "has changed nick to ", "changed nick to ",
            "changed their nick to ",
        ],
    ]
    private static let kicks: [StaticString] = ["has kicked ", "kicked ", "kicks "]

    /// `ana (~ana@host) joined #kedge.`, `Topic changed on #kedge by ana!~ana@host: text`, `Action: ana waves`
    static func ofEggdrop(_ body: Bytes) -> IRCLine? {
        if body.starts(with: "Action: ") {
            let text = body.after(8)
            guard let nick = text.word.nick else { return nil }
            return IRCLine(.action, nick, Bytes(rebasing: text[min(text.count, text.word.count + 1)...]))
        }
        return body.starts(with: "Topic changed on ") ? IRCLine(.system, nil, body) : nil
    }

    /// True if the program wrote this line, although it begins like an action.
    static func isOfProgram(_ text: Bytes) -> Bool {
        // `[ana] (~ana@host): Ana`
        text.first == UInt8(ascii: "[") && text.word.last == UInt8(ascii: "]")
            || ofProgram.contains { text.starts(with: $0) }
    }

    private static let ofProgram: [StaticString] = [
        "Now talking ", "Topic for ", "Topic is ", "Set by ", "Disconnected", "Connected", "Connecting ",
        "Looking up ", "Channel #", "Users on ", "Cannot join ", "Rejoined channel ", "Attempting to rejoin ",
        "Retrieving ", "You ", "Received a CTCP ", "Loaded log from", "Ping reply from ", "Capabilities ",
        "Stopped previous ", "No ping reply ", "Connection ", "Notify: ", "Server ", "Unknown host",
    ]

    /// The nick after the last occurrence of some words: `Mode #kedge [+o ana] by ben`
    private static func lastWord(after words: StaticString, _ text: Bytes) -> Bytes? {
        let length = words.utf8CodeUnitCount
        var at = text.count - length
        while at >= 0 {
            let rest = Bytes(rebasing: text[at...])
            if rest.starts(with: words) {
                let word = rest.after(length).word
                let end = word.firstIndex { $0 == UInt8(ascii: "!") || $0 == UInt8(ascii: ",") } ?? word.count
                return Bytes(rebasing: word[..<end]).nick
            }
            at -= 1
        }
        return nil
    }
}

extension IRCLine {
    /// True for a mode change in the words of programs: `ana sets mode: +v ben`.
    var isMode: Bool {
        guard kind == .mode else { return false }
        return ["sets mode: +", "sets mode: -", "sets mode +", "sets mode -"].contains { text.offset(of: $0) != nil }
    }

    /// True if this cannot be an action that somebody typed: it names a host, or only programs use these words.
    var isSure: Bool {
        switch kind {
        case .join, .leave: text.contains(UInt8(ascii: "(")) || text.contains(UInt8(ascii: "["))
        default: true
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The length of a group in brackets at the beginning; nil without a group. Nicks and real names may contain unbalanced
    /// brackets, so a group ends at a bracket before a blank.
    fileprivate var group: Int? {
        guard let first, let end = UnsafeRawBufferPointer.closing(first) else { return nil }
        return indices.first { self[$0] == end && ($0 + 1 == count || self[$0 + 1] == 32) }.map { $0 + 1 }
    }

    private static func closing(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "("): UInt8(ascii: ")")
        case UInt8(ascii: "["): UInt8(ascii: "]")
        case UInt8(ascii: "<"): UInt8(ascii: ">")
        default: nil
        }
    }
}

/// Turns the text of a log into Kedge's markup: bold, italics and the like become marks; other codes and control characters are
/// removed.
struct IRCText {
    private(set) var bytes: [UInt8] = []
    /// The look of the next text.
    private var style: Set<Mark> = []
    /// The marks that are open.
    private var open: [Mark] = []

    /// Outer marks come first.
    private enum Mark: String, CaseIterable {
        case struck = "~~"
        case bold = "**"
        case italic = "*"
        case code = "`"
    }

    /// True if text can be shown unchanged: valid UTF-8 without control characters.
    private static func isPlain(_ text: Bytes) -> Bool {
        var at = 0
        var high: UInt64 = 0
        while at + 8 <= text.count {
            let word = text.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            // Detects a byte below 32 or a byte 127 among eight, by a variant of the well-known test for a zero byte.
            let low = (word &- 0x2020_2020_2020_2020) & ~word
            let deleted = word ^ 0x7F7F_7F7F_7F7F_7F7F
            if (low | ((deleted &- 0x0101_0101_0101_0101) & ~deleted)) & 0x8080_8080_8080_8080 != 0 {
                // The test may be wrong after a byte of 128 or more, so test each byte.
                for byte in text[at..<(at + 8)] where byte < 32 && byte != 9 || byte == 127 { return false }
            }
            high |= word
            at += 8
        }
        while at < text.count {
            let byte = text[at]
            if byte < 32 && byte != 9 || byte == 127 { return false }
            high |= UInt64(byte)
            at += 1
        }
        return high & 0x8080_8080_8080_8080 == 0 || text.isUTF8
    }

    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    mutating func lineFeed() { bytes.append(10) }

    /// Removes line feeds at the end.
    mutating func trim() { while bytes.last == 10 { bytes.removeLast() } }

    /// Appends a line.
    mutating func append(_ line: Bytes) {
        guard !IRCText.isPlain(line) else { return bytes.append(contentsOf: line) }
        style = []
        var at = 0
        while at < line.count {
            let byte = line[at]
            if byte >= 32 && byte != 127 || byte == 9 {
                var end = at + 1
                while end < line.count, line[end] >= 32 && line[end] != 127 || line[end] == 9 { end += 1 }
                run(Bytes(rebasing: line[at..<end]))
                at = end
                continue
            }
            at += 1
            switch byte {
            case 0x02: toggle(.bold)
            case 0x1D: toggle(.italic)
            case 0x1E: toggle(.struck)
            case 0x11: toggle(.code)
            case 0x0F: style = []
            case 0x03: at = IRCText.afterColour(line, at, digits: 2) { $0.isDigit }
            case 0x04: at = IRCText.afterWideColour(line, at)
            case 0x1B: at = IRCText.afterEscape(line, at)
            default: break
            }
        }
        close(keeping: [])
    }

    private mutating func toggle(_ mark: Mark) {
        if style.remove(mark) == nil { style.insert(mark) }
    }

    /// Appends text without codes. Marks go next to the words, not next to blanks: `** a**` would not be bold.
    private mutating func run(_ text: Bytes) {
        let wanted = style.contains(.code) ? [.code] : Mark.allCases.filter(style.contains)
        let blank: (UInt8) -> Bool = { $0 == 32 || $0 == 9 }
        guard let start = text.firstIndex(where: { !blank($0) }), let last = text.lastIndex(where: { !blank($0) })
        else {
            bytes.append(contentsOf: text)
            return
        }
        close(keeping: wanted)
        bytes.append(contentsOf: text[..<start])
        for mark in wanted.dropFirst(open.count) {
            bytes += mark.rawValue.utf8
            open.append(mark)
        }
        bytes.append(contentsOf: text[start...last])
        bytes.append(contentsOf: text[(last + 1)...])
    }

    /// Closes the marks that the following text does not have. They go before the blanks at the end.
    private mutating func close(keeping wanted: [Mark]) {
        var same = 0
        while same < open.count, same < wanted.count, open[same] == wanted[same] { same += 1 }
        guard same < open.count else { return }
        var end = bytes.count
        while end > 0, bytes[end - 1] == 32 || bytes[end - 1] == 9 { end -= 1 }
        let blanks = Array(bytes[end...])
        bytes.removeSubrange(end...)
        while open.count > same { bytes += open.removeLast().rawValue.utf8 }
        bytes += blanks
    }

    /// The place after the numbers of a colour code, such as `4,12`: digits, optionally with a comma and more digits.
    private static func afterColour(_ line: Bytes, _ start: Int, digits: Int, _ isDigit: (UInt8) -> Bool) -> Int {
        var at = start
        while at < line.count, at < start + digits, isDigit(line[at]) { at += 1 }
        guard at > start, at + 1 < line.count, line[at] == UInt8(ascii: ","), isDigit(line[at + 1]) else { return at }
        let second = at + 1
        at = second
        while at < line.count, at < second + digits, isDigit(line[at]) { at += 1 }
        return at
    }

    /// The place after six hexadecimal digits, or after one of irssi's own codes, which begin with the same byte.
    private static func afterWideColour(_ line: Bytes, _ start: Int) -> Int {
        let isHex: (UInt8) -> Bool = { $0.hexValue != nil }
        if start + 6 <= line.count, line[start..<(start + 6)].allSatisfy(isHex) {
            return afterColour(line, start, digits: 6, isHex)
        }
        guard start < line.count else { return start }
        switch line[start] {
        case UInt8(ascii: "a")...UInt8(ascii: "i"): return start + 1
        case UInt8(ascii: "+")...UInt8(ascii: "."): return min(line.count, start + 2)
        case UInt8(ascii: "#"): return min(line.count, start + 5)
        case UInt8(ascii: "/")...UInt8(ascii: "?"): return min(line.count, start + 2)
        default: return start
        }
    }

    /// The place after a terminal's escape sequence: `[31m`.
    private static func afterEscape(_ line: Bytes, _ start: Int) -> Int {
        guard start < line.count, line[start] == UInt8(ascii: "[") else { return start }
        var at = start + 1
        while at < line.count, line[at] >= 0x20, line[at] < 0x40 { at += 1 }
        return min(line.count, at + 1)
    }
}
