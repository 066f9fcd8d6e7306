/// Names of people whom the export does not name.
enum TelegramNames {
    static let deletedName = "Deleted Account"
    static var deletedBytes: Bytes {
        let name: StaticString = "Deleted Account"
        return Bytes(start: name.utf8Start, count: name.utf8CodeUnitCount)
    }

    static func of(_ value: JSONValue?) -> String {
        guard let name = value?.string, !name.isEmpty else { return deletedName }
        return name
    }

    /// `Ana, Ben and Cem`
    static func list(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
