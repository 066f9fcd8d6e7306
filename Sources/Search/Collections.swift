extension RandomAccessCollection {
    /// Finds the first element that satisfies a condition, in a number of steps that grows with the logarithm of the count:
    /// `places.partitioningIndex { $0 >= place }`.
    /// - Parameter isFound: every element after one that satisfies the condition must satisfy it too.
    /// - Returns: the index of the element; `endIndex` if there is none.
    @inlinable
    package func partitioningIndex(where isFound: (Element) -> Bool) -> Index {
        var first = startIndex
        var rest = count
        while rest > 0 {
            let half = rest / 2
            let middle = index(first, offsetBy: half)
            if isFound(self[middle]) {
                rest = half
            } else {
                first = index(after: middle)
                rest -= half + 1
            }
        }
        return first
    }
}

extension RandomAccessCollection where Index == Int {
    /// Splits the collection into parts of `count` elements, the last of which may be shorter.
    package func chunks(ofCount count: Int) -> [SubSequence] {
        stride(from: startIndex, to: endIndex, by: count).map { self[$0..<Swift.min($0 + count, endIndex)] }
    }
}
