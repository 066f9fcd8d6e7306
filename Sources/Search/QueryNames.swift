/// Several names of which any will do, compared all at once: the time is that of a name, and only a little more for many.
package struct QueryNames: Sendable {
    package let names: [QueryName]
    private let words: PhraseMatcher
    /// By what the whole name has to be: which names it is.
    private let wholes: [[UInt8]: [Int]]
    /// Those that a name only has to begin with.
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

    /// Whether one of them is this very ID.
    package func areID(_ id: some Sequence<UInt8>) -> Bool { ids.contains(Array(id)) }

    /// Whether the words of one of them stand in a name one behind the other.
    package func arePart(of name: UnsafeBufferPointer<UInt8>) -> Bool { words.matchesAny(name) }

    package func arePart(of name: String) -> Bool {
        var name = name
        return name.withUTF8 { arePart(of: $0) }
    }

    /// Which of them are all of a name, or its beginning.
    package func whole(_ name: String) -> [Int] {
        let name = QueryName.folded(name)
        return (wholes[name] ?? []) + beginnings.filter { name.starts(with: names[$0].whole) }
    }
}
