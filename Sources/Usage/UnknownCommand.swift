internal import Messages
internal import Search

/// A word of the command line that is the name of no command.
package enum UnknownCommand {
    /// The command that the word may be meant for; nil if none is like it.
    /// - Parameter program: its name.
    package static func nearest(to word: String, among commands: [String], of program: String) -> String? {
        Spelling.nearest(to: word, among: commands).map { "did you mean `\(program) \($0)`?" }
    }

    /// The error in one line.
    /// - Parameter advice: nil for where all commands are listed.
    package static func text(_ word: String, of program: String, advice: String?) -> String {
        "there is no command \"\(word.shortened)\"; \(advice ?? "`\(program) --help` lists the commands")"
    }
}
