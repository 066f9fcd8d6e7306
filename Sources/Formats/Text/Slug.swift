/// Makes IDs that are easy to type from the names of conversations.
package enum Slug {
    private static let longest = 48
    /// A folder gets this name, with a few bytes before and after it. No file system takes more than 255 bytes, and some take
    /// only 143.
    private static let mostBytes = 120

    /// `ana-petrova` for "Ana Petrova": lower-case letters and digits of any script, with a hyphen instead of other characters.
    /// Empty if there are no letters or digits.
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

    /// The beginning of a slug that is too long. If its first character alone is too long, because of combining marks, it is cut
    /// between these.
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

/// Gives each conversation of an archive a unique ID.
package struct UniqueIDs {
    private var taken: Set<String> = []
    /// The number to try next after a name. Thousands of rooms may have the same name.
    private var next: [String: Int] = [:]
    /// The number of tries, for tests.
    private(set) var tries = 0

    package init() {}

    /// The first of these names that is not taken; if all are, the last one with a number: `general-2`.
    /// - Parameter names: not empty.
    package mutating func take(_ names: String...) -> String { take(names) }

    /// - Parameter last: the name that gets a number; nil for the last one.
    mutating func take(_ names: [String], numbered last: String? = nil) -> String {
        if let free = names.first(where: { taken.insert($0).inserted }) { return free }
        let last = last ?? names.last ?? ""
        while true {
            let number = next[last, default: 2]
            next[last] = number + 1
            tries += 1
            if taken.insert("\(last)-\(number)").inserted { return "\(last)-\(number)" }
        }
    }

    func contains(_ id: String) -> Bool { taken.contains(id) }
}

extension String {
    /// An address, or a part of it, percent-decoded (RFC 3986). Invalid percent signs stay.
    init(percentDecoding text: some StringProtocol) {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var at = 0
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count,
                let value = UInt8(String(decoding: bytes[at + 1...at + 2], as: UTF8.self), radix: 16)
            {
                result.append(value)
                at += 3
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        self.init(decoding: result, as: UTF8.self)
    }
}
