import Messages
import Search
import Timeline

extension Timeline<MessageRuler> {
    /// Folds or unfolds a message of the window; the anchored row stays where it is.
    mutating func setFold(_ isFolded: Bool?, of id: MessageID) {
        guard let index = list.index(of: id) else { return }
        var entry = list[index]
        entry.fold = isFolded
        update(entry)
    }

    /// Brings a hit in the selected message onto the screen when none is there: out of what is folded, and out of what a
    /// screen shows of a message that is taller.
    /// - Returns: whether it was unfolded for that.
    mutating func revealHit(of query: ResolvedQuery) -> Bool {
        guard let index = selectedIndex else { return false }
        let entry = list[index]
        // A message that is on the screen whole hides no hit.
        let shown = measure(of: index)
        let folded = shown.foldedFrom
        guard folded != nil || layout.height(of: index) > viewport.height else { return false }
        // Of a text of any length only the part on the screen is looked through.
        let visible = (0..<shown.height).clamped(
            to: max(0, -screenRow(of: index))..<max(0, viewport.height - screenRow(of: index)))
        let near = entry.hitPlaces(query, in: shown.text(within: visible))
        if near.contains(where: { isOnScreen($0, of: index) }) { return false }
        guard let first = entry.firstHit(of: query) else { return false }
        let isHidden = folded.map { first >= $0 } ?? false
        if isHidden { setFold(false, of: entry.id) }
        if !isOnScreen(first, of: index) {
            let anchor = Anchor(id: entry.id, place: first, screenRow: viewport.height / 2)
            restore(anchor, selection: entry.id, following: false)
        }
        return isHidden
    }

    /// Whether the screen shows a place of the message's text.
    private func isOnScreen(_ place: Int, of index: Int) -> Bool {
        let rows = measure(of: index)
        if let folded = rows.foldedFrom, place >= folded { return false }
        return viewport.rows.contains(layout.top(of: index) + rows.row(ofPlace: place))
    }
}
