/// IDs that are good to type, made of the names of conversations.
package enum Slug {
    private static let longest = 48

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
        let prefix = String(slug).prefix(longest)
        return prefix.hasSuffix("-") ? String(prefix.dropLast()) : String(prefix)
    }
}
