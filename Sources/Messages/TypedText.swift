/// A text as somebody typed it. As in IRC clients, `/me waves` is an action, and any other word after a slash is a command. Kedge
/// has no commands, so such a text is not sent. `//word` sends `/word`.
package enum TypedText: Hashable, Sendable {
    case message(String)
    case action(String)
    /// The name of the command, with its slash.
    case command(String)

    package init(_ typed: String) {
        guard let name = TypedText.name(in: typed) else {
            let isEscaped = typed.hasPrefix("//") && TypedText.name(in: typed.dropFirst()) != nil
            self = .message(isEscaped ? String(typed.dropFirst()) : typed)
            return
        }
        let rest = typed.dropFirst(name.count)
        let text = rest.drop(while: \.isWhitespace)
        self = name == "/me" && !text.isEmpty ? .action(String(text)) : .command(name)
    }

    /// The text that a user types to get a message.
    package static func typed(_ text: String, isAction: Bool) -> String {
        if isAction { return "/me " + text }
        let isEscaped = text.hasPrefix("//") && name(in: text.dropFirst()) != nil
        return name(in: text) != nil || isEscaped ? "/" + text : text
    }

    /// The reason why a text with a command is not sent, and how to send it anyway.
    package static func refusal(of command: String) -> String {
        command == "/me"
            ? "/me needs a text, as in /me waves"
            : "Kedge has no command \(command.shortened); to send the text as it is, write /\(command.shortened)"
    }

    /// The word at the beginning, if it can be a command: a slash and letters, but not a path such as /usr/bin.
    private static func name(in text: some StringProtocol) -> String? {
        guard text.first == "/" else { return nil }
        let word = text.prefix { !$0.isWhitespace }
        let letters = word.dropFirst()
        guard let first = letters.first, first.isLetter,
            letters.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
        else { return nil }
        return String(word)
    }
}

extension String {
    /// The first Unicode scalars, at most `count`. (A single character may hold a million of them.)
    package func beginning(_ count: Int) -> String {
        // The number of bytes is available at once, and each scalar has at least one.
        if utf8.count <= count { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
    }

    /// The text to quote in a line: if it is long, it is cut and followed by "…".
    package var shortened: String {
        let start = beginning(60)
        return start.utf8.count == utf8.count ? self : start + "…"
    }
}
