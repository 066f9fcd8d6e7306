import Display
import FoundationEssentials
import Glibc
import Settings

/// Tells the user that somebody has named him: by `notify-send`, when that is wanted. What goes wrong is not told: the
/// message itself is on the screen.
struct Notifier: Sendable {
    private let settings: Config.Notify
    private let environment: [String]
    private let program: String
    /// One after another: a hundred at once would be a hundred processes.
    private let thread = WorkThread()

    /// Characters of a text that are shown.
    private static let shown = 200

    /// - Parameter program: a path, or a name to be found by PATH.
    init(
        _ settings: Config.Notify, environment: [String: String] = ProcessInfo.processInfo.environment,
        program: String = "notify-send"
    ) {
        self.settings = settings
        self.program = program
        self.environment = environment.map { "\($0)=\($1)" }
    }

    /// Whether the terminal is to ring.
    var rings: Bool { settings.bell }

    /// Does not wait. Both are scrubbed, and never options: they stand behind `--`.
    func notify(from name: String, _ text: String) {
        guard settings.desktop else { return }
        let words = [CleanText(name).string, CleanText(String(text.prefix(Notifier.shown))).string]
        thread.run { [program, environment] in
            guard let process = try? Child.start(program, ["--app-name=Kedge", "--"] + words, environment: environment)
            else { return }
            _ = Child.wait(for: process)
        }
    }
}
