import Foundation
import TestSupport
import Testing

/// What leads elsewhere, and back.
extension Walk {
    /// Words that are looked for. Nobody writes them, and they stand in no thread.
    var words: [String] { ["rotterdam", "biscuits", "invoice", "draughts", "landlord"] }

    var stop: Stop { Stop(look: look, anchor: anchor.left(on: look), isFollowing: isFollowing) }

    /// Presses a key that leads elsewhere, and waits until one is there. A jump whose page does not load is tried again.
    /// - Parameter landing: nil, or why a screen is not the one that the key leads to.
    private func jump(_ name: String, _ key: String, follows: Bool = false, _ landing: (Look) -> String?) throws {
        try begin(name)
        try calmDown()
        try press([key])
        let isAnswered = { (shot: Shot) in
            self.isTaken(shot) || shot.status.hasPrefix(" general/") || shot.status.contains("is a reply")
        }
        take(try see(name, isPatient: true, when: isAnswered, landing))
        isFollowing = follows
        count("jumps")
    }

    /// A jump that can be come back from.
    private func leap(_ name: String, _ key: String, follows: Bool = false, _ landing: (Look) -> String?) throws {
        // What comes by itself before the key belongs to the place that is left.
        try watch()
        let start = stop
        try jump(name, key, follows: follows, landing)
        note(start)
    }

    private func note(_ start: Stop) {
        forward = []
        if start.anchor == anchor, start.look.selected == look.selected { back = [] } else { back.append(start) }
    }

    func goToEnds() throws {
        if Bool.random(using: &random) {
            return try leap("Home", "Home") { look in
                look.selected == 0 && look.isAtBeginning ? nil : "not at the beginning"
            }
        }
        let last = conversation.count - 1
        try leap("End", "End", follows: true) { look in
            look.selected == last && look.isAtBottom ? nil : "not at the end, which is message \(last)"
        }
    }

    // MARK: - Replies

    func openQuoted() throws {
        let replies = look.messages.map(\.index).filter { hasQuote($0) && ($0 == look.selected || look.isWhole($0)) }
        guard let reply = replies.randomElement(using: &random) else { return try scroll("PageUp") }
        if reply != look.selected {
            try click(reply)
            guard look.selected == reply else { return }
        }
        guard let form = look.messages.first(where: { $0.index == reply })?.form,
            let quoted = conversation.quoted(by: reply, form: form)
        else { return }
        // The cursor may be on the row of an edge, which Enter then means.
        if look.spots.indices.contains(where: { look.shot.edge(at: $0) != nil && look.shot.marks[$0] }) { return }
        guard let target = conversation.shownPlace(of: quoted) else {
            return try stay("Enter on a reply to nothing", "Enter")
        }
        let isInTimeline = conversation.isInTimeline(quoted)
        try leap("Enter on the reply \(reply) to \(target)", "Enter") { look in
            guard isInTimeline else { return Walk.complaint(aboutMiddle: target, look) }
            let complaint = Walk.complaint(about: target, from: self.look, to: look)
            return look.selected == target ? self.unlessFollowed(complaint) : complaint
        }
    }

    /// A message that one jumps to stays where it is when it is on the screen whole, and else stands in the middle. It may
    /// do either when a page has brought it to where the row of an edge was: it may have been there before the key.
    static func complaint(about target: Int, from old: Look, to look: Look) -> String? {
        guard old.isWhole(target) || look.hasCome(target, since: old) else {
            return complaint(aboutMiddle: target, look)
        }
        let move = ScreenMove(from: old, to: look)
        let wrong: String? =
            look.selected != target ? "not on \(target)" : move.rows == 0 ? move.complaint : "moved"
        return old.isWhole(target) || wrong == nil ? wrong : complaint(aboutMiddle: target, look)
    }

    /// A message that one jumps to stands in the middle, unless an end of the conversation is too near for that.
    private static func complaint(aboutMiddle target: Int, _ look: Look) -> String? {
        guard look.selected == target, let extent = look.extent(of: target) else { return "not on \(target)" }
        let top = extent.count >= look.height ? 0 : (look.height - extent.count) / 2
        if extent.lowerBound == top { return nil }
        let isNearEnd = extent.lowerBound < top ? look.isAtBeginning : look.isAtBottom
        return isNearEnd ? nil : "message \(target) begins on row \(extent.lowerBound), not on \(top)"
    }

    /// A key that leads nowhere.
    private func stay(_ name: String, _ key: String) throws {
        try begin(name)
        try press([key])
        keep(
            try see("as it was", when: isTaken) { look in
                ScreenMove(from: self.look, to: look).complaint(following: self.isFollowing)
            })
    }

    private func click(_ index: Int) throws {
        try begin("a click on \(index)")
        guard let row = look.messages.first(where: { $0.index == index })?.top else { return }
        // Each in another column: two clicks on one cell are a double click, however many keys come in between.
        let cell = "\(look.shot.left + 3 + clicks % 16);\(row + 3)"
        clicks += 1
        try tmux.send("\u{1B}[<0;\(cell)M\u{1B}[<0;\(cell)m")
        try press([])
        take(
            try see("selected", when: isTaken) { look in
                let move = ScreenMove(from: self.look, to: look)
                if look.selected != index {
                    // What came in at the end before the click was taken has brought another message under it.
                    let isUnder = look.extent(of: look.selected)?.contains(row) == true && (move.rows ?? 0) > 0
                    return self.isFollowing && isUnder ? nil : "the cursor is on \(look.selected), not on \(index)"
                }
                return self.unlessFollowed(move.rows == 0 ? move.complaint : "moved")
            })
    }

    // MARK: - The way back

    func walkHistory() throws {
        let goesBack = forward.isEmpty || Bool.random(using: &random)
        guard let place = goesBack ? back.last : forward.last else { return try goToEnds() }
        // A jump to the place where the cursor is leads nowhere: the keys after it have no certain result.
        guard place.anchor != anchor || place.look.selected != look.selected else {
            (back, forward) = ([], [])
            return
        }
        let start = stop
        try jump(
            goesBack ? "^O" : "Tab", goesBack ? "C-o" : "Tab", follows: place.isFollowing,
            { self.complaint(about: place, $0) })
        anchor = place.anchor
        if goesBack { back.removeLast() } else { forward.removeLast() }
        if goesBack { forward.append(start) } else { back.append(start) }
        count("returns")
    }

    /// Nil when this is the screen that was left, as far as the size lets it be.
    func complaint(about stop: Stop, _ look: Look) -> String? {
        if stop.isFollowing, look.isAtBottom { return nil }
        if stop.look.shot.columns == look.shot.columns, stop.look.height == look.height {
            return ScreenMove(from: stop.look, to: look).complaintAboutReturn(to: stop.anchor)
        }
        guard look.selected == stop.look.selected else { return "the cursor is on \(look.selected)" }
        return stop.anchor.complaint(about: look)
    }

    // MARK: - Searching

    /// Looks for a word, goes from hit to hit and ends the search. The way back leads to where it began.
    func search() throws {
        guard columns >= 60, let word = words.randomElement(using: &random) else { return try goToEnds() }
        let hits = try #require(conversation.hits(word))
        try begin("/\(word)*")
        let start = stop
        try tmux.press("/")
        // With a star Enter does not end the word, and the hits stay what they are.
        try tmux.type(letters: word + "*")
        try tmux.press("Enter")
        var current = hits.firstIndex { $0 >= start.look.selected } ?? hits.count - 1
        guard try land(on: current, of: hits, isTyped: true) else { return try leaveSearch() }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let isNext = Bool.random(using: &random)
            current = (current + (isNext ? 1 : hits.count - 1)) % hits.count
            try begin(isNext ? "n" : "N")
            try tmux.press(isNext ? "n" : "N")
            guard try land(on: current, of: hits) else { break }
        }
        try leaveSearch()
        note(start)
    }

    /// Waits until one is at a hit. What does not load is tried again; a search that fails is not.
    /// - Parameter isTyped: whether what was typed before the last letter may have led elsewhere first.
    /// - Returns: whether the search did not fail.
    private func land(on hit: Int, of hits: [Int], isTyped: Bool = false) throws -> Bool {
        let old = look
        var hasFailed = false
        let standing = "hit \(hit + 1) of \(hits.count)"
        let look = try see("at \(standing)", isPatient: true, when: { _ in true }) { look in
            hasFailed = look.shot.status.contains("search failed")
            if hasFailed { return nil }
            guard look.shot.status.contains(standing) else { return "not at \(standing)" }
            if isTyped, look.selected == hits[hit], look.isWhole(hits[hit]) { return nil }
            return Walk.complaint(about: hits[hit], from: old, to: look)
        }
        let former = anchor
        take(look)
        // Where nothing has moved, the anchor may be that of another size.
        if hasFailed { anchor.others = [former, former.left(on: old)] }
        isFollowing = hasFailed && isFollowing
        count(hasFailed ? "searches that failed" : "hits")
        return !hasFailed
    }

    private func leaveSearch() throws {
        try begin("Esc")
        // Alone: with a key right after it, it would be another key.
        try tmux.press("Escape")
        (back, forward) = ([], [])
        keep(
            try see("without highlights", when: { $0.status.hasPrefix(" general/") }) { look in
                ScreenMove(from: self.look, to: look).complaint(following: self.isFollowing)
            })
    }
}
