/// Finds the blocks of code in a text, line by line. A block that is not closed goes on to the end of the text.
package struct Fences: Sendable {
    /// Whether a block is open.
    private(set) var isCode: Bool

    /// - Parameter isCode: whether a block is open before the first line.
    package init(isCode: Bool) { self.isCode = isCode }

    /// The kind of the rest of a line that is longer than a section.
    package var kindOfRest: LineKind { isCode ? .code : .prose }

    /// Takes the next line.
    package mutating func next(_ line: String) -> LineKind {
        var line = line
        return line.withUTF8 { next($0[...]) }
    }

    mutating func next(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> LineKind {
        guard Fences.isFence(line) else { return kindOfRest }
        isCode.toggle()
        return .fence
    }

    /// The place after the backquotes of a fence.
    static func end(of fence: UnsafeBufferPointer<UInt8>) -> Int {
        (fence.firstIndex(of: UInt8(ascii: "`")) ?? 0) + 3
    }

    /// A line that opens or closes a block of code: it begins with three backquotes, and has no more after them.
    private static func isFence(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return text.starts(with: "```".utf8) && !text.dropFirst(3).contains(UInt8(ascii: "`"))
    }
}
