import Glibc
internal import TOMLKit

/// What the user has set in `config.toml`:
///
///     me = "ana"                        # who writes
///     archive = "~/chats"               # where no other archive is named
///     [notify]                          # when somebody names or answers to the user
///     bell = true
///     desktop = true
package struct Config: Hashable, Sendable {
    /// Who the user is, by ID; nil when the archive is to say.
    package var me: String?
    /// The path of the archive; nil for none.
    package var archive: String?
    package var notify = Notify()

    package struct Notify: Hashable, Sendable {
        /// Whether the terminal rings.
        package var bell = false
        /// Whether the desktop shows it.
        package var desktop = false

        package init() {}
    }

    package init() {}

    /// Reads the file in Kedge's folder, if there is one. What is wrong with a part of it does not take the rest away.
    /// - Parameters:
    ///   - home: what "~" stands for.
    /// - Returns: the problems besides, one line each, with their place.
    package static func load(folder: String, home: String) -> (config: Config, problems: [String]) {
        let path = folder + "/config.toml"
        do throws(StateError) {
            guard let bytes = try StateFile(folder: folder, name: "config.toml").read() else { return (Config(), []) }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return (Config(), ["\(path): is not UTF-8; it is passed over"])
            }
            return read(text, path: path, home: home)
        } catch {
            let reason =
                if case .unreadable(_, let code) = error { String(cString: strerror(code)) } else { "\(error)" }
            return (Config(), ["\(path): cannot be read (\(reason)); it is passed over"])
        }
    }

    /// - Parameter path: that of the file, for its problems.
    package static func read(_ text: String, path: String, home: String) -> (config: Config, problems: [String]) {
        var config = Config()
        do {
            var root = SettingsTable(try TOMLTable(string: text), name: nil, path: path)
            config.me = root.text("me", wants: "the ID of a person", where: isPerson)
            config.archive = root.text("archive", wants: "a path from / or ~/") {
                $0.hasPrefix("/") || $0.hasPrefix("~/")
            }
            .map { $0.hasPrefix("~/") ? home + $0.dropFirst() : $0 }
            if var notify = root.table("notify") {
                config.notify.bell = notify.truth("bell") ?? config.notify.bell
                config.notify.desktop = notify.truth("desktop") ?? config.notify.desktop
                root.problems += notify.finish()
            }
            return (config, root.finish())
        } catch let error as TOMLParseError {
            return (config, ["\(path):\(error.source.begin.line): \(error.description); the file is passed over"])
        } catch {
            return (config, ["\(path): \(error); the file is passed over"])
        }
    }

    /// Whether a text can be the ID of somebody who writes: not empty, and nothing that acts on a terminal.
    package static func isPerson(_ id: String) -> Bool {
        !id.isEmpty && id.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

/// Takes the settings out of a table of the file, and notes what it does not know.
private struct SettingsTable {
    private let table: TOMLTable
    private let name: String?
    private let path: String
    private var known: [String] = []
    var problems: [String] = []

    init(_ table: TOMLTable, name: String?, path: String) {
        self.table = table
        self.name = name
        self.path = path
    }

    mutating func text(_ key: String, wants: String, where isGood: (String) -> Bool) -> String? {
        value(key, wants: wants) { $0.string.flatMap { isGood($0) ? $0 : nil } }
    }

    mutating func truth(_ key: String) -> Bool? { value(key, wants: "true or false", \.bool) }

    mutating func table(_ key: String) -> SettingsTable? {
        value(key, wants: "a table") { [path] in $0.table.map { SettingsTable($0, name: key, path: path) } }
    }

    /// All problems, once everything that is known has been asked for.
    func finish() -> [String] {
        let unknown = table.keys.filter { !known.contains($0) }
        return problems
            + unknown.map { "\(path): \(full($0)) is no setting; there are \(known.map(full).joined(separator: ", "))" }
    }

    private mutating func value<Value>(
        _ key: String, wants: String, _ read: (any TOMLValueConvertible) -> Value?
    ) -> Value? {
        known.append(key)
        guard let value = table[key] else { return nil }
        if let good = read(value) { return good }
        problems.append("\(path): \(full(key)) takes \(wants); it is passed over")
        return nil
    }

    private func full(_ key: String) -> String { name.map { "\($0).\(key)" } ?? key }
}
