/// The settings of the user, in `config.toml`:
///
///     me = "ana"                        # your ID or your name
///     archive = "~/chats"               # when no other archive is named
///     [notify]                          # when somebody names you or replies to you
///     bell = true
///     desktop = true
package struct Config: Hashable, Sendable {
    /// The ID or the name of the user; nil to let the archive say it.
    package var me: String?
    /// Where the file sets `me`: its path and the line.
    package var placeOfMe: String?
    /// The path of the archive; nil for none.
    package var archive: String?
    package var notify = Notify()

    package struct Notify: Hashable, Sendable {
        /// Whether to ring the terminal.
        package var bell = false
        /// Whether to show it on the desktop.
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
        do throws(StateError) {
            let file = StateFile(folder: folder, name: "config.toml", largest: Config.largestFile)
            guard let bytes = try file.read() else { return (Config(), []) }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return (Config(), ["\(path): is not UTF-8; it is ignored"])
            }
            return read(text, path: path, home: home)
        } catch {
            return (Config(), ["\(path): \(error.reason); it is ignored"])
        }
    }

    /// - Parameter path: of the file, for its problems.
    package static func read(_ text: String, path: String, home: String) -> (config: Config, problems: [String]) {
        var config = Config()
        do throws(TOMLDocument.Failure) {
            let document = try TOMLDocument(text)
            var root = SettingsTable(document.root, name: nil, path: path)
            config.me = root.text("me", wants: "the ID or the name of a person", where: isPerson)
            config.placeOfMe = config.me.flatMap { _ in root.place(of: "me") }
            config.archive = root.text("archive", wants: "a path from / or ~/") {
                $0.hasPrefix("/") || $0.hasPrefix("~/")
            }
            .map { $0.hasPrefix("~/") ? home + $0.dropFirst() : $0 }
            if root.table("notify") {
                var notify = SettingsTable(document.tables["notify"] ?? [:], name: "notify", path: path)
                config.notify.bell = notify.boolean("bell") ?? config.notify.bell
                config.notify.desktop = notify.boolean("desktop") ?? config.notify.desktop
                root.problems += notify.finish()
            }
            return (config, root.finish())
        } catch {
            switch error {
            case .notTOML(let line, let reason):
                return (config, ["\(path):\(line): \(SettingsTable.oneLine(reason)); the file is ignored"])
            case .noMemory: return (config, ["\(path): there is no memory to read it; the file is ignored"])
            }
        }
    }

    /// Whether a text can be the ID of a person: not empty, and without anything that acts on a terminal.
    package static func isPerson(_ id: String) -> Bool {
        !id.isEmpty && id.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
