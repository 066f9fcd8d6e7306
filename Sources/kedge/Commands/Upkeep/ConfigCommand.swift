import ArgumentParser
import Display
import Messages
import Settings

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the settings in effect, and where each comes from.",
        discussion: """
            One a line, separated by tabs: setting, value, origin: an option, a variable, a line of config.toml, the archive, \
            or the default.
            """)

    @OptionGroup var options: ArchiveOptions

    func run() throws {
        let config = Config.ofUser
        let rows = try [archive(config), me(config)] + ConfigCommand.settings(config) + ConfigCommand.surroundings()
        try Table(
            rows.map { [Cell($0.name, .name), Cell($0.value), Cell($0.origin, .time)] },
            header: ["SETTING", "VALUE", "ORIGIN"].map { Cell($0, .heading) }
        ).print()
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
        if let me = config.me { return Row("me", me, config.places["me"] ?? "config.toml") }
        guard try options.foundPath() != nil, let store = try? options.open(), let me = store.me else {
            return Row("me", "", "not set")
        }
        return Row("me", me.rawValue, "archive")
    }

    private static func settings(_ config: Config) -> [Row] {
        func row(_ name: String, _ value: String) -> Row { Row(name, value, config.places[name] ?? "default") }
        let archives = config.archives.sorted { $0.key < $1.key }.flatMap { name, archive in
            [row("archives.\(name).path", archive.path)]
                + (archive.zone.map { [row("archives.\(name).zone", $0)] } ?? [])
        }
        let colors = config.places.keys.filter { $0.hasPrefix("colors.") }.sorted().map { row($0, "set") }
        return archives + [
            row("theme", config.theme.rawValue), row("status-link", "\(config.showsLink)"),
            row("list", "\(config.showsList)"),
        ] + colors + [
            row("notify.bell", "\(config.notify.bell)"), row("notify.desktop", "\(config.notify.desktop)"),
        ]
    }

    /// The variables of the environment that have an effect, and the folders.
    private static func surroundings() -> [Row] {
        let environment = Environment.variables
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let folders = Folders(environment: environment)
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
