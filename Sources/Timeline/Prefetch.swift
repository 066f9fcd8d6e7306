/// How much to fetch, and how early.
package struct Prefetch: Hashable, Sendable {
    /// The number of messages in a page; for a tall screen, it is two screens of messages instead.
    package let pageSize: Int
    /// A load starts when fewer rows than this, or fewer screens than `screens`, are left between the viewport and the
    /// edge.
    package let rows: Int
    package let screens: Int

    package init(pageSize: Int, rows: Int, screens: Int) {
        self.pageSize = max(1, pageSize)
        self.rows = rows
        self.screens = screens
    }

    package static let standard = Prefetch(pageSize: 50, rows: 10, screens: 3)

    /// The number of messages to request: at least two screens of them. The first page needs one screen on either side
    /// of its target; later pages need both to keep ahead of a key that is held down.
    package func limit(height: Int) -> Int { max(pageSize, 2 * height) }

    /// The number of rows to have loaded on either side of the viewport.
    package func threshold(height: Int) -> Int { max(rows, screens * height) }

    /// The smallest window in which messages evicted at one end lie outside the zone that would load them again: both
    /// zones, the screen, and the page that came last, with one row for each message.
    package func minimumCap(height: Int) -> Int { 2 * threshold(height: height) + 4 * height }
}
