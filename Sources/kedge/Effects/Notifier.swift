import Display
import Glibc
import Settings
import Threads

/// Tells the user that somebody has named him: by `notify-send`, when that is wanted. What goes wrong is not told: the
/// message itself is on the screen.
struct Notifier: Sendable {
    private let settings: Config.Notify
    private let environment: [String]
    private let program: String
    /// One after another: a hundred at once would be a hundred processes.
    private let thread = SerialThread()

    /// Characters of a text that are shown.
    private static let shown = 200

    /// - Parameter program: a path, or a name to be found by PATH.
    init(
        _ settings: Config.Notify, environment: [String: String] = Environment.variables,
        program: String = "notify-send"
    ) {
        self.settings = settings
        self.program = program
        self.environment = environment.map { "\($0)=\($1)" }
    }

    /// Whether the terminal is to ring.
    var rings: Bool { settings.bell }

    /// Does not wait. Both are scrubbed, and never options: they stand after `--`.
    func notify(from name: String, _ text: String) {
        guard settings.desktop else { return }
        let title = CleanText(Notifier.beginning(of: name)).string
        let words = [title.isEmpty ? "Kedge" : title, Notifier.literal(CleanText(Notifier.beginning(of: text)).string)]
        thread.run { [program, environment] in
            guard let process = try? Child.start(program, ["--app-name=Kedge", "--"] + words, environment: environment)
            else { return }
            _ = Child.wait(for: process)
        }
    }

    private static func beginning(of text: String) -> String {
        // A character may be of any number of scalars.
        String(String(text.unicodeScalars.prefix(8 * shown)).prefix(shown))
    }

    /// The body of a notification is markup, and `notify-send` takes backslash sequences in it for other bytes before: what
    /// it makes of the result is the text itself. (The title is neither.)
    static func literal(_ text: String) -> String {
        // By scalars: a mark behind a "<" makes another character of it, but no other byte.
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
