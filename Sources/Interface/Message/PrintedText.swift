package import Display
package import Messages

/// The text of a message as it is printed on a terminal, outside of any screen.
package enum PrintedText {
    /// The number of columns by which the inside of a block of code stands further in.
    private static let codeIndent = 2

    /// Prose breaks between words, the items of lists beside their marks. Code keeps its lines and blanks.
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
