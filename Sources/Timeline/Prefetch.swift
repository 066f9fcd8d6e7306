/// How much is fetched, and how early.
package struct Prefetch: Hashable, Sendable {
    /// Messages of a page; a high screen asks for two screens of them.
    package let pageSize: Int
    /// A load starts when fewer rows than these, or than so many screens, are left between the viewport and the edge.
    package let rows: Int
    package let screens: Int

    package init(pageSize: Int, rows: Int, screens: Int) {
        self.pageSize = max(1, pageSize)
        self.rows = rows
        self.screens = screens
    }

    package static let standard = Prefetch(pageSize: 50, rows: 10, screens: 3)

    /// Messages to ask for: at least two screens of them, of which the first page needs one on either side of its
    /// target, and any later one both to keep ahead of a key that is held down.
    package func limit(height: Int) -> Int { max(pageSize, 2 * height) }

    /// Rows that are to be there beside the viewport.
    package func threshold(height: Int) -> Int { max(rows, screens * height) }

    /// Messages that a window must be able to hold, so that what is evicted at one end does not belong to the zone that
    /// is loaded there: both zones, the screen and the page that came last, each message a row at least.
    package func minimumCap(height: Int) -> Int { 2 * threshold(height: height) + 4 * height }
}
