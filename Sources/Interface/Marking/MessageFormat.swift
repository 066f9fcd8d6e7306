/// A format in which messages are written to a file, or printed.
package enum MessageFormat: String, CaseIterable, Hashable, Sendable {
    case text, markdown, json

    /// The format for a file's ending; nil for any other ending.
    package init?(ofFile name: String) {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        switch name[dot...].lowercased() {
        case ".txt": self = .text
        case ".md": self = .markdown
        case ".json": self = .json
        default: return nil
        }
    }

    /// For people.
    package var title: String {
        switch self {
        case .text: "text"
        case .markdown: "Markdown"
        case .json: "JSON"
        }
    }
}
