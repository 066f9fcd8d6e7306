import ArgumentParser
import Display
import Interface
import Messages
import Settings

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the settings in effect, and where each comes from.",
        discussion: """
            One a line, separated by tabs: setting, value, origin: an option, a variable, a line of config.toml, the archive, \
            or the default. With --keys the keys of all commands: command, keys, origin, explanation.
            """)

    @OptionGroup var options: ArchiveOptions

    @Flag(help: "Print the keys of all commands.")
    var keys = false

    func run() throws {
        let config = Config.ofUser
        if keys { return try ConfigCommand.printKeys(config) }
        let rows = try [archive(config), me(config)] + ConfigCommand.settings(config) + ConfigCommand.surroundings()
        try Table(
            rows.map { [Cell($0.name, .name), Cell($0.value), Cell($0.origin, .time)] },
            header: ["SETTING", "VALUE", "ORIGIN"].map { Cell($0, .heading) }
        ).print()
    }

    /// Prints the keys of all commands, by the names that `[keys]` takes.
    private static func printKeys(_ config: Config) throws {
        let rows = bindings.map { name, binding, keys, isChanged in
            let place = isChanged ? config.origin(ofChanged: name) : config.placeOfKeys(name) ?? "default"
            return [Cell(name, .name), Cell(keys), Cell(place, .time), Cell(binding.help)]
        }
        try Table(rows, header: ["COMMAND", "KEYS", "ORIGIN", "EXPLANATION"].map { Cell($0, .heading) }).print()
    }

    /// The keys of all commands.
    private static var bindings: [(name: String, binding: Binding, keys: String, isChanged: Bool)] {
        zip(Config.keymapOfUser.sections, Keymap.standard.sections).flatMap { section, standard in
            zip(section.bindings, standard.bindings).map { binding, standard in
                (
                    "\(section.context.table).\(binding.name)", binding,
                    binding.keys.map(\.notation).joined(separator: " "), binding != standard
                )
            }
        }
    }

    private struct Row {
        let name: String
        let value: String
        let origin: String

        init(_ name: String, _ value: String, _ origin: String) {
            (self.name, self.value, self.origin) = (name, value, origin)
        }
    }

    private func archive(_ config: Config) throws -> Row {
        guard let path = try options.foundPath() else { return Row("archive", "", "not set") }
        let variable = Environment.variables["KEDGE_ARCHIVE"] ?? ""
        let origin =
            options.archive != nil
            ? "--archive" : !variable.isEmpty ? "KEDGE_ARCHIVE" : config.places["archive"] ?? "current folder"
        return Row("archive", ArchiveLocation.realPath(path), origin)
    }

    private func me(_ config: Config) throws -> Row {
        if let path = try options.foundPath(), let (me, place) = config.me(at: path) {
            return Row("me", me, place.hasSuffix(": me") ? String(place.dropLast(4)) : place)
        }
        if let me = config.me { return Row("me", me, config.places["me"] ?? "config.toml") }
        guard try options.foundPath() != nil, let store = try? options.open(), let me = store.me else {
            return Row("me", "", "not set")
        }
        return Row("me", me.rawValue, "archive")
    }

    private static func settings(_ config: Config) -> [Row] {
        func row(_ name: String, _ value: String) -> Row { Row(name, value, config.places[name] ?? "default") }
        let archives = config.archives.sorted { $0.key < $1.key }.flatMap { name, archive -> [Row] in
            let values: [(key: String, value: String?)] = [
                ("path", archive.path), ("zone", archive.zone), ("me", archive.me), ("charset", archive.charset),
                ("dates", archive.dates), ("format", archive.format),
            ]
            return values.compactMap { key, value in value.map { row("archives.\(name).\(key)", $0) } }
        }
        let colors = config.places.keys.filter { $0.hasPrefix("colors.") }.sorted().map { row($0, "set") }
        let settings = [
            row("highlight", config.highlight.joined(separator: ", ")),
            row("receipts", config.receipts.rawValue),
            row("theme", config.theme.rawValue), row("status-link", "\(config.showsLink)"),
            row("time", config.showsTwelveHours ? "12h" : "24h"), row("seconds", "\(config.showsSeconds)"),
            row("name-width", config.nameWidth.map { "\($0)" } ?? "auto"), row("title", "\(config.setsTitle)"),
            row("list", "\(config.showsList)"), row("plain", "\(config.isPlain)"),
        ]
        let notices = [
            row("notify.bell", "\(config.notify.bell)"), row("notify.desktop", "\(config.notify.desktop)"),
        ]
        return archives + settings + colors + changedKeys(config) + notices
    }

    /// The commands whose keys differ from the default ones.
    private static func changedKeys(_ config: Config) -> [Row] {
        bindings.filter(\.isChanged).map { Row($0.name, $0.keys, config.origin(ofChanged: $0.name)) }
    }

    /// The variables of the environment that have an effect, and the folders.
    private static func surroundings() -> [Row] {
        let environment = Environment.variables
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let folders = Folders.ofUser
        func folder(_ name: String, _ path: String?, _ variable: String) -> Row {
            Row(
                name, path ?? "",
                value(variable)?.hasPrefix("/") ?? false ? variable : path == nil ? "no home" : "default")
        }
        let color =
            value("NO_COLOR") != nil
            ? Row("color", "false", "NO_COLOR")
            : Row("color", "\(Output.allowsColor)", value("TERM") == nil ? "no TERM" : "TERM")
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].first { value($0) != nil }
        return [
            color, Row("locale", locale.flatMap(value) ?? "C", locale ?? "default"),
            Row("zone", value("TZ") ?? "local", value("TZ") == nil ? "default" : "TZ"),
            folder("config", folders.config.map { $0 + "/config.toml" }, "XDG_CONFIG_HOME"),
            folder("state", folders.state, "XDG_STATE_HOME"), folder("cache", folders.cache, "XDG_CACHE_HOME"),
        ]
    }
}

extension Config {
    /// The place of the keys of a command in the file.
    fileprivate func placeOfKeys(_ name: String) -> String? {
        keys.first { "\($0.table).\($0.command)" == name }?.place
    }

    /// The reason why a binding differs from the default: its key was reassigned.
    fileprivate func origin(ofChanged name: String) -> String { placeOfKeys(name) ?? "reassigned by [keys]" }
}
