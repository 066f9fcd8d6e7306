import Archive
import ArgumentParser
import Messages
import Mirror
import Settings
import Usage

/// The person who reads and writes, for the commands that need to know.
struct PersonOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Who you are: an ID, or the name of a person.", valueName: "person"))
    var person: String?

    @Flag(help: "Take --as as the ID of a person who is not in the archive yet.")
    var newPerson = false

    func validate() throws {
        if newPerson, person == nil { throw ValidationError("--new-person needs an ID: add --as PERSON") }
        try PersonOptions.check(person)
    }

    /// - Throws: when the value of `--as` can be neither an ID nor a name.
    static func check(_ person: String?) throws {
        guard person.map(Config.isPerson) ?? true else {
            throw ValidationError(
                "--as takes the ID or the name of a person: not empty, and without control characters")
        }
    }

    /// The person of the option, else of the config, else of the archive. When the config names nobody of this archive,
    /// a warning goes to stderr, and the command continues without a person.
    /// - Throws: when the option names nobody of the archive, or when the config does and the command needs a person.
    func identify(
        in archive: ArchiveOptions, needsSomebody: Bool = false
    ) throws -> (identity: Identity, problem: String?) {
        guard let person else { return try PersonOptions.identifyByConfig(in: archive, needsSomebody: needsSomebody) }
        if newPerson { return (PersonOptions.known(.person(PersonID(person))), nil) }
        let match = try PersonOptions.match(person, in: archive)
        if case .one(let id) = match { return (PersonOptions.known(.person(id)), nil) }
        throw CommandError(
            .usage, PersonOptions.text(match, name: person, advice: "add --new-person to write as a new person"))
    }

    /// As `identify`, for commands without the option.
    static func identifyByConfig(
        in archive: ArchiveOptions, needsSomebody: Bool = false
    ) throws -> (identity: Identity, problem: String?) {
        guard let (name, place) = Config.ofUser.me(at: try archive.path()) else { return (known(.ofArchive), nil) }
        let match = try match(name, in: archive)
        if case .one(let id) = match { return (known(.person(id)), nil) }
        let advice =
            needsSomebody ? "correct it, or use --as ID" : "until you correct it, Kedge does not know who you are"
        let problem = "\(place): \(text(match, name: name, advice: advice))"
        if needsSomebody { throw CommandError(.usage, problem) }
        Output.complain(problem)
        return (.nobody, problem)
    }

    /// The identity with the words that mention this person.
    private static func known(_ identity: Identity) -> Identity {
        var identity = identity
        identity.highlight = Config.ofUser.highlight
        return identity
    }

    private static func match(_ name: String, in archive: ArchiveOptions) throws -> PersonMatch {
        if let export = try archive.export() {
            return try waiting { () async throws(StoreError) in try await export.person(called: name) }
        }
        let store = try JSONArchive.open(
            path: try archive.path(), index: try archive.indexFolder(), logger: LogFile.silent)
        return try waiting { () async throws(StoreError) in try await store.person(called: name) }
    }

    /// One line: why the name is not that of a single person, the nearest people, and some advice.
    static func text(
        _ match: PersonMatch, name: String, in place: String = "archive", advice: String
    ) -> String {
        let name = name.shortened
        switch match {
        case .several(let people):
            let more = people.count > 5 ? " and \(people.count - 5) more" : ""
            let names = people.prefix(5).map(labelWithID).joined(separator: ", ")
            return "\"\(name)\" may be \(names)\(more); use the ID in parentheses"
        case .nobody(let nearest) where !nearest.isEmpty:
            return
                "nobody in this \(place) is called \"\(name)\"; did you mean \(choice(nearest.map(label)))? "
                + advice.prefix(1).uppercased() + advice.dropFirst()
        case .one, .nobody: return "nobody in this \(place) is called \"\(name)\"; \(advice)"
        }
    }

    private static func labelWithID(_ person: Person) -> String {
        "\(person.name.prefix(60)) (\(person.id.rawValue.prefix(60)))"
    }

    /// The name of a person and, where it differs, the ID.
    private static func label(_ person: Person) -> String {
        person.name == person.id.rawValue ? String(person.name.prefix(60)) : labelWithID(person)
    }

    private static func choice(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}

/// The option of printing commands to leave texts as they are in the archive.
struct RawOption: ParsableArguments {
    @Flag(
        name: .customLong("raw"),
        help:
            "On a pipe: keep control, bidi and invisible characters of texts (only tabs and line feeds become blanks)."
    )
    var isOn = false

    /// - Throws: on a terminal, which would obey control characters in the texts.
    func check() throws(CommandError) {
        guard isOn, Output.isTerminal else { return }
        throw CommandError(
            .usage, "--raw is for a pipe or a file: a terminal would obey the control characters of texts")
    }
}

extension NamedTime {
    static let examples = "2025-03-01, \"1 march\", yesterday, \"3 weeks ago\" or 12:30"

    /// Reads a date from the command line, relative to now.
    /// - Parameter examples: named in the error when the text is no date.
    init(argument text: String, examples: String = NamedTime.examples) throws(CommandError) {
        guard let time = Zone.local.time(named: text, now: .now) else {
            throw CommandError(
                .usage, "\"\(text.shortened)\" is not a date that Kedge understands; try \(examples)")
        }
        self = time
    }
}
