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
