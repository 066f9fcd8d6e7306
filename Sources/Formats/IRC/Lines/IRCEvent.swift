/// Reads lines about people: who joined, left, took another nick or changed a mode, in the words of all programs.
enum IRCEvent {
    /// A line of a program about anything.
    static func line(_ text: Bytes) -> IRCLine { found(in: text) ?? ofEggdrop(text) ?? IRCLine(.system, nil, text) }

    /// A line about people; nil for any other.
    static func found(in text: Bytes) -> IRCLine? {
        let word = text.word
        guard word.count < text.count else { return nil }
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
        switch word[0] {
        case UInt8(ascii: "J") where word == "Joins:": return IRCLine(.join, rest.word.nick, text)
        case UInt8(ascii: "P") where word == "Parts:": return IRCLine(.leave, rest.word.nick, text)
        case UInt8(ascii: "Q") where word == "Quits:": return IRCLine(.leave, rest.word.nick, text)
        case UInt8(ascii: "N") where word == "Netsplit":
            return IRCLine(rest.starts(with: "over, joins:") ? .join : .leave, nil, text)
        case UInt8(ascii: "N") where word == "Nick" && rest.starts(with: "change: "):
            let old = rest.after(8).word
            let arrow = rest.after(8).after(old.count)
            guard arrow.starts(with: "-> ") else { return nil }
            return IRCLine(.nick, old.nick, text, newNick: arrow.after(3).word.nick)
        case UInt8(ascii: "M") where word == "Mode": return IRCLine(.mode, lastWord(after: " by ", text), text)
        case UInt8(ascii: "m") where word.starts(with: "mode/"),
            UInt8(ascii: "S") where word.starts(with: "ServerMode/"):
            return IRCLine(.mode, lastWord(after: " by ", text), text)
        case UInt8(ascii: "#") where rest.starts(with: "mode change '"):
            return IRCLine(.mode, lastWord(after: " by ", text), text)
        case UInt8(ascii: "Y") where word == "You" || word == "You're": return IRCLine(.system, nil, text)
        default: return nil
        }
    }

    private static func verbs(_ nick: Bytes, _ rest: Bytes, _ text: Bytes) -> IRCLine? {
        for (beginning, kind) in beginnings where rest.starts(with: beginning) {
            return IRCLine(kind, nick, text)
        }
        for beginning in renamings where rest.starts(with: beginning) {
            return IRCLine(.nick, nick, text, newNick: rest.after(beginning.utf8CodeUnitCount).word.nick)
        }
        // The first word of these lines is the operator's nick.
        for beginning in kicks where rest.starts(with: beginning) {
            return IRCLine(.leave, rest.after(beginning.utf8CodeUnitCount).word.nick, text)
        }
        return nil
    }

    private static let beginnings: [(StaticString, IRCLine.Kind)] = [
        ("has joined", .join), ("joined #", .join), ("returned to #", .join), ("got netsplit", .leave),
        ("joined the channel", .join), ("arrives", .join),
        ("has left", .leave), ("left #", .leave), ("left irc:", .leave), ("left IRC", .leave),
        ("left the channel", .leave), ("has quit", .leave), ("Quit (", .leave), ("leaves", .leave),
        ("was kicked ", .leave), ("kicked from ", .leave), ("sets mode", .mode), ("set mode", .mode),
        ("gives channel ", .mode), ("removes channel ", .mode), ("gives voice to ", .mode),
        ("removes voice from ", .mode),
        ("sets ban on ", .mode), ("removes ban on ", .mode), ("sets channel ", .mode), ("sets quiet on ", .mode),
        ("removes quiet on ", .mode), ("sets exempt on ", .mode), ("removes exempt on ", .mode),
        ("sets invite exempt on ", .mode), ("removes invite exempt on ", .mode), ("removes user limit", .mode),
    ]
    private static let renamings: [StaticString] = [
        "is now known as ", "is known as ", "has changed nick to ", "changed nick to ", "changed their nick to ",
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

    /// Whether a line that begins like an action comes from the program.
    static func isOfProgram(_ text: Bytes) -> Bool {
        // `[ana] (~ana@host): Ana`
        text.first == UInt8(ascii: "[") && text.word.last == UInt8(ascii: "]")
            || ofProgram.contains { text.starts(with: $0) }
    }

    private static let ofProgram: [StaticString] = [
        "Now talking ", "Topic for ", "Topic is ", "Set by ", "Disconnected", "Connected", "Connecting ", "Looking up ",
        "Channel #",
        "Users on ", "Cannot join ", "Rejoined channel ", "Attempting to rejoin ", "Retrieving ", "You ",
        "Received a CTCP ",
        "Loaded log from", "Ping reply from ", "Capabilities ", "Stopped previous ", "No ping reply ", "Connection ",
        "Notify: ",
        "Server ", "Unknown host",
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
    /// Whether nobody could have written these words as an action: they name a host, or the program says them alone.
    var isSure: Bool {
        switch kind {
        case .join, .leave: text.contains(UInt8(ascii: "(")) || text.contains(UInt8(ascii: "["))
        default: true
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The length of a group in brackets at the beginning; nil without one. Nicks and real names have brackets of their own, which
    /// need not match: a group ends where a blank follows.
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
