import Interface
import Messages
import Settings

extension Config {
    /// The user's settings. The first use tells on stderr what is wrong with the file; later ones do not repeat it.
    static var ofUser: Config { loaded.config }

    /// The user's keys.
    static var keymapOfUser: Keymap { loaded.keymap ?? .standard }

    /// The local zone, with clocks as the user wants them.
    var zoneOfScreen: Zone {
        var zone = Zone.local
        zone.hasTwelveHours = showsTwelveHours
        return zone
    }

    /// The settings that concern the screen.
    /// - Parameters: settings that the command line or the archive may decide.
    func preferences(isPlain: Bool, hidesList: Bool) -> Preferences {
        var preferences = Preferences()
        preferences.keymap = Config.keymapOfUser
        (preferences.showsLink, preferences.hidesList, preferences.isPlain) = (showsLink, hidesList, isPlain)
        (preferences.showsSeconds, preferences.nameWidth) = (showsSeconds, nameWidth)
        preferences.highlight = highlight
        return preferences
    }

    /// The problems of the file in one line for the screen, which has no room for the path; nil for none.
    /// - Parameter other: a problem that the file has with this archive alone.
    static func problemForScreen(besides other: String?) -> String? {
        let problems = loaded.problems + [other].compactMap(\.self)
        guard let first = problems.first else { return nil }
        let folder = (Folders(environment: Environment.variables).config ?? "") + "/"
        let text = first.hasPrefix(folder) ? first.dropFirst(folder.count) : first[...]
        return text + (problems.count > 1 ? " (and \(problems.count - 1) more)" : "")
    }

    /// The table of keys is nil where the user changes none: the standard one is made when the screen needs it, while the first
    /// page is read.
    private static let loaded: (config: Config, keymap: Keymap?, problems: [String]) = {
        let environment = Environment.variables
        let folders = Folders(environment: environment)
        guard let folder = folders.config else { return (Config(), nil, []) }
        let (config, problems) = Config.load(folder: folder, home: environment["HOME"] ?? "/")
        let (keymap, ofKeys) = config.keymap
        let all = Config.sorted(problems + ofKeys, folder: folder)
        for problem in all { Output.complain(problem) }
        return (config, keymap, all)
    }()

    /// The table of keys with the user's keys, and the mistakes in these; no table without such keys.
    private var keymap: (keymap: Keymap?, problems: [String]) {
        if keys.isEmpty { return (nil, []) }
        let changes = keys.compactMap { setting in
            Keymap.Context.allCases.first { $0.table == setting.table }.map {
                KeyChange(setting.command, setting.keys, in: $0, at: setting.place)
            }
        }
        return Keymap.standard.changed(by: changes)
    }
}
