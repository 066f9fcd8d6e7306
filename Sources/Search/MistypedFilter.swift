/// A piece of a query that looks like a filter with a typing error, and is therefore searched for as words: `has:lnk`, `form:ana`.
package struct MistypedFilter: Hashable, Sendable, CustomStringConvertible {
    /// As it was typed, without its minus.
    package let text: String
    /// Whether the words must not be in the text: `-has:lnk`.
    package let isExcluded: Bool
    private let advice: Advice

    private enum Advice: Hashable {
        case meant(String)
        /// Nothing is near the value of this filter: its values follow.
        case values(of: String, [String])
    }

    /// One line for people, without a full stop: `did you mean has:link?`
    package var description: String {
        let sign = isExcluded ? "-" : ""
        return switch advice {
        case .meant(let filter): "did you mean \(sign)\(filter)?"
        case .values(let name, let values):
            "\(name): takes \(values.dropLast().joined(separator: ", ")) or \(values.last ?? "")"
        }
    }

    /// Words by which other programs call filters.
    private static let synonyms = [
        "by": "from", "sender": "from", "author": "from", "user": "from", "channel": "in", "room": "in", "chat": "in",
    ]

    /// - Parameters:
    ///   - name: before the colon, folded.
    ///   - value: after it, without quotes.
    ///   - filters: the names of all filters; those of the ones that take only a few values, with these.
    /// - Returns: nil when it looks like no filter.
    init?(_ name: String, value: String, isExcluded: Bool, filters: [String: [String]]) {
        let value = String(value.drop(while: \.isWhitespace))
        guard !value.isEmpty else { return nil }
        let isName = filters[name] != nil
        guard let meant = isName ? name : MistypedFilter.nearest(to: name, among: Array(filters.keys)) else {
            return nil
        }
        let values = filters[meant] ?? []
        if values.isEmpty {
            guard !isName else { return nil }
            advice = .meant("\(meant):\(Query.quoted(value))")
        } else if let near = MistypedFilter.value(near: value.lowercased(), among: values) {
            advice = .meant("\(meant):\(near)")
        } else {
            guard isName else { return nil }
            advice = .values(of: meant, values)
        }
        (self.text, self.isExcluded) = ("\(name):\(value)", isExcluded)
    }

    /// The name that differs in one letter. A name of two letters would be near too many words.
    private static func nearest(to name: String, among names: [String]) -> String? {
        if let synonym = synonyms[name] { return synonym }
        guard (3...12).contains(name.count) else { return nil }
        return names.filter { $0.count > 2 && Spelling.errors(Array(name), Array($0)) == 1 }.min()
    }

    /// The value that differs in at most a quarter of the letters: `unread` is not `thread`.
    private static func value(near value: String, among values: [String]) -> String? {
        if let whole = values.first(where: { $0.hasPrefix(value) }) { return whole }
        guard value.count <= 16 else { return nil }
        return values.first { Spelling.errors(Array(value), Array($0)) <= max(1, value.count / 4) }
    }
}
