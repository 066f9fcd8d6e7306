import ArgumentParser
import Display
import Interface
import Usage

/// The manual page of a command, in the language of man(7).
struct ManualPage {
    private let help: CommandHelp

    init(_ help: CommandHelp) { self.help = help }

    var text: String {
        var lines = [
            ".TH KEDGE\\-\(ManualPage.escaped(help.name.uppercased())) 1 \(Version.date) \"Kedge \(Version.number)\" \"User Commands\"",
            ".nh", ".SH NAME", "kedge\\-\(ManualPage.escaped(help.name)) \\- \(ManualPage.escaped(summary))",
            ".SH SYNOPSIS", ".B kedge \(ManualPage.escaped(help.name))", synopsis, ".SH DESCRIPTION",
        ]
        lines += ManualPage.paragraphs(help.discussion.isEmpty ? help.abstract : help.discussion)
        if !help.arguments.isEmpty {
            lines.append(".SH ARGUMENTS")
            for entry in help.arguments {
                lines += [".TP", ".I \(ManualPage.escaped(entry.names[0].uppercased()))", ManualPage.text(entry.help)]
            }
        }
        lines.append(".SH OPTIONS")
        for entry in help.options {
            let names = entry.names.map { "\\fB\(ManualPage.escaped($0))\\fP" }.joined(separator: ", ")
            let value = entry.value.map { " \\fI\(ManualPage.escaped($0.uppercased()))\\fP" } ?? ""
            lines += [".TP", names + value, ManualPage.text(entry.help)]
        }
        lines += [".SH SEE ALSO", ".BR kedge (1)"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The summary in lower case, without a full stop.
    private var summary: String {
        let text = help.abstract.hasSuffix(".") ? String(help.abstract.dropLast()) : help.abstract
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// The usage without the name of the command: names of values in italics.
    private var synopsis: String {
        let words = help.usage.split(separator: " ").dropFirst()
        let text = words.joined(separator: " ")
        var (line, rest) = ("", text[...])
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            line += ManualPage.escaped(String(rest[..<start]))
            line += "\\fI\(ManualPage.escaped(rest[rest.index(after: start)..<end].uppercased()))\\fP"
            rest = rest[rest.index(after: end)...]
        }
        return line + ManualPage.escaped(String(rest))
    }

    /// Indented lines are examples, and keep their form.
    private static func paragraphs(_ text: String) -> [String] {
        var lines: [String] = []
        var isExample = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("  "), !isExample {
                lines += [".PP", ".nf"]
                isExample = true
            } else if !line.hasPrefix("  "), isExample {
                lines.append(".fi")
                isExample = false
            }
            if line.isEmpty {
                if lines.last != ".PP", lines.last != ".fi", !lines.isEmpty { lines.append(".PP") }
            } else {
                if lines.last == ".fi" { lines.append(".PP") }
                lines.append(ManualPage.text(String(line)))
            }
        }
        if isExample { lines.append(".fi") }
        // A paragraph before an example begins with the example.
        var kept: [String] = []
        for line in lines where !(line == ".PP" && kept.last == ".PP") { kept.append(line) }
        return kept
    }

    /// A line of text: a dot or an apostrophe at its beginning would make it a request.
    static func text(_ text: String) -> String {
        let text = escaped(text)
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }

    static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
            .replacing("`", with: "\\(ga").replacing("~", with: "\\(ti").replacing("^", with: "\\(ha")
            .replacing("…", with: "...")
    }
}

/// The tables of keys of the manual page, in the language of man(7) and tbl(1).
enum KeysManual {
    /// A terminal has no pages: without this, man(1) warns of rows across the end of a page.
    private static let endless = ".if n .pl 9999i\n"

    static func text(of keymap: Keymap) -> String {
        let lines = keymap.sections.flatMap { section -> [String] in
            let rows = section.bindings.map { binding in
                "\(keys(of: binding))|\(ManualPage.escaped(binding.name))|T{\n\(ManualPage.text(binding.help))\nT}"
            }
            return [".SS \(section.title)", ".TS", "tab(|);", "l l lx."] + rows + [".TE"]
        }
        return endless + lines.joined(separator: "\n") + "\n"
    }

    private static func keys(of binding: Binding) -> String {
        let names = ManualPage.escaped(binding.keyNames.replacing("  ", with: " "))
        return arrows.reduce(names) { $0.replacing($1.key, with: $1.value) }
    }

    private static let arrows = ["↑": "\\(ua", "↓": "\\(da", "←": "\\(<-", "→": "\\(->"]
}

/// The arguments and options of a command, read from its help: the source of manual pages and completions.
struct CommandHelp {
    struct Entry: Equatable {
        /// `--archive`, or the name of an argument.
        let names: [String]
        /// `path`; nil for a flag or an argument.
        let value: String?
        let help: String
    }

    let name: String
    let abstract: String
    let discussion: String
    /// Begins with the name of the command.
    private(set) var usage = ""
    private(set) var arguments: [Entry] = []
    private(set) var options: [Entry] = []

    init(_ command: any ParsableCommand.Type) {
        name = command.configuration.commandName ?? ""
        abstract = command.configuration.abstract
        discussion = command.configuration.discussion
        read(command.helpMessage(columns: 10_000))
    }

    /// Reads the sections of a help: each entry is one line, in columns that are two blanks apart.
    private mutating func read(_ help: String) {
        var section: WritableKeyPath<CommandHelp, [Entry]>?
        for line in help.split(separator: "\n") {
            if line.hasPrefix("USAGE: ") {
                (section, usage) = (nil, String(line.dropFirst("USAGE: ".count)))
            } else if line.hasPrefix("ARGUMENTS:") {
                section = \.arguments
            } else if line.hasPrefix("OPTIONS:") {
                section = \.options
            } else if let section, line.hasPrefix("      ") {
                // The line below a long name has the help for it.
                guard let last = self[keyPath: section].popLast() else { continue }
                let help = [last.help, String(line.drop { $0 == " " })].filter { !$0.isEmpty }.joined(separator: " ")
                self[keyPath: section].append(Entry(names: last.names, value: last.value, help: help))
            } else if let section, line.hasPrefix("  "), let entry = CommandHelp.entry(line) {
                self[keyPath: section].append(entry)
            }
        }
    }

    private static func entry(_ line: Substring) -> Entry? {
        let text = line.drop { $0 == " " }
        let gap = text.firstRange(of: "  ")
        let head = gap.map { text[..<$0.lowerBound] } ?? text
        let help = gap.map { text[$0.upperBound...].drop { $0 == " " } } ?? ""
        let words = head.split(separator: " ").map { $0.last == "," ? $0.dropLast() : $0 }
        let value = words.first { $0.hasPrefix("<") }.map { String($0.dropFirst().prefix { $0 != ">" }) }
        let names = words.filter { $0.hasPrefix("-") }.map(String.init)
        guard !names.isEmpty else {
            return value.map { Entry(names: [$0], value: nil, help: String(help)) }
        }
        return Entry(names: names, value: value, help: String(help))
    }
}

/// The text of a help.
enum HelpText {
    private static let usage = "USAGE: "
    /// Longer lines are hard to read.
    private static let mostColumns = 100

    /// The help with its usage wrapped to these columns: ArgumentParser makes one line of it. A name stays with its value.
    static func wrapped(_ help: String, columns: Int) -> String {
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { line in
            line.hasPrefix(usage) && line.count > columns
                ? wrapped(usage: line, min(columns, mostColumns)) : String(line)
        }.joined(separator: "\n")
    }

    private static func wrapped(usage line: Substring, _ columns: Int) -> String {
        let indent = String(repeating: " ", count: usage.count + 2)
        var lines = [""]
        for word in parts(of: line) {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = word
            } else if last.count + 1 + word.count <= columns {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(indent + word)
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The words of a line; words in brackets stay together.
    private static func parts(of line: Substring) -> [String] {
        var parts: [String] = []
        var open = 0
        for word in line.split(separator: " ") {
            if open > 0 { parts[parts.count - 1] += " \(word)" } else { parts.append(String(word)) }
            for character in word { open += character == "[" ? 1 : character == "]" ? -1 : 0 }
        }
        return parts
    }
}
