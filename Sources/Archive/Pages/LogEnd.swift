internal import Messages

/// The end of a log at one moment.
struct LogEnd: Equatable {
    let place: LinePlace
    /// The inode of the last file; 0 if there was none.
    private let inode: UInt64

    init(of segments: [Segment]) { self.init(at: .end(of: segments), of: segments) }

    /// - Parameter place: how far these files have been read.
    init(at place: LinePlace, of segments: [Segment]) {
        self.place = place
        inode = segments.indices.contains(place.segment) ? segments[place.segment].stamp.inode : 0
    }

    /// - Throws: `unavailable` for a cursor that this store did not make.
    init(_ cursor: Cursor) throws(StoreError) {
        let (place, id) = try LinePlace.parse(cursor)
        self.place = place
        inode = UInt64(id.rawValue) ?? 0
    }

    var cursor: Cursor { place.cursor(of: "\(inode)") }

    /// Whether these files, which may have grown, still contain the place.
    func isWithin(_ segments: [Segment]) -> Bool {
        if inode == 0 { return true }
        guard segments.indices.contains(place.segment) else { return false }
        let stamp = segments[place.segment].stamp
        return stamp.inode == inode && stamp.size >= place.offset
    }

    /// The same end after a server's older segments have come before it.
    func moved(in segments: [Segment]) -> LogEnd {
        guard inode != 0, !isWithin(segments),
            let index = segments.firstIndex(where: { $0.stamp.inode == inode && $0.mirrorNumber != nil }),
            index > place.segment, segments[index].stamp.size >= place.offset
        else { return self }
        return LogEnd(at: LinePlace(segment: index, offset: place.offset), of: segments)
    }

    /// Whether one of these files contained the place but is shorter now.
    func isCutOff(in segments: [Segment]) -> Bool {
        segments.contains { $0.stamp.inode == inode && $0.stamp.size < place.offset }
    }
}
