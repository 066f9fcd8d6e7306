/// Gives numbers to segments that rise in the order of the log, also when others are to come before, between and after them.
enum SegmentNumbers {
    /// Between two that follow each other, at best: room for segments that turn up between them.
    private static let distance: Int64 = 4

    /// - Parameter known: the segments of a log in their order; nil for those that have no number yet.
    /// - Returns: the numbers of all; nil when there is no room for the new ones.
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

    /// The numbers of a log of which no segment has one yet. Older segments turn up as well as newer ones: half of all numbers
    /// are left for those, as long as there are so many.
    private static func initial(_ count: Int64) -> [Int64]? {
        let all = RecordRow.mostSegments
        guard count <= all else { return nil }
        let distance = min(max(1, all / (2 * count)), SegmentNumbers.distance)
        let taken = distance * count
        let first = taken <= all / 4 ? all / 2 : (all - taken) / 2
        return (0..<count).map { first + $0 * distance }
    }
}
