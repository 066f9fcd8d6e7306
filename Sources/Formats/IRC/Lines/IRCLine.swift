/// A line of a log, without its time. All texts are parts of the line.
struct IRCLine {
    var kind: Kind
    /// Nil for lines of the program, the server, or of several people.
    var nick: Bytes?
    var text: Bytes
    /// The name that a person takes.
    var newNick: Bytes?

    enum Kind: UInt8, Hashable, Sendable {
        case message, action, notice, system
        case join, leave, nick, mode

        var isPresence: Bool { self == .join || self == .leave || self == .nick || self == .mode }

        /// How a record names it.
        var presence: StaticString {
            switch self {
            case .join: "join"
            case .leave: "leave"
            case .nick: "nick"
            default: "mode"
            }
        }
    }

    init(_ kind: Kind, _ nick: Bytes?, _ text: Bytes, newNick: Bytes? = nil) {
        self.kind = kind
        self.nick = nick
        self.text = text
        self.newNick = newNick
    }
}
