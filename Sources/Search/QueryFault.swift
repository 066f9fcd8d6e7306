/// The largest query. Each word of a query is compared with each text, and nobody needs a longer query.
package enum QuerySize {
    /// In UTF-8, as it was typed.
    package static let maximumBytes = 10_000
    /// The words, including those of phrases, and the filters.
    package static let maximumTerms = 500
    /// Regular expressions: each may take some megabytes.
    package static let maximumPatterns = 8
}

/// Why a query cannot be searched for: it is too large, a regular expression in it is not valid, or a filter has no value or a minus
/// before its value. Such a query is empty.
package enum QueryFault: Hashable, Sendable, CustomStringConvertible {
    case bytes(Int)
    case terms(Int)
    case patterns(Int)
    /// The expression is without its slashes.
    case pattern(String, reason: String)
    /// A filter with its colon, and one with a value: `from:`, `from:ana`.
    case withoutValue(String, example: String)
    /// A filter whose value begins with a minus, `from:-ana`, and the one that was meant: `-from:ana`.
    case minusInside(String, meant: String)

    /// One line for people, without a full stop.
    package var description: String {
        switch self {
        case .bytes(let count): "the query is too long: \(count) bytes, at most \(QuerySize.maximumBytes)"
        case .terms(let count): "the query is too long: \(count) words and filters, at most \(QuerySize.maximumTerms)"
        case .patterns(let count):
            "the query has \(count) regular expressions, at most \(QuerySize.maximumPatterns)"
        case .pattern(let source, let reason): "/\(source)/ is no regular expression: \(reason)"
        case .withoutValue(let filter, let example):
            "\(filter) needs a value right after the colon, as in \(example); as a word it needs quotes"
        case .minusInside(let filter, let meant):
            "the minus stands before the filter: \(meant) instead of \(filter); a name that begins with a minus needs quotes"
        }
    }

    /// A shorter text, where room is short.
    package var brief: String {
        switch self {
        case .bytes, .terms, .patterns: "query too long"
        case .pattern(_, let reason): reason
        case .withoutValue(let filter, _): "\(filter) has no value"
        case .minusInside(_, let meant): "write \(meant)"
        }
    }
}
