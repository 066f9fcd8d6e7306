import DequeModule

/// Changes of the window's items: the anchored row stays, and everything else moves around it.
extension Timeline {
    /// Changes the items of the window: edits, removals, arrivals. `new` may hold any items in any order.
    package mutating func apply(_ new: [Item], start: Int?, total: Int?) throws(DuplicateID) {
        try change(keeping: survivors(in: new, else: nil), start: start, total: total, followsWhenFull: true) {
            (list) throws(DuplicateID) in try list.apply(new)
        }
    }

    /// Replaces the window by what the store now reads, after any message may have changed or gone: it may begin and
    /// end elsewhere than before. Forgets the loads of the old window.
    /// - Parameter substitute: takes the place of the anchored item when no item of the old window is in the new one.
    package mutating func apply(
        _ new: [Item], older: Pager<Cursor>.Edge, newer: Pager<Cursor>.Edge, start: Int?, total: Int?,
        substitute: Item.ID?
    ) throws(DuplicateID) {
        let survivors = survivors(in: new, else: substitute)
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

    /// Replaces the item with this ID. Does nothing when the window does not hold it.
    package mutating func update(_ item: Item) {
        let more = list.index(of: item.id).map { item.span - list[$0].span } ?? 0
        let least = (windowStart ?? 0) + span + more
        change(keeping: here, start: windowStart, total: totalCount.map { max($0, least) }) { $0.update(item) }
    }

    /// Appends new items to a window that ends with the conversation. The store may have counted them already.
    /// - Parameters:
    ///   - keepsSelection: whether a selected last item stays selected while the screen follows: the user is about to do
    ///     something with it.
    ///   - followsWhenFull: whether a list that fitted on the screen is followed as soon as these items fill it.
    package mutating func append(
        _ items: [Item], keepsSelection: Bool = false, followsWhenFull: Bool = true
    ) throws(DuplicateID) {
        let least = (windowStart ?? 0) + span + items.reduce(0) { $0 + $1.span }
        try change(
            keeping: here, start: windowStart, total: totalCount.map { max($0, least) }, keepsSelection: keepsSelection,
            followsWhenFull: followsWhenFull
        ) {
            (list) throws(DuplicateID) in try list.append(items)
        }
    }

    /// - Parameters:
    ///   - survivors: the anchor with its current row, and the selection, as they will be after the change.
    ///   - keepsSelection, followsWhenFull: as for `append`. When the window is read again, the end is not followed: the
    ///     items at it are not new.
    private mutating func change<Failure: Error>(
        keeping survivors: Survivors, start: Int?, total: Int?, keepsSelection: Bool = false,
        followsWhenFull: Bool = false,
        _ change: (inout ItemList<Item>) throws(Failure) -> Void
    ) throws(Failure) {
        let selected = selectedIndex
        let selectedLast = selected == count - 1
        let last = list.last?.id
        let wasWhole = isWhole(height: viewport.height + cover)
        try change(&list)
        (windowStart, totalCount) = (start, total)
        followChanges()
        if list.last?.id != last {
            uncovered.resumesFollowing = false
            if followsWhenFull, wasWhole, last != nil, !isWhole, !hasNewer { setFollowing(true) }
        }
        anchor = survivors.anchor
        if viewport.isFollowing, selectedLast, !keepsSelection {
            selection = list.last?.id
        } else if selectedIndex == nil {
            let index = list.isEmpty ? nil : min(selected ?? count - 1, count - 1)
            selection = survivors.selection ?? index.map { list[$0].id }
        }
        if anchor == nil {
            place(aligned: .middle)
        } else if viewport.isFollowing || isWhole {
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

    /// The survivors when nothing is removed.
    private var here: Survivors { (anchor, anchoredRow, selection) }

    /// The anchor and the selection as they will be among `new`. When the anchored item goes, its successor or its nearest
    /// survivor takes its row.
    /// - Parameter substitute: takes the row when there is no survivor.
    private func survivors(in new: [Item], else substitute: Item.ID?) -> Survivors {
        let ids = Set(new.map(\.id))
        func replacement(of index: Int) -> Item.ID? {
            if ids.contains(list[index].id) { return list[index].id }
            return new.first { $0.succeeds(list[index]) }?.id
                ?? nearest(to: index, where: ids.contains).map { list[$0].id }
        }
        let selected = selectedIndex.flatMap(replacement)
        guard let anchor, let index = list.index(of: anchor.id), !ids.contains(anchor.id) else {
            return (anchor, anchoredRow, selected)
        }
        let other = substitute.flatMap { ids.contains($0) ? $0 : nil }
        guard let survivor = replacement(of: index) ?? other else { return (nil, nil, nil) }
        let successor = Anchor(id: survivor, place: 0, screenRow: anchor.screenRow)
        return (successor, anchoredRow, selected ?? survivor)
    }

    private func nearest(to index: Int, where isWanted: (Item.ID) -> Bool) -> Int? {
        indices(outwardsFrom: index).first { isWanted(list[$0].id) }
    }

    /// All indices, the nearest to `index` first; of two at the same distance, the later one.
    private func indices(outwardsFrom index: Int) -> some Sequence<Int> {
        (0..<max(count, 1)).lazy.flatMap { distance in
            distance == 0 ? [index] : [index + distance, index - distance]
        }.filter { [count] in (0..<count).contains($0) }
    }

    /// The number of items that fill a screen and the zones beside it, so that nothing has to be loaded at once.
    package var roomyCount: Int { pager.prefetch.minimumCap(height: viewport.height) }

    /// The IDs of all items, in the order in which they would replace the anchored item if it went.
    package var successors: [Item.ID] { anchor.map { successors(of: $0.id) } ?? [] }

    /// The IDs of all items, in the order in which they would replace one item if it went; that item comes first.
    /// - Parameter limit: the largest number of IDs; nil for all.
    package func successors(of id: Item.ID, limit: Int? = nil) -> [Item.ID] {
        list.index(of: id).map { indices(outwardsFrom: $0).prefix(limit ?? count).map { list[$0].id } } ?? []
    }
}
