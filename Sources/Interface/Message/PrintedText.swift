package import Display
package import Messages

/// The text of a message for a terminal, outside of the screen of `open`.
package enum PrintedText {
    /// The columns by which blocks of code are indented.
    private static let codeIndent = 2

    /// Wraps prose between words, with list items beside their marks. Blocks of code keep their lines and blanks.
    package static func rows(of message: Message, columns: Int) -> [CleanText] {
        let body = Body(message, sender: message.sender.map { CleanText($0.name) })
        return body.lines.flatMap { line -> [CleanText] in
            switch line.kind {
            case .prose:
                wrap(line.text, columns: columns, hanging: line.head.hang).map { .blanks($0.indent) + $0.text }
            case .fence: hardWrap(line.text, columns: columns).map(\.text)
            case .code:
                hardWrap(line.text, columns: columns - codeIndent).map { .blanks(codeIndent) + $0.text }
            }
        }
    }
}
