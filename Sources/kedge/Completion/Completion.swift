import ArchiveFormat
import Archive
import ArgumentParser
import Display
import Formats
import Glibc
import Messages
import Mirror
import Settings

/// Completes the last word of a command line.
struct Completion {
    /// A kind of completion.
    enum Wish: Equatable {
        case commands
        case options(of: String)
        case conversations
        /// `general/`, for a word that must become a link.
        case beginningsOfLinks
        /// The newest messages of the conversation in the word: `general/…`.
        case links
        case people
        case archives
        case words([String])
        case files
    }

    /// The word to complete, which may be empty; of `--in=general`, the value.
    let word: String
    /// The beginning of the word on the line, which stays: `--in=`. Mostly empty.
    private let beginning: String
    /// The value of `--archive` on the line, else the path that stands before a conversation.
    let archive: String?
    let wishes: [Wish]
    let commands: [any ParsableCommand.Type]

    /// - Parameters:
    ///   - words: the words after the name of the program; the last one is to be completed.
    ///   - commands: all commands for people.
    init(_ words: [String], commands: [any ParsableCommand.Type]) {
        self.commands = commands
        let last = Completion.parts(of: words.last ?? "")
        word = last.last ?? ""
        beginning = last.count > 1 ? last[0] + "=" : ""
        let before = words.dropLast().flatMap(Completion.parts) + last.dropLast()
        let option = before.lastIndex(of: "--archive").flatMap { $0 + 1 < before.count ? before[$0 + 1] : nil }
        let line = Line(before, commands.compactMap { $0.configuration.commandName })
        archive = option ?? line.path
        wishes = Completion.wishes(word, after: before, line)
    }

    /// An option and its value for `--in=general`; any other word alone.
    private static func parts(of word: String) -> [String] {
        guard let sign = word.firstIndex(of: "="), valuesOfOptions[String(word[..<sign])] != nil else { return [word] }
        return [String(word[..<sign]), String(word[word.index(after: sign)...])]
    }

    /// The words before the one to complete.
    private struct Line {
        /// The command; nil if the word to complete may be one.
        let command: String?
        /// True if the first word is the command.
        let isPlain: Bool
        /// The words of the command that are neither options nor their values.
        private(set) var words: [String] = []

        init(_ before: [String], _ commands: [String]) {
            let line = CommandLineWords(before, commands: commands + ["help"])
            command = before.isEmpty ? nil : line.arguments.first
            isPlain = before.first == command
            var rest = line.arguments.dropFirst()[...]
            while let next = rest.popFirst() {
                if valuesOfOptions[next] != nil {
                    _ = rest.popFirst()
                } else if !next.hasPrefix("-") {
                    words.append(next)
                }
            }
        }

        /// The archive of `kedge open PATH CONVERSATION`.
        var path: String? {
            guard command == "open", words.count == 1, ArchiveOptions.isPath(words[0]) || words[0].hasPrefix("~/")
            else {
                return nil
            }
            let home = Environment.variables["HOME"] ?? ""
            return words[0].hasPrefix("~/") ? home + words[0].dropFirst() : words[0]
        }
    }

    private static func wishes(_ word: String, after before: [String], _ line: Line) -> [Wish] {
        if let option = before.last, let wishes = valuesOfOptions[option] { return wishes }
        if word.hasPrefix("-") { return [.options(of: line.command ?? "open")] }
        guard let command = line.command else { return [.commands] + links(word) }
        if line.path != nil { return [word.contains("/") ? .links : .conversations] }
        return line.words.isEmpty ? wishes(ofFirstWord: word, of: command, isPlain: line.isPlain) : rest(of: command)
    }

    private static func wishes(ofFirstWord word: String, of command: String, isPlain: Bool) -> [Wish] {
        switch command {
        case "open": (isPlain ? [] : [.commands]) + links(word)
        case "show": [word.contains("/") ? .links : .beginningsOfLinks]
        case "send", "demo": [word.contains("/") ? .links : .conversations]
        case "stats", "export": [.conversations]
        case "check", "import", "init": [.files]
        case "help": [.commands]
        default: []
        }
    }

    /// The kinds of completion after the first word.
    private static func rest(of command: String) -> [Wish] { command == "import" ? [.files] : [] }

    private static func links(_ word: String) -> [Wish] {
        if word.hasPrefix("/") || word.hasPrefix(".") || word.hasPrefix("~") { return [.files] }
        return word.contains("/") ? [.links, .files] : [.conversations, .files]
    }

    /// All options that take a value, with the values.
    static let valuesOfOptions: [String: [Wish]] = [
        "--archive": [.archives, .files], "--in": [.conversations], "--from": [.people], "--as": [.people],
        "--format": [.words(["jsonl", "text", "markdown", "weechat"])], "--at": [], "--date": dates, "--since": dates,
        "--until": dates, "--limit": [], "--context": [], "--last": [], "--reply-to": [], "--thread": [], "--topic": [],
        "--name": [],
        "--zone": [],
        "--charset": [.words(["windows-1251", "koi8-r", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"])],
        "--dates": [.words(["dmy", "mdy", "ymd"])], "--source-format": [.words(Formats.all.map(\.id))],
    ]
    private static let dates = [Wish.words(["today", "yesterday", "monday", "last week", "3 weeks ago"])]
}

extension Completion {
    /// The newest messages of a conversation.
    private static let mostLinks = 50

    /// Lines for the shell. Read errors give no lines: there is no place to report them.
    var lines: [String] {
        let candidates = wishes.flatMap { (try? self.candidates(for: $0)) ?? [] }
        return candidates.map(\.line) + (wishes.contains(.files) ? [":files"] : [])
    }

    /// A candidate for the word, and a description.
    struct Candidate {
        let word: String
        let description: String

        /// For the shell: the word, a tab, and the description. The word is exact, since the shell writes it on the line (and
        /// quotes it there): a byte that has a meaning in this line is `\x` and two hexadecimal digits.
        var line: String {
            let word = word.utf8.enumerated().reduce(into: [UInt8]()) { line, byte in
                let isSpecial =
                    switch byte.element {
                    case ..<0x20, 0x7F, UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): true
                    default: byte.offset == 0 && byte.element == UInt8(ascii: ":")
                    }
                if isSpecial {
                    let digits = String(byte.element, radix: 16)
                    line += Array("\\x\(digits.utf8.count < 2 ? "0" : "")\(digits)".utf8)
                } else {
                    line.append(byte.element)
                }
            }
            let text = Output.harmless(description.split(whereSeparator: \.isNewline).first.map(String.init) ?? "")
            return String(decoding: word, as: UTF8.self) + (text.isEmpty ? "" : "\t\(text)")
        }
    }

    private func candidates(for wish: Wish) throws -> [Candidate] {
        switch wish {
        case .files: return []
        case .commands:
            return matching(commands.map { ($0.configuration.commandName ?? "", $0.configuration.abstract) })
        case .options(let name):
            guard let command = commands.first(where: { $0.configuration.commandName == name }) else {
                return []
            }
            return matching(
                CommandHelp(command).options.flatMap { option in
                    option.names.filter { $0.hasPrefix("--") }.map { ($0, option.help) }
                })
        case .words(let words): return matching(words.map { ($0, "") })
        case .archives: return matching(Config.ofUser.archives.keys.sorted().map { ($0, "") })
        case .conversations: return try conversations(before: "")
        case .beginningsOfLinks: return try conversations(before: "/")
        case .people:
            guard let store = try store() else { return [] }
            let people = try waiting { () async throws(StoreError) in try await store.knownPeople() }
            return matching(people.map { ($0.id.rawValue, $0.name) })
        case .links: return try links()
        }
    }

    private func conversations(before end: String) throws -> [Candidate] {
        guard let store = try store() else { return [] }
        let all = try waiting { () async throws(StoreError) in try await store.conversations() }
        let namesakes = Namesakes(all)
        return matching(
            all.map { ($0.id.rawValue + end, $0.title == $0.id.rawValue ? $0.topic ?? "" : namesakes.title(of: $0)) })
    }

    private func links() throws -> [Candidate] {
        guard let store = try store() else { return [] }
        let id = Link(word).conversation
        let request = PageRequest(conversation: id, position: .latest, limit: Completion.mostLinks)
        let page = try waiting { () async throws(StoreError) in try await store.page(request) }
        return matching(
            page.messages.reversed().map { message in
                let name = message.sender.map { $0.name.beginning(30) + ": " } ?? ""
                return ("\(id)/\(message.id)", "\(Zone.local.minute(message.at)) \(name)\(message.text.beginning(60))")
            })
    }

    /// The candidates that begin with the word. Left out are those with NUL, which no line can hold, those that begin
    /// like an option, and those that would look different on the line, such as with bidi controls.
    private func matching(_ candidates: [(word: String, description: String)]) -> [Candidate] {
        candidates.filter { candidate in
            let isOption =
                candidate.word.hasPrefix("-") && !wishes.contains { if case .options = $0 { true } else { false } }
            return candidate.word.hasPrefix(word) && !candidate.word.isEmpty && !isOption
                && !candidate.word.utf8.contains(0) && looksLikeItself(candidate.word)
        }
        .map { Candidate(word: beginning + $0.word, description: $0.description) }
    }

    /// True if the shell shows a word unchanged. Shells show controls of ASCII as text.
    private func looksLikeItself(_ word: String) -> Bool {
        let scalars = word.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : $0 }
        let text = String(String.UnicodeScalarView(scalars))
        return PipedText.line(text) == text
    }

    /// The archive, or the copy of an export in the cache. A completion never reads the export itself.
    private func store() throws -> JSONArchive? {
        let options = ArchiveOptions(path: archive)
        guard let path = try options.foundPath().map(ArchiveLocation.realPath) else { return nil }
        let index = try options.indexFolder()
        let folder = Export.isExport(path) ? index.path + "/mirror" : path
        guard access(ArchivePaths(folder).label, R_OK) == 0 else { return nil }
        return try JSONArchive.open(path: folder, index: index, logger: LogFile.silent)
    }
}
