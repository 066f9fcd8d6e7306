internal import Messages

/// Where the log ended when somebody looked.
struct LogEnd: Equatable {
    let place: LinePlace
    /// Of the last file; 0 when there was none.
    private let inode: UInt64

    init(of segments: [Segment]) { self.init(at: .end(of: segments), of: segments) }

    /// Where somebody has come to in these files.
    init(at place: LinePlace, of segments: [Segment]) {
        self.place = place
        inode = segments.indices.contains(place.segment) ? segments[place.segment].stamp.inode : 0
    }

    /// - Throws: `unavailable` for a cursor that no page of this store has.
    init(_ cursor: Cursor) throws(StoreError) {
        let (place, id) = try LinePlace.parse(cursor)
        self.place = place
        inode = UInt64(id.rawValue) ?? 0
    }

    var cursor: Cursor { place.cursor(of: "\(inode)") }

    /// Whether it is a place in these files, which may have grown.
    func isWithin(_ segments: [Segment]) -> Bool {
        if inode == 0 { return true }
        guard segments.indices.contains(place.segment) else { return false }
        let stamp = segments[place.segment].stamp
        return stamp.inode == inode && stamp.size >= place.offset
    }

    /// Whether it was a place in one of these files, which is shorter now.
    func isCutOff(in segments: [Segment]) -> Bool {
        segments.contains { $0.stamp.inode == inode && $0.stamp.size < place.offset }
    }
}
