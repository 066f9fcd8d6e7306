internal import CRegex

/// A regular expression that a text must or must not match: `/…/` in a query. It ignores case, as words do, unless it begins with
/// `(?-i)`; accents count. `^` and `$` are the ends of a line.
///
/// The syntax is that of RE2 (github.com/google/re2/wiki/Syntax), whose time grows with the length of the text only.
package final class TextPattern: Hashable, Sendable {
    /// Of an expression, why it is not valid, in a few words.
    struct Fault: Error, Hashable {
        let reason: String
    }

    /// The longest reason, in bytes.
    private static let reasonBytes = 200

    /// The expression, without the slashes.
    package let source: String
    // It never changes, and RE2 lets several threads match at once.
    nonisolated(unsafe) private let pattern: OpaquePointer

    init(_ source: String) throws(Fault) {
        self.source = source
        var reason = [CChar](repeating: 0, count: TextPattern.reasonBytes)
        var text = source
        guard
            let pattern = text.withUTF8({ bytes in
                bytes.withMemoryRebound(to: CChar.self) { cr_compile($0.baseAddress, $0.count, &reason, reason.count) }
            })
        else {
            let bytes = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw Fault(reason: TextPattern.words(String(decoding: bytes, as: UTF8.self)))
        }
        self.pattern = pattern
    }

    deinit { cr_free(pattern) }

    /// `missing ] in "[a"`, for RE2's `missing ]: [a`, which reads as if the colon belonged to the expression.
    private static func words(_ message: String) -> String {
        guard let colon = message.firstRange(of: ": ") else { return message }
        var part = message[colon.upperBound...]
        // It stands before every expression, so that lines have their own beginnings and ends.
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
