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

    /// Without the full stop of a sentence, in lower case.
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
