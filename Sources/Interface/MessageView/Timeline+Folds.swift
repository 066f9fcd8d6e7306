import Messages
import Search
import Timeline

extension Timeline<MessageRuler> {
    /// Folds or unfolds a message of the window. The anchored row keeps its place.
    mutating func setFold(_ isFolded: Bool?, of id: MessageID) {
        guard let index = list.index(of: id) else { return }
        var entry = list[index]
        entry.fold = isFolded
        update(entry)
    }

    /// Brings a hit of the selected message onto the screen if none is there: the hit may be folded away, or the message may
    /// be taller than the screen.
    /// - Returns: whether the message was unfolded for this.
    mutating func revealHit(of query: ResolvedQuery) -> Bool {
        guard let index = selectedIndex else { return false }
        let entry = list[index]
        // A message that is visible as a whole hides no hit.
        let shown = measure(of: index)
        let folded = shown.foldedFrom
        guard folded != nil || layout.height(of: index) > viewport.height else { return false }
        // Of a long text only the part on the screen is searched.
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

    /// Whether a place of the message's text is on the screen.
    private func isOnScreen(_ place: Int, of index: Int) -> Bool {
        let rows = measure(of: index)
        if let folded = rows.foldedFrom, place >= folded { return false }
        return viewport.rows.contains(layout.top(of: index) + rows.row(ofPlace: place))
    }
}
