internal import Display

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

extension TOMLDocument.Value {
    /// A list of texts; a text alone is a list of itself.
    var listedTexts: [String]? {
        switch self {
        case .text(let text): [text]
        case .texts(let texts): texts
        default: nil
        }
    }
}
