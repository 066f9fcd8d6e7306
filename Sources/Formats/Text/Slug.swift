/// IDs that are good to type, made of the names of conversations.
package enum Slug {
    private static let longest = 48
    /// A folder has this name, with a few bytes before and after it: no file system takes more than 255, and some take 143.
    private static let mostBytes = 120

    /// `ana-petrova` for "Ana Petrova": small letters and digits of any script, with a hyphen for the signs and blanks between them.
    /// Empty if there are none.
    package static func of(_ name: String) -> String {
        var slug = String.UnicodeScalarView()
        var isBetween = false
        for scalar in name.lowercased().unicodeScalars {
            let properties = scalar.properties
            let isMark = properties.generalCategory == .nonspacingMark || properties.generalCategory == .spacingMark
            guard properties.isAlphabetic || properties.numericType != nil || isMark && !slug.isEmpty && !isBetween
            else {
                isBetween = true
                continue
            }
            if isBetween, !slug.isEmpty { slug.append("-") }
            isBetween = false
            slug.append(scalar)
        }
        let prefix = beginning(of: String(slug))
        return prefix.hasSuffix("-") ? String(prefix.dropLast()) : prefix
    }

    /// A single character may have any number of bytes, in combining marks: the first one is cut among these.
    private static func beginning(of slug: String) -> String {
        var (text, bytes) = ("", 0)
        for character in slug.prefix(longest) {
            bytes += character.utf8.count
            if bytes > mostBytes { break }
            text.append(character)
        }
        guard text.isEmpty else { return text }
        var scalars = slug.unicodeScalars.prefix(mostBytes)
        while scalars.reduce(0, { $0 + UTF8.width($1) }) > mostBytes { scalars.removeLast() }
        return String(scalars)
    }
}
