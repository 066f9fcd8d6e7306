import Display
import Glibc
import Messages
import Settings
import Threads

/// Notifies the user of mentions and replies, by `notify-send` if the settings ask for it. Errors are not reported, since the
/// message is on the screen anyway.
struct Notifier: Sendable {
    private let settings: Config.Notify
    private let environment: [String: String]
    private let program: String
    /// Runs one process at a time, however many messages come in.
    private let thread = SerialThread()

    /// The number of characters of the text that a notification shows.
    private static let shown = 200

    /// - Parameter program: a path, or a name to be found by PATH.
    init(
        _ settings: Config.Notify, environment: [String: String] = Environment.variables,
        program: String = "notify-send"
    ) {
        self.settings = settings
        self.program = program
        self.environment = environment
    }

    /// True if the terminal should ring.
    var rings: Bool { settings.bell }

    /// Returns at once. Name and text are scrubbed, and come after `--`, so that neither is read as an option.
    /// - Parameter link: the link to the message, for `kedge open`, in a line of its own.
    func notify(from name: String, _ text: String, link: Link? = nil) {
        guard settings.desktop else { return }
        let title = PipedText.line(Notifier.beginning(of: name))
        let lines = [Notifier.beginning(of: text)] + (link.map { [$0.description] } ?? [])
        let body = lines.map { Notifier.literal(PipedText.line($0)) }.joined(separator: "\n")
        let words = [title.isEmpty ? "Kedge" : title, body]
        thread.run { [program, environment] in
            guard let process = try? Child.start(program, ["--app-name=Kedge", "--"] + words, environment: environment)
            else { return }
            _ = Child.wait(for: process)
        }
    }

    private static func beginning(of text: String) -> String {
        // A single character may have any number of scalars.
        String(String(text.unicodeScalars.prefix(8 * shown)).prefix(shown))
    }

    /// The body of a notification is markup, in which `notify-send` first replaces backslash sequences. Both are escaped, so
    /// that the text itself is shown. (The title is neither.)
    static func literal(_ text: String) -> String {
        // By scalars: a combining mark after a "<" makes another character of it, but does not change its byte.
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&apos;"
            case "\\": result += "\\\\"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
