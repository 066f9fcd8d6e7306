/// How large a query may be. Longer ones are nobody's question, and each word of a query is looked for in each text.
package enum QuerySize {
    /// In UTF-8, as it was typed.
    package static let mostBytes = 10_000
    /// Words, each word of a phrase among them, and filters.
    package static let mostTerms = 500
}

/// How a query is too large. Such a query asks for nothing.
package enum QueryExcess: Hashable, Sendable, CustomStringConvertible {
    case bytes(Int)
    case terms(Int)

    /// For people, without a full stop.
    package var description: String {
        switch self {
        case .bytes(let count): "the query is too long: \(count) bytes, at most \(QuerySize.mostBytes)"
        case .terms(let count): "the query is too long: \(count) words and filters, at most \(QuerySize.mostTerms)"
        }
    }

    /// The same where room is short.
    package var brief: String { "query too long" }
}
