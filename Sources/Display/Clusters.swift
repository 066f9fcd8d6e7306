/// Characters that share cells on the screen: a scalar with columns of its own, and the marks after it. Text is only
/// cut and wrapped between clusters.
struct Cluster {
    let base: Unicode.Scalar
    /// 1 or 2.
    let columns: Int
    /// UTF-8 offsets in the text's string.
    let bytes: Range<Int>

    var hasMarks: Bool { bytes.count > UTF8.width(base) }
}

/// The clusters of a text, from its start.
struct Clusters: Sequence, IteratorProtocol {
    private var scalars: String.UnicodeScalarView.Iterator
    /// The scalar after the last cluster, and its width.
    private var ahead: (scalar: Unicode.Scalar, columns: Int)?
    private var offset = 0

    init(_ text: CleanText) {
        scalars = text.string.unicodeScalars.makeIterator()
        ahead = Self.measured(&scalars)
    }

    mutating func next() -> Cluster? {
        guard let (base, columns) = ahead else { return nil }
        let start = offset
        offset += UTF8.width(base)
        ahead = Self.measured(&scalars)
        while let (mark, width) = ahead, width == 0 {
            offset += UTF8.width(mark)
            ahead = Self.measured(&scalars)
        }
        return Cluster(base: base, columns: columns, bytes: start..<offset)
    }

    private static func measured(
        _ scalars: inout String.UnicodeScalarView.Iterator
    ) -> (scalar: Unicode.Scalar, columns: Int)? {
        scalars.next().map { ($0, Width.columns(of: $0)) }
    }
}
