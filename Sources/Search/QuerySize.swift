/// The largest query. Each word of a query is compared with each text, and nobody needs a longer query.
package enum QuerySize {
    /// In UTF-8, as it was typed.
    package static let maximumBytes = 10_000
    /// The words, including those of phrases, and the filters.
    package static let maximumTerms = 500
}

/// Why a query is too large. Such a query is empty.
package enum QueryExcess: Hashable, Sendable, CustomStringConvertible {
    case bytes(Int)
    case terms(Int)

    /// For people, without a full stop.
    package var description: String {
        switch self {
        case .bytes(let count): "the query is too long: \(count) bytes, at most \(QuerySize.maximumBytes)"
        case .terms(let count): "the query is too long: \(count) words and filters, at most \(QuerySize.maximumTerms)"
        }
    }

    /// A shorter text, where room is short.
    package var brief: String { "query too long" }
}
