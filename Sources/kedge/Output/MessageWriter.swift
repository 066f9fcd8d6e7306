import Interface
import Messages

/// Writes messages as `kedge show` prints them and as a selection is copied or written to a file.
struct MessageWriter {
    private let format: MessageFormat
    private let zone: Zone

    init(_ format: MessageFormat, zone: Zone) { (self.format, self.zone) = (format, zone) }

    func text(of messages: [Message], in conversation: ConversationID) -> String {
        switch format {
        case .text: printed(messages, as: .text)
        case .markdown: printed(messages, as: .markdown)
        // A message cannot fail to be encoded: it has only texts and numbers.
        case .json: ((try? JSONText.encode(messages.map { ShownMessage($0, in: conversation) })) ?? "[]") + "\n"
        }
    }

    private func printed(_ messages: [Message], as format: ExportPrinter.Format) -> String {
        let printer = ExportPrinter(format: format, zone: zone)
        return messages.map(printer.text).joined()
    }
}
