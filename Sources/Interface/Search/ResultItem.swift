import Display
import Messages
import Timeline

/// A hit as an item of the list. The first hit of a conversation carries its title.
struct ResultItem: TimelineItem {
    let hit: Hit
    let heading: CleanText?
    /// Whether a blank row stands above the title.
    let hasBlank: Bool

    var id: Link { hit.id }
    var cursor: Link { hit.id }

    init(_ hit: Hit, heading: (title: String, count: Int)?, isFirst: Bool) {
        self.hit = hit
        self.heading = heading.map { CleanText("\($0.title)  \($0.count.grouped)") }
        hasBlank = heading != nil && !isFirst
    }

    /// The rows above the hit.
    var rowsAbove: Int { (heading == nil ? 0 : 1) + (hasBlank ? 1 : 0) }
}
