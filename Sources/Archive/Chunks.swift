extension RandomAccessCollection where Index == Int {
    /// Splits the collection into parts of `count` elements, the last of which may be shorter.
    func chunks(ofCount count: Int) -> [SubSequence] {
        stride(from: startIndex, to: endIndex, by: count).map { self[$0..<Swift.min($0 + count, endIndex)] }
    }
}
