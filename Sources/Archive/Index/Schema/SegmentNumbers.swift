/// Assigns numbers to segments so that they rise in the order of the log and leave gaps for segments that are added
/// later.
enum SegmentNumbers {
    /// The preferred distance between the numbers of successive segments.
    private static let distance: Int64 = 4

    /// - Parameter known: the numbers of the segments in the order of the log; nil for new segments.
    /// - Returns: the numbers of all segments; nil if there is no room for the new ones.
    static func all(for known: [Int64?]) -> [Int64]? {
        var numbers: [Int64] = []
        while numbers.count < known.count {
            if let number = known[numbers.count] {
                numbers.append(number)
                continue
            }
            let new = known[numbers.count...].prefix { $0 == nil }.count
            let next = known[numbers.count...].compactMap(\.self).first
            guard let some = some(new, after: numbers.last, before: next) else { return nil }
            numbers += some
        }
        return numbers
    }

    private static func some(_ count: Int, after last: Int64?, before next: Int64?) -> [Int64]? {
        let count = Int64(count)
        guard last != nil || next != nil else { return initial(count) }
        let (lower, upper) = (last ?? -1, next ?? RecordRow.mostSegments)
        let distance = min((upper - lower) / (count + 1), SegmentNumbers.distance)
        guard distance > 0 else { return nil }
        let first =
            switch (last, next) {
            case (let last?, let next?): last + (next - last - distance * (count - 1)) / 2
            case (nil, let next?): next - distance * count
            default: lower + distance
            }
        return (0..<count).map { first + $0 * distance }
    }

    /// The numbers of a log whose segments are all new. Half of all numbers stay free, if possible, for older and newer
    /// segments that are added later.
    private static func initial(_ count: Int64) -> [Int64]? {
        let all = RecordRow.mostSegments
        guard count <= all else { return nil }
        let distance = min(max(1, all / (2 * count)), SegmentNumbers.distance)
        let taken = distance * count
        let first = taken <= all / 4 ? all / 2 : (all - taken) / 2
        return (0..<count).map { first + $0 * distance }
    }
}
