import Display
import Messages
import Timeline

/// A hit as an item of a list. The first one of a conversation bears its title.
struct ResultItem: TimelineItem {
    let hit: Hit
    let heading: CleanText?
    /// A blank row stands above the titles but the first.
    let hasBlank: Bool

    var id: Link { hit.id }
    var cursor: Link { hit.id }

    init(_ hit: Hit, heading: (title: String, count: Int)?, isFirst: Bool) {
        self.hit = hit
        self.heading = heading.map { CleanText("\($0.title)  \($0.count.grouped)") }
        hasBlank = heading != nil && !isFirst
    }

    /// Rows above the hit itself.
    var rowsAbove: Int { (heading == nil ? 0 : 1) + (hasBlank ? 1 : 0) }
}
