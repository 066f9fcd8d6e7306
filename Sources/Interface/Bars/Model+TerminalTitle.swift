package import Display
import Messages

extension Model {
    /// The title of the terminal: `Kedge: General (3)`, with the number of all messages that are known to be new.
    package var terminalTitle: CleanText {
        let name = conversation.map { ": \($0.title.prefix(100))" } ?? ""
        let new = reading.elsewhere.reduce(main.newCount) { sum, elsewhere in
            let shown = reading.shown(elsewhere.value.unread, in: elsewhere.key)
            return sum + max(shown.count, shown.mentions)
        }
        return CleanText("Kedge\(name)\(new > 0 ? " (\(new.grouped))" : "")")
    }
}
