import Interface
import JSON
import Messages

/// Writes messages as for `kedge show`, also when a selection is copied or written to a file.
struct MessageWriter {
    private let format: MessageFormat
    private let zone: Zone

    init(_ format: MessageFormat, zone: Zone) { (self.format, self.zone) = (format, zone) }

    func text(of messages: [Message], in conversation: ConversationID) -> String {
        switch format {
        case .text: printed(messages, as: .text)
        case .markdown: printed(messages, as: .markdown)
        case .json: "[\(JSONText.elements(messages.map { JSONText($0, in: conversation) }))]\n"
        }
    }

    private func printed(_ messages: [Message], as format: ExportPrinter.Format) -> String {
        let printer = ExportPrinter(format: format, zone: zone)
        return messages.map(printer.text).joined()
    }
}
