/// Several names of which any may match, compared all at once: the time is that of one name, and only a little more for
/// many.
package struct QueryNames: Sendable {
    package let names: [QueryName]
    private let words: PhraseMatcher
    /// The indices of names by the folded text that the whole name must equal.
    private let wholes: [[UInt8]: [Int]]
    /// The indices of those that only have to be the beginning of a name.
    private let beginnings: [Int]
    private let ids: Set<[UInt8]>

    package init(_ names: [QueryName]) {
        self.names = names
        var known: Set<Phrase> = []
        words = PhraseMatcher(names.compactMap(\.phrase).filter { known.insert($0).inserted })
        var wholes: [[UInt8]: [Int]] = [:]
        for (index, name) in names.enumerated() where !name.isPrefix { wholes[name.whole, default: []].append(index) }
        self.wholes = wholes
        beginnings = names.indices.filter { names[$0].isPrefix }
        ids = Set(names.flatMap(\.ids))
    }

    package var isEmpty: Bool { names.isEmpty }

    /// Whether any of them is this very ID.
    package func areID(_ id: some Sequence<UInt8>) -> Bool { ids.contains(Array(id)) }

    /// Whether the words of any of them are adjacent words of a name.
    package func arePart(of name: UnsafeBufferPointer<UInt8>) -> Bool { words.matchesAny(name) }

    package func arePart(of name: String) -> Bool {
        var name = name
        return name.withUTF8 { arePart(of: $0) }
    }

    /// The indices of those that equal a name, or are its beginning.
    package func whole(_ name: String) -> [Int] {
        let name = QueryName.folded(name)
        return (wholes[name] ?? []) + beginnings.filter { name.starts(with: names[$0].whole) }
    }
}
