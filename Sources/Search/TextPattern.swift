internal import CRegex
internal import CUnicode

/// A regular expression that a text must or must not match: `/…/` in a query. Case is ignored, as with words, unless it begins
/// with `(?-i)`; accents are not ignored. `^` and `$` are the ends of a line.
///
/// The syntax is that of RE2 (github.com/google/re2/wiki/Syntax), whose time grows with the length of the text only.
package final class TextPattern: Hashable, Sendable {
    /// The longest reason, in bytes.
    private static let reasonBytes = 200

    /// The expression, without the slashes.
    package let source: String
    // Immutable, and RE2 allows several threads to match at once.
    nonisolated(unsafe) private let pattern: OpaquePointer

    init(_ source: String) throws(QueryFault) {
        self.source = source
        var reason = [CChar](repeating: 0, count: TextPattern.reasonBytes)
        var text = source
        guard
            let pattern = text.withUTF8({ bytes in
                bytes.withMemoryRebound(to: CChar.self) { cr_compile($0.baseAddress, $0.count, &reason, reason.count) }
            })
        else {
            let bytes = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw .pattern(source, reason: TextPattern.words(String(decoding: bytes, as: UTF8.self)))
        }
        self.pattern = pattern
    }

    deinit { cr_free(pattern) }

    /// Rewrites RE2's `missing ]: [a`, whose colon seems part of the expression, as `missing ] in "[a"`.
    private static func words(_ message: String) -> String {
        guard let colon = message.firstRange(of: ": ") else { return message }
        var part = message[colon.upperBound...]
        // Kedge adds this prefix to every expression, so that `^` and `$` match at lines.
        if part.hasPrefix("(?m)") { part = part.dropFirst(4) }
        return "\(message[..<colon.lowerBound]) in \"\(part)\""
    }

    func isIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool { first(in: text, from: 0) != nil }

    /// The first match at an offset or after it, in UTF-8.
    func first(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
        var (lower, upper) = (0, 0)
        return text.withMemoryRebound(to: CChar.self) { bytes in
            cr_find(pattern, bytes.baseAddress, bytes.count, start, &lower, &upper) ? lower..<upper : nil
        }
    }

    /// All matches that are not empty, in UTF-8, sorted and disjoint.
    func all(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        while start < text.count, let match = first(in: text, from: start) {
            if !match.isEmpty { found.append(match) }
            start = match.isEmpty ? TextPattern.next(after: match.upperBound, in: text) : match.upperBound
        }
        return found
    }

    /// The beginning of the character after an offset.
    private static func next(after offset: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var next = offset + 1
        while next < text.count, text[next] & 0b1100_0000 == 0b1000_0000 { next += 1 }
        return next
    }

    package static func == (a: TextPattern, b: TextPattern) -> Bool { a.source.utf8.elementsEqual(b.source.utf8) }

    package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// The largest query. Each word of a query is compared with each text, and nobody needs a longer query.
package enum QuerySize {
    /// In UTF-8, as typed.
    package static let maximumBytes = 10_000
    /// The words, including those of phrases, and the filters.
    package static let maximumTerms = 500
    /// Regular expressions: each may take some megabytes.
    package static let maximumPatterns = 8
}

/// The reason why a query cannot be searched for: it is too large, a regular expression is invalid, or a filter has no value or a
/// minus before its value. Such a query counts as empty.
package enum QueryFault: Error, Hashable, Sendable, CustomStringConvertible {
    case bytes(Int)
    case terms(Int)
    case patterns(Int)
    /// The expression, without its slashes.
    case pattern(String, reason: String)
    /// A filter with its colon, and an example with a value: `from:`, `from:ana`.
    case withoutValue(String, example: String)
    /// A filter whose value begins with a minus, `from:-ana`, and the filter that was meant: `-from:ana`.
    case minusInside(String, meant: String)

    /// One line for people, without a full stop.
    package var description: String {
        switch self {
        case .bytes(let count): "the query is too long: \(count) bytes, at most \(QuerySize.maximumBytes)"
        case .terms(let count): "the query is too long: \(count) words and filters, at most \(QuerySize.maximumTerms)"
        case .patterns(let count):
            "the query has \(count) regular expressions, at most \(QuerySize.maximumPatterns)"
        case .pattern(let source, let reason): "/\(source)/ is not a valid regular expression: \(reason)"
        case .withoutValue(let filter, let example):
            "\(filter) needs a value right after the colon, as in \(example); to find the word, quote it"
        case .minusInside(let filter, let meant):
            "put the minus before the filter: \(meant) instead of \(filter); quote a name that begins with a minus"
        }
    }

    /// A shorter text for a narrow place.
    package var brief: String {
        switch self {
        case .bytes, .terms, .patterns: "query too long"
        case .pattern(_, let reason): reason
        case .withoutValue(let filter, _): "\(filter) has no value"
        case .minusInside(_, let meant): "write \(meant)"
        }
    }
}
