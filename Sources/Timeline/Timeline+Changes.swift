import DequeModule

/// Changes of what the window holds: the anchored row stays, and everything else moves around it.
extension Timeline {
    /// The same window with other content: edits, removals, arrivals. `new` may hold any items in any order.
    package mutating func apply(_ new: [Item], start: Int?, total: Int?) throws(DuplicateID) {
        try change(keeping: survivors(in: new, else: nil), start: start, total: total) { (list) throws(DuplicateID) in
            try list.apply(new)
        }
    }

    /// The window as the store reads it now, when any message may be another one or gone: it may begin and end elsewhere
    /// than before. Loads of the old one are forgotten.
    /// - Parameter substitute: takes the place of the anchored item when no item of the old window is in the new one.
    package mutating func apply(
        _ new: [Item], older: Pager<Cursor>.Edge, newer: Pager<Cursor>.Edge, start: Int?, total: Int?,
        substitute: Item.ID?
    ) throws(DuplicateID) {
        let survivors = survivors(in: new, else: substitute)
        // Tells by the old edges whether the list lies at the bottom.
        noteFilling()
        let former = pager
        pager.replace(older: older, newer: newer)
        do throws(DuplicateID) {
            try change(keeping: survivors, start: start, total: total) { (list) throws(DuplicateID) in
                try list.apply(new)
            }
        } catch {
            pager = former
            throw error
        }
        selectedEdge = nil
        hasArrivalsBeyond = false
    }

    /// The item of this ID with other content. Nothing happens when the window does not hold it.
    package mutating func update(_ item: Item) {
        change(keeping: here, start: windowStart, total: totalCount) { $0.update(item) }
    }

    /// New items behind the last one, in a window that ends with the conversation. The store may have counted them before.
    package mutating func append(_ items: [Item]) throws(DuplicateID) {
        let least = (windowStart ?? 0) + count + items.count
        try change(keeping: here, start: windowStart, total: totalCount.map { max($0, least) }) {
            (list) throws(DuplicateID) in try list.append(items)
        }
    }

    /// - Parameter survivors: the anchor, with the row that it holds now, and the selection as they will be.
    private mutating func change<Failure: Error>(
        keeping survivors: Survivors, start: Int?, total: Int?,
        _ change: (inout ItemList<Item>) throws(Failure) -> Void
    ) throws(Failure) {
        let selected = selectedIndex
        let selectedLast = selected == count - 1
        let last = list.last?.id
        let lead = anchoredLead
        noteFilling()
        try change(&list)
        if list.last?.id != last { uncovered.resumesFollowing = false }
        (windowStart, totalCount) = (start, total)
        followChanges()
        var survivors = survivors
        if let lead, lead.id == survivors.anchor?.id { keepContent(of: &survivors, after: lead.rows) }
        anchor = survivors.anchor
        if viewport.isFollowing, selectedLast {
            selection = list.last?.id
        } else if selectedIndex == nil {
            let index = list.isEmpty ? nil : min(selected ?? count - 1, count - 1)
            selection = survivors.selection ?? index.map { list[$0].id }
        }
        if anchor == nil {
            place(aligned: .middle)
        } else if viewport.isFollowing {
            follow()
        } else {
            pin(at: survivors.row)
            keepAnchor()
        }
        evict()
        _checkInvariants()
    }
}

extension Timeline {
    typealias Survivors = (anchor: Anchor<Item.ID>?, row: Row?, selection: Item.ID?)

    /// Rows from the anchored one to the content of its item, where it stands above that, as the line of a day does.
    private var anchoredLead: (id: Item.ID, rows: Int)? {
        guard let anchor, let index = list.index(of: anchor.id) else { return nil }
        let rows = measures[index].row(ofPlace: 0) - measures[index].row(ofPlace: anchor.place)
        return rows > 0 ? (anchor.id, rows) : nil
    }

    /// The content of an item keeps its row when the anchored row above it goes.
    private func keepContent(of survivors: inout Survivors, after lead: Int) {
        guard let gone = survivors.anchor, let index = list.index(of: gone.id) else { return }
        let measure = measures[index]
        if measure.place(ofRow: measure.row(ofPlace: gone.place)) == gone.place { return }
        var anchor = Anchor(id: gone.id, place: 0, screenRow: gone.screenRow + lead)
        (anchor.blankAbove, anchor.blankBelow) = (gone.blankAbove, gone.blankBelow)
        (survivors.anchor, survivors.row) = (anchor, survivors.row.map { $0 + lead })
    }

    /// When nothing goes.
    private var here: Survivors { (anchor, anchoredRow, selection) }

    /// The anchor and the selection as they will be among `new`. When the anchored item goes, its nearest survivor takes
    /// its row.
    /// - Parameter substitute: takes it when there is none.
    private func survivors(in new: [Item], else substitute: Item.ID?) -> Survivors {
        let ids = Set(new.map(\.id))
        let selected = selectedIndex.flatMap { nearest(to: $0, where: ids.contains) }.map { list[$0].id }
        guard let anchor, let index = list.index(of: anchor.id), !ids.contains(anchor.id) else {
            return (anchor, anchoredRow, selected)
        }
        let other = substitute.flatMap { ids.contains($0) ? $0 : nil }
        guard let survivor = nearest(to: index, where: ids.contains).map({ list[$0].id }) ?? other else {
            return (nil, nil, nil)
        }
        // Its content takes the row of the content: what stands above one need not stand above the other.
        let rows = measures[index].row(ofPlace: 0) - measures[index].row(ofPlace: anchor.place)
        let offset = max(0, rows)
        let successor = Anchor(id: survivor, place: 0, screenRow: anchor.screenRow + offset)
        return (successor, anchoredRow.map { $0 + offset }, selected ?? survivor)
    }

    private func nearest(to index: Int, where isWanted: (Item.ID) -> Bool) -> Int? {
        indices(outwardsFrom: index).first { isWanted(list[$0].id) }
    }

    /// All indices, those near to one first: of two at the same distance the later one.
    private func indices(outwardsFrom index: Int) -> some Sequence<Int> {
        (0..<max(count, 1)).lazy.flatMap { distance in
            distance == 0 ? [index] : [index + distance, index - distance]
        }.filter { [count] in (0..<count).contains($0) }
    }

    /// Items that a screen and the zones beside it have room for, so that nothing has to be loaded at once.
    package var roomyCount: Int { pager.prefetch.minimumCap(height: viewport.height) }

    /// The IDs of all items in the order in which they take the place of the anchored item when it goes.
    package var successors: [Item.ID] { anchor.map { successors(of: $0.id) } ?? [] }

    /// The IDs of all items in the order in which they take the place of one when it goes, itself the first.
    /// - Parameter limit: of the IDs; nil for all.
    package func successors(of id: Item.ID, limit: Int? = nil) -> [Item.ID] {
        list.index(of: id).map { indices(outwardsFrom: $0).prefix(limit ?? count).map { list[$0].id } } ?? []
    }
}
