/// How the lines of a log look. All programs are read by one engine: a grammar says how a line begins, how the rest of it names
/// its sender, and which lines are no messages but tell the date.
struct IRCGrammar: Hashable, Sendable {
    /// A short name that is kept in the setting of a feed.
    let id: String
    let stamp: IRCStamp.Style
    let body: Body
    /// The beginnings of lines that are no messages. Most of them hold a date.
    let markers: [String]
    /// Whether an action and a line of the program both begin with one star.
    var oneStar = false

    enum Body: Hashable, Sendable {
        /// `<ana> text`, `* ana waves`, `*** text`, `-!- text`, `-ana- notice`
        case brackets
        /// `ana⇥text`, `-->⇥text`
        case columns
        /// `ana: text`
        case colon
    }

    /// The stricter ones first: of two grammars that fit equally well, the first counts.
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

    /// The line without its time, if the program marks a day or the beginning of a log with it; nil for a message. A line with a
    /// time must tell a day: `[00:00] --- Sun Mar 29 2026`. So must a line that other programs write than those of the grammar: many
    /// of them have the same lines.
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

    /// Whether a line by which a program marks a day begins as those of this grammar.
    func isOwn(_ marker: Bytes) -> Bool { markers.contains { marker.starts(with: $0.utf8) } }

    /// Whether a line without a time tells of people, and belongs to the time of the line before: Ubuntu's logs have such lines.
    func isEvent(_ line: Bytes) -> Bool { stamp == .bracketed && line.starts(with: "=== ") }

    /// Whether the date of a line can only be known from lines before it.
    var needsMarkers: Bool { stamp == .month || stamp == .time || stamp == .bracketed }
}
