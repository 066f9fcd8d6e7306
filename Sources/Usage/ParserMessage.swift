internal import CBuild
internal import Glibc
package import Messages
internal import Search

/// The errors of ArgumentParser, in Kedge's words.
package enum ParserMessage {
    /// The error in one line that ends with a pointer to the help. Long words of the command line are shortened.
    /// - Parameters:
    ///   - text: the parser's message, which quotes names and values as `'name'` and `'--option <value>'`.
    ///   - program: the name of the program.
    ///   - command: the command to whose help the line points; nil for that of the program.
    ///   - arguments: after the name of the program.
    ///   - adviceWithoutText: what the user may have meant when the argument TEXT is missing; nil for no advice.
    package static func line(
        _ text: String, of program: String, command: String?, arguments: some Sequence<String>,
        adviceWithoutText: String? = nil
    ) -> String {
        // The parser quotes arguments and values of options in full length.
        let words = arguments.flatMap { argument in
            [argument] + argument.split(separator: "=", maxSplits: 1).dropFirst().map(String.init)
        }
        let line = words.reduce(plain(text, program)) { text, word in
            word.shortened == word ? text : text.replacing(word, with: word.shortened)
        }
        let advice = line == "TEXT is missing" ? adviceWithoutText.map { "; \($0)" } : nil
        return line + (advice ?? "") + " (see `\(program)\(command.map { " \($0)" } ?? "") --help`)"
    }

    private static func plain(_ text: String, _ program: String) -> String {
        let quoted = ParserMessage.quoted(text)
        guard let first = quoted.first else { return text }
        if text.hasPrefix("Missing expected argument") { return "\(ParserMessage.placeholder(first)) is missing" }
        if text.hasPrefix("Missing value for") {
            let option = first.prefix { $0 != " " }
            return "\(option) needs a value: \(option) \(placeholder(first))"
        }
        if text.hasPrefix("The value"), text.contains("is invalid for"), quoted.count > 1 {
            return wrongValue(first, of: quoted[1], choices: quoted.dropFirst(2))
        }
        if text.hasPrefix("Unexpected argument") { return "\"\(first)\" is one word too many" }
        if text.hasPrefix("Unknown option") {
            if first.lowercased() == "-v" {
                return "there is no option \(first); `\(program) --version` prints the version"
            }
            // ArgumentParser suggests any option, however far it is from the word.
            let near = Spelling.nearest(to: first, among: Array(quoted.dropFirst()))
            return "there is no option \(first)" + (near.map { "; did you mean \($0)?" } ?? "")
        }
        return text
    }

    /// - Parameters:
    ///   - name: `--option <value>`
    ///   - choices: all possible values; empty if there are too many.
    private static func wrongValue(_ value: String, of name: String, choices: ArraySlice<String>) -> String {
        let option = name.prefix { $0 != " " }
        if name.hasSuffix("<n>") { return "\(option) takes a number, not \"\(value)\"" }
        guard let last = choices.last else { return "\(option) does not take \"\(value)\"" }
        return "\(option) takes \(choices.dropLast().joined(separator: ", ")) or \(last), not \"\(value)\""
    }

    /// The texts between apostrophes. An apostrophe ends a text only before a blank, a comma, a full stop or the end.
    private static func quoted(_ text: String) -> [String] {
        var quoted: [String] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "'") {
            rest = rest[start.upperBound...]
            guard
                let end = ["' ", "',", "'.", "'?"].compactMap({ rest.firstRange(of: $0)?.lowerBound }).min()
                    ?? (rest.last == "'" ? rest.index(before: rest.endIndex) : nil)
            else { break }
            quoted.append(String(rest[..<end]))
            rest = rest[rest.index(after: end)...]
        }
        return quoted
    }

    /// `MESSAGE-ID` of `--at <message-id>`.
    private static func placeholder(_ name: String) -> String {
        guard let start = name.firstIndex(of: "<"), let end = name.lastIndex(of: ">"), start < end else { return name }
        return name[name.index(after: start)..<end].uppercased()
    }
}

/// A word of the command line that is not the name of a command.
package enum UnknownCommand {
    /// Advice that names the most similar command; nil if none is similar.
    /// - Parameter program: its name.
    package static func nearest(to word: String, among commands: [String], of program: String) -> String? {
        Spelling.nearest(to: word, among: commands).map { "did you mean `\(program) \($0)`?" }
    }

    /// The error in one line.
    /// - Parameter advice: nil to name the list of all commands.
    package static func text(_ word: String, of program: String, advice: String?) -> String {
        "there is no command \"\(word.shortened)\"; \(advice ?? "`\(program) --help` lists the commands")"
    }
}

/// The version of both programs.
package enum Version {
    package static let number = "0.1.0"
    /// The date of the manual pages.
    package static let date = "2026-11-23"

    /// The version with the commit of the sources, if `make build` has given it to the linker: `0.1.0 (3b4b5e1)`.
    package static var text: String { text(commit: cbuild_commit()) }

    /// - Parameter commit: twice the first seven hexadecimal digits, plus one if the sources were changed since; 0 for none.
    package static func text(commit: UInt32) -> String {
        guard commit > 1 else { return number }
        let digits = String(commit / 2, radix: 16)
        let id = String(repeating: "0", count: max(0, 7 - digits.count)) + digits
        return "\(number) (\(id)\(commit % 2 == 1 ? ", changed" : ""))"
    }
}

/// The arguments of the program, without its name.
package enum ProgramArguments {
    /// As they were given to `main`: without /proc, `CommandLine` knows none.
    package static var all: [String] {
        var all: [String] = []
        while let argument = cbuild_argument(CInt(all.count + 1)) { all.append(String(cString: argument)) }
        return all
    }
}

/// The reason why a command did not do its work: one line on stderr, and the exit status.
package struct CommandError: Error {
    package struct Status: Hashable, Sendable {
        package let code: Int32

        package static let nothingFound = Status(code: 1)
        package static let usage = Status(code: 2)
        package static let unreadable = Status(code: 3)
        package static let notSent = Status(code: 4)
    }

    package let status: Status
    /// Empty when the user knows the reason: a key or a signal.
    package let text: String

    package init(_ status: Status, _ text: String) { (self.status, self.text) = (status, text) }

    /// A key, or the user's choice to leave.
    package static let interrupted = CommandError(signal: SIGINT)

    package init(signal number: Int32) { self.init(Status(code: 128 + number), "") }

    package init(_ error: StoreError) {
        switch error {
        case .noSuchConversation, .noSuchMessage: self.init(.nothingFound, error.description)
        case .unavailable, .unreadable: self.init(.unreadable, error.description)
        case .notSent, .editedMeanwhile: self.init(.notSent, error.description)
        }
    }
}
