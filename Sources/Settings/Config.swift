internal import Dates
package import Display
internal import Files
internal import Glibc
package import Messages

/// The settings of the user, in `config.toml`:
///
///     me = "ana"                        # your ID or your name
///     highlight = ["anna", "harbour"]   # words that mention you, besides these two
///     archive = "~/chats"               # when no other archive is named: a path, or a name of those below
///     theme = "dark"                    # auto, dark, light, high-contrast, 16
///     receipts = "public"               # who is told how far the user has read: private (the user's other clients), none
///     status-link = true                # the link to the selected message in the status line
///     time = "12h"                      # 24h, 12h
///     seconds = true                    # times with seconds, until T hides them
///     name-width = 20                   # columns of names, whatever their length
///     title = false                     # leaves the title of the terminal alone
///     list = false                      # no list of conversations on a wide screen, until c shows it
///     plain = true                      # nothing but words on the screen, for a screen reader
///     [colors]                          # of the theme: numbers, names, #rrggbb
///     accent = "#5fafff"
///     [archives]                        # archives by names, for --archive and for work:general
///     work = "~/chats/work"
///     [archives.irc]
///     path = "~/irclogs"
///     zone = "Europe/Berlin"            # of times that an export gives without one
///     charset = "windows-1251"          # of lines that are no UTF-8
///     dates = "dmy"                     # the order of dates that are written in numbers: dmy, mdy, ymd
///     format = "irc"                    # of the export, if that can be of several
///     me = "ana_"                       # your ID or your name there
///     [keys]                            # of commands, in place of those that they have
///     reply = ["r", "ctrl-r"]
///     [keys.writing]                    # while a text is written; [keys.prompts] in prompts and lists
///     send = "alt-enter"
///     [notify]                          # when somebody names you or replies to you
///     bell = true
///     desktop = true
package struct Config: Hashable, Sendable {
    /// The ID or the name of the user in all archives that do not say it themselves; nil to let the archive say it.
    package var me: String?
    /// The words that stand for the user in texts, besides the ID and the name.
    package var highlight: [String] = []
    /// The people whom a server tells how far the user has read.
    package var receipts = ReadReceipt.private
    /// Source location of each setting that was read: path and line, by the full name (`notify.bell`).
    package private(set) var places: [String: String] = [:]
    /// The path of the archive; nil for none.
    package var archive: String?
    /// Archives by their names.
    package var archives: [String: Archive] = [:]
    /// The keys that the user gives to commands, in the order of the file.
    package internal(set) var keys: [Keys] = []
    package var notify = Notify()
    package var theme = Theme.Name.auto
    /// The colours that the user has set.
    package var colors = ThemeChanges()
    /// True if the status line shows the link to the selected message.
    package var showsLink = false
    /// True if times are shown as 9:12 PM.
    package var showsTwelveHours = false
    /// True if times have seconds at first.
    package var showsSeconds = false
    /// The columns of names; nil for as many as they need.
    package var nameWidth: Int?
    /// True if the terminal's title says the conversation and the number of unread messages.
    package var setsTitle = true
    /// True if a wide screen has the list of conversations at first.
    package var showsList = true

    /// True if the screen shows nothing but words, for a screen reader.
    package var isPlain = false

    /// An archive that has a name.
    package struct Archive: Hashable, Sendable {
        package var path: String
        /// Nil for the local zone.
        package var zone: String?
        /// The ID or the name of the user there; nil if it is that of all archives.
        package var me: String?
        /// The character set of lines that are no UTF-8, the order of dates (`dmy`, `mdy` or `ymd`), and the format of an export;
        /// nil to let its files tell them.
        package var charset: String?
        package var dates: String?
        package var format: String?
    }

    /// The keys of a command.
    package struct Keys: Hashable, Sendable {
        /// The table: `keys`, `keys.writing` or `keys.prompts`.
        package let table: String
        /// The name of the command, which is not checked here.
        package let command: String
        package let keys: [Key]
        /// Path and line.
        package let place: String
    }

    package struct Notify: Hashable, Sendable {
        /// True to ring the bell of the terminal.
        package var bell = false
        /// True to show a notification on the desktop.
        package var desktop = false

        package init() {}
    }

    package init() {}

    /// In bytes: about a thousand times the size of all settings.
    private static let largestFile: Int64 = 1 << 20

    /// Reads the file in Kedge's folder, if there is one. A mistake in one part does not affect the others.
    /// - Parameters:
    ///   - home: the path for "~".
    /// - Returns: also the problems, one line each, with their place.
    package static func load(folder: String, home: String) -> (config: Config, problems: [String]) {
        let path = folder + "/config.toml"
        do throws(FileError) {
            let file = StateFile(folder: folder, name: "config.toml", largest: Config.largestFile)
            guard let bytes = try file.read() else { return (Config(), []) }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return (Config(), ["\(path): not UTF-8; ignored"])
            }
            return read(text, path: path, home: home)
        } catch {
            return (Config(), ["\(path): \(error.obstacle); ignored"])
        }
    }

    /// Problems of the file in Kedge's folder in the order of the file.
    package static func sorted(_ problems: [String], folder: String) -> [String] {
        SettingsProblem.sorted(problems, of: folder + "/config.toml")
    }

    /// - Parameter path: of the file, for its problems.
    package static func read(_ text: String, path: String, home: String) -> (config: Config, problems: [String]) {
        let document = TOMLDocument(text)
        if let (line, reason) = document.mistake {
            guard let line else { return (Config(), ["\(path): \(reason); the file is ignored"]) }
            let advice =
                UnquotedText.advice(line: line, of: text)
                ?? (reason.contains("string") ? UnclosedText.advice(line: line, of: text) : nil)
            return (
                Config(), ["\(path):\(line): \(advice ?? SettingsTable.oneLine(reason)); the file is ignored"]
            )
        }
        var config = Config()
        var root = SettingsTable(document.root, name: nil, path: path)
        config.me = root.text("me", wants: "the ID or the name of a person", where: isPerson)
        config.highlight =
            root.texts(
                "highlight", wants: "a word, or a list of words, without control characters", where: isPerson)
            ?? []
        var problems: [SettingsProblem] = []
        config.archives = archives(document, &problems, &config.places, path: path, home: home)
        config.archive = root.text("archive", wants: "a path from / or ~/, or a name of [archives.NAME]") {
            $0.hasPrefix("/") || $0.hasPrefix("~/") || config.archives[$0] != nil
        }
        .map { config.archives[$0]?.path ?? full($0, home) }
        if root.table("archives") { root.problems += problems }
        config.readLooks(&root, document, path)
        if root.table("keys") { root.problems += config.readKeys(document, path) }
        if root.table("notify") {
            var notify = SettingsTable(document.tables["notify"] ?? [:], name: "notify", path: path)
            config.notify.bell = notify.boolean("bell") ?? config.notify.bell
            config.notify.desktop = notify.boolean("desktop") ?? config.notify.desktop
            config.places.merge(notify.places) { $1 }
            root.problems += notify.finish()
        }
        config.places.merge(root.places) { $1 }
        return (config, SettingsProblem.texts(root.finish()))
    }

    private mutating func readLooks(_ root: inout SettingsTable, _ document: TOMLDocument, _ path: String) {
        let themes = Theme.Name.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        theme =
            root.text("theme", wants: "one of \(themes)") { Theme.Name(rawValue: $0) != nil }
            .flatMap(Theme.Name.init) ?? .auto
        showsLink = root.boolean("status-link") ?? false
        showsTwelveHours = root.text("time", wants: "\"24h\" or \"12h\"") { ["24h", "12h"].contains($0) } == "12h"
        showsSeconds = root.boolean("seconds") ?? false
        nameWidth = root.integer("name-width", in: 4...60)
        setsTitle = root.boolean("title") ?? true
        showsList = root.boolean("list") ?? true
        isPlain = root.boolean("plain") ?? false
        let wanted = ReadReceipt.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        receipts =
            root.text("receipts", wants: "one of \(wanted)") { ReadReceipt(rawValue: $0) != nil }
            .flatMap { ReadReceipt(rawValue: $0) } ?? .private
        guard root.table("colors") else { return }
        var table = SettingsTable(document.tables["colors"] ?? [:], name: "colors", path: path)
        for role in ThemeChanges.Role.allCases {
            let wants = Config.wanted(of: role, in: document.tables["colors"]?[role.rawValue]?.value)
            _ = table.text(role.rawValue, wants: wants) { colors.set(role, to: $0) }
        }
        places.merge(table.places) { $1 }
        root.problems += table.finish()
    }

    /// The values that a role takes, and the first word of the given value that names no colour.
    private static func wanted(of role: ThemeChanges.Role, in value: TOMLDocument.Value?) -> String {
        let one = "a number from 0 to 255, a name such as bright-blue, #rrggbb, or default"
        let all = role == .names ? one + ", or several of these with blanks between them" : one
        guard case .text(let text)? = value, let wrong = ThemeChanges.wrongWord(in: text) else { return all }
        return "\(all), not \"\(SettingsTable.oneLine(wrong))\""
    }

    private static func isPath(_ text: String) -> Bool { text.hasPrefix("/") || text.hasPrefix("~/") }

    private static func full(_ path: String, _ home: String) -> String {
        path.hasPrefix("~/") ? home + path.dropFirst() : path
    }

    private static func archives(
        _ document: TOMLDocument, _ problems: inout [SettingsProblem], _ places: inout [String: String], path: String,
        home: String
    ) -> [String: Archive] {
        var archives: [String: Archive] = [:]
        for (name, entry) in document.tables["archives"] ?? [:] {
            let key = "archives.\(name)"
            if case .text(let text) = entry.value, isPath(text) {
                archives[name] = Archive(path: full(text, home))
                places["\(key).path"] = "\(path):\(entry.line)"
                continue
            }
            guard case .table = entry.value else {
                problems.append(
                    SettingsProblem(
                        path, line: entry.line,
                        "\(SettingsTable.oneLine(key)) takes a path from / or ~/, or a table with path, zone, me, charset, dates and format; ignored"
                    ))
                continue
            }
            var table = SettingsTable(document.tables[key] ?? [:], name: key, path: path)
            let place = table.text("path", wants: "a path from / or ~/", where: isPath)
            let zone = table.text("zone", wants: "a zone that this machine knows, such as Europe/Berlin or +02:00") {
                ZoneName.zone($0) != nil
            }
            let me = table.text("me", wants: "the ID or the name of a person", where: isPerson)
            let charset = table.text(
                "charset", wants: "a character set, such as windows-1251 or shift_jis", where: isPerson)
            let dates = table.text("dates", wants: "\"dmy\", \"mdy\" or \"ymd\"") {
                ["dmy", "mdy", "ymd"].contains($0)
            }
            let format = table.text(
                "format", wants: "the format of an export, such as irc or whatsapp", where: isPerson)
            if let place {
                archives[name] = Archive(
                    path: full(place, home), zone: zone, me: me, charset: charset, dates: dates, format: format)
            }
            places.merge(table.places) { $1 }
            problems += table.finish()
        }
        return archives
    }

    /// The settings of the archive at a canonical path; nil if there are none.
    package func archive(at path: String) -> Archive? {
        archives.values.first { ArchiveLocation.realPath($0.path) == path }
    }

    /// The user's ID or name in the archive at a path, and the location of that setting. A named archive may have its own; all
    /// others share one.
    /// - Returns: nil if the settings name nobody.
    package func me(at path: String) -> (name: String, place: String)? {
        // Mostly no archive has a `me` of its own; then no path has to be resolved.
        let known = archives.filter { $0.value.me != nil }
        let real = known.isEmpty ? path : ArchiveLocation.realPath(path)
        let own = known.sorted { $0.key < $1.key }.first { ArchiveLocation.realPath($0.value.path) == real }
        if let own, let me = own.value.me {
            let key = "archives.\(own.key).me"
            return (me, "\(places[key] ?? "config.toml"): \(key)")
        }
        return me.map { ($0, "\(places["me"] ?? "config.toml"): me") }
    }

    /// True if a text can be the ID of a person: not empty, and without anything that acts on a terminal.
    package static func isPerson(_ id: String) -> Bool {
        !id.isEmpty && id.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

/// The tables of keys.
extension Config {
    private static let keyTables = ["keys", "keys.writing", "keys.prompts"]
    /// The largest number of mistakes that are reported.
    private static let mostProblems = 10

    /// - Returns: the mistakes, one line each.
    mutating func readKeys(_ document: TOMLDocument, _ path: String) -> [SettingsProblem] {
        let entries = Config.keyTables.flatMap { table in
            (document.tables[table] ?? [:]).map { (table: table, command: $0.key, entry: $0.value) }
        }
        var problems: [SettingsProblem] = []
        for (table, command, entry) in entries.sorted(by: { ($0.entry.line, $0.command) < ($1.entry.line, $1.command) })
        {
            let place = "\(path):\(entry.line)"
            let name = SettingsTable.oneLine("\(table).\(command)")
            if case .table = entry.value, Config.keyTables.contains("\(table).\(command)") { continue }
            guard let texts = entry.value.listedTexts else {
                problems.append(
                    SettingsProblem(path, line: entry.line, "\(name) takes a key or a list of keys; ignored"))
                continue
            }
            let keys = texts.compactMap { text in
                let key = Key(notation: text)
                if key == nil {
                    let text = "\(name): \(Config.unknownKey(text)); ignored"
                    problems.append(SettingsProblem(path, line: entry.line, text))
                }
                return key
            }
            // A command whose keys are all unknown keeps those that it has.
            if keys.isEmpty, !texts.isEmpty { continue }
            self.keys.append(Keys(table: table, command: command, keys: keys, place: place))
        }
        let more = problems.count - Config.mostProblems
        return problems.prefix(Config.mostProblems)
            + (more > 0 ? [SettingsProblem(path, "\(more) more mistakes in keys; ignored")] : [])
    }

    private static func unknownKey(_ text: String) -> String {
        "unknown key \"\(SettingsTable.oneLine(text))\" (a key is a character, or as in ctrl-k, alt-1, f2, pageup, space, enter)"
    }
}

/// Finds the archive to open: `--archive`, else `KEDGE_ARCHIVE`, else the config's, else the current folder if it is
/// one.
package enum ArchiveLocation {
    /// - Parameter isArchive: returns true if the folder at a path holds an archive.
    /// - Returns: the path; nil when nothing names one.
    package static func resolve(
        option: String?, environment: [String: String], config: Config, isArchive: (String) -> Bool
    ) -> String? {
        // A name of the config stands for its path, unless there is a folder of that name.
        func named(_ path: String) -> String {
            guard let known = config.archives[path], !Disk.exists(path) else { return path }
            return known.path
        }
        if let option { return named(option) }
        if let path = environment["KEDGE_ARCHIVE"], !path.isEmpty { return named(path) }
        if let path = config.archive { return path }
        return isArchive(".") ? "." : nil
    }

    /// The absolute form of a path. Nothing need exist there.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// The canonical path of a folder, however it was reached. May wait for the disk.
    package static func realPath(_ path: String) -> String {
        Disk.realPath(path) ?? path
    }
}
