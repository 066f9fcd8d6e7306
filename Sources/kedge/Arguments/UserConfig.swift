import Display
import Interface
import Messages
import Settings

extension Config {
    /// The user's settings. The first use reports errors of the file on stderr.
    static var ofUser: Config { loaded.config }

    /// The user's keys.
    static var keymapOfUser: Keymap { loaded.keymap ?? .standard }

    /// The local zone, with 12 or 24 hours as the user wants.
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

    /// The colours of output on the terminal; nil for none.
    static var themeOfOutput: Theme? {
        guard Output.allowsColor else { return nil }
        let environment = Environment.variables
        let isRich = (environment["TERM"] ?? "").contains("256") || !(environment["COLORTERM"] ?? "").isEmpty
        // The terminal is not asked for its background: a pager would get the reply.
        return Theme(ofUser.theme, background: nil, count: isRich ? 256 : 8, changes: ofUser.colors)
    }

    /// The problems of the file in one line for the screen, which has no room for the path; nil for none.
    /// - Parameter other: a problem of the file that concerns this archive only.
    static func problemForScreen(besides other: String?) -> String? {
        let problems = loaded.problems + [other].compactMap(\.self)
        guard let first = problems.first else { return nil }
        let folder = (Folders.ofUser.config ?? "") + "/"
        let text = first.hasPrefix(folder) ? first.dropFirst(folder.count) : first[...]
        return text + (problems.count > 1 ? " (and \(problems.count - 1) more)" : "")
    }

    /// The settings. The table of keys is nil if the user changes none: the standard table is made while the first page
    /// is read.
    private static let loaded: (config: Config, keymap: Keymap?, problems: [String]) = {
        guard let folder = Folders.ofUser.config else { return (Config(), nil, []) }
        let (config, problems) = Config.load(folder: folder, home: Environment.variables["HOME"] ?? "/")
        let (keymap, ofKeys) = config.keymap
        let all = Config.sorted(problems + ofKeys, folder: folder)
        for problem in all { Output.complain(problem) }
        return (config, keymap, all)
    }()

    /// The table of keys with the user's keys, and the errors in these; no table without such keys.
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
