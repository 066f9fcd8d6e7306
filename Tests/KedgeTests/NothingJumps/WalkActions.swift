import Foundation
import TestSupport
import Testing

/// What the user may do.
extension Walk {
    func act() throws {
        if let held, held.times > 0 {
            self.held?.times -= 1
            return try scroll(held.key)
        }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<14: try holdKey()
        case 14..<26: try rush()
        case 26..<38: try resize()
        case 38..<48: try write()
        case 48..<53: try goToEnds()
        case 53..<61: try openQuoted()
        case 61..<69: try walkHistory()
        case 69..<73: try search()
        case 73..<82: try cover()
        case 82..<85: try visitAnother()
        case 85..<90: try rewrite()
        default: try tendEdge()
        }
    }

    // MARK: - Moving

    private func holdKey() throws {
        let keys = ["PageUp", "PageDown", "C-u", "C-d", "C-e", "C-y", "Up", "Down", "j", "k", "b", "Space"]
        let key = keys.randomElement(using: &random) ?? "Up"
        held = (key, Int.random(in: 0...4, using: &random))
        try scroll(key)
    }

    /// Several screens at once: faster than any page can come.
    func rush() throws {
        let isDown = Bool.random(using: &random)
        let times = Int.random(in: 3...9, using: &random)
        let distance = times * max(1, look.height - 2) * (isDown ? 1 : -1)
        try begin("\(times) \(isDown ? "PageDown" : "PageUp")")
        try press(Array(repeating: isDown ? "PageDown" : "PageUp", count: times))
        let look = try see("scrolled", when: isTaken) { look in
            self.unlessFollowed(ScreenMove(from: self.look, to: look).complaint(scrolled: distance))
        }
        isFollowing =
            isDown ? isFollowing || look.isAtEnd : isFollowing && ScreenMove(from: self.look, to: look).rows == 0
        take(look)
        count("rushes")
        if look.shows(.older, .newer) { try tendEdge() }
    }

    func scroll(_ key: String) throws {
        try begin(key)
        try press([key])
        let screen = max(1, look.height - 2)
        let half = max(1, look.height / 2)
        let distances = [
            "PageUp": -screen, "b": -screen, "PageDown": screen, "Space": screen, "C-u": -half, "C-d": half, "C-y": -1,
            "C-e": 1,
        ]
        let isDown = distances[key].map { $0 > 0 } ?? ["Down", "j"].contains(key)
        let look = try see("scrolled", when: isTaken) { look in
            let move = ScreenMove(from: self.look, to: look)
            if let distance = distances[key] { return self.unlessFollowed(move.complaint(scrolled: distance)) }
            return self.unlessFollowed(move.complaint(steppedDown: isDown))
        }
        let hasMoved = ScreenMove(from: self.look, to: look).rows != 0
        if isDown {
            isFollowing = isFollowing || look.isAtEnd
        } else if hasMoved || distances[key] == nil {
            isFollowing = false
        }
        take(look)
        count("scrolls")
    }

    // MARK: - Resizing

    /// To another size, and half of the time back at once.
    private func resize() throws {
        let old = (look: look, columns: columns, rows: rows)
        let size =
            Walk.sizes.randomElement(using: &random).flatMap { Bool.random(using: &random) ? $0 : nil }
            ?? (columns: .random(in: 20...200, using: &random), rows: .random(in: 6...60, using: &random))
        try changeSize(columns: size.columns, rows: size.rows)
        // That an edge has kept the anchored row from its own is certain only where the way back leads to the former screen.
        let isHeld = !isFollowing && anchor.isHeldByEdge(on: look, since: old.look)
        guard Bool.random(using: &random) || isHeld else { return }
        let wasFollowing = isFollowing
        // An end has kept the anchored row from its own, and more messages have come there since.
        let wasKept = anchor.left(on: old.look) != anchor && !old.look.isAtBottom && !old.look.isAtBeginning
        try changeSize(columns: old.columns, rows: old.rows) { look in
            if wasKept { return nil }
            let move = ScreenMove(from: old.look, to: look)
            return move.complaintAboutReturn(to: self.anchor).flatMap {
                wasFollowing && look.isAtBottom ? nil : "not the former screen: " + $0
            }
        }
    }

    private func changeSize(columns: Int, rows: Int, _ judge: (Look) -> String? = { _ in nil }) throws {
        try begin("resize to \(columns)x\(rows)")
        try resize(columns: columns, rows: rows)
        look = try see("resized", when: isDrawnAnew) { look in
            if self.isFollowing, look.isAtBottom { return nil }
            return self.anchor.complaint(about: look, since: self.look) ?? judge(look)
        }
        noteFollowed()
        count("resizes")
    }

    /// What is followed has its anchor where it is now.
    private func noteFollowed() {
        guard isFollowing, var shown = Anchored(look) else { return }
        // A narrow screen does not tell whether there are more messages below, so that it is not followed.
        if look.shot.total == nil { shown.others = [anchor] }
        anchor = shown
    }

    // MARK: - Somebody else writes

    private func write() throws {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let indices = look.messages.map(\.index)
            let near = max(0, (indices.first ?? 0) - 30)...min(conversation.count - 1, (indices.last ?? 0) + 30)
            let target = Int.random(in: near, using: &random)
            guard look.shot.total != nil || indices.contains(target), !conversation.author(target).isEmpty,
                !words.contains(where: { conversation.isHit(target, $0) })
            else {
                continue
            }
            try begin("a line is written")
            if Int.random(in: 0..<6, using: &random) == 0 {
                try sendElsewhere()
            } else {
                note(try writer.write(target: conversation.id(target), author: conversation.author(target)))
                // Changes of a message that is not on the screen are not seen; the number of messages is, and comes after them.
                if !indices.contains(target) { try writer.writeMessage() }
            }
            try conversation.readOn()
            count("lines written")
            try seeWritten()
        }
    }

    /// What a line says is there soon, and nothing but what stands beyond the messages that it changes moves for it. Told of
    /// it later, what comes onto the screen meanwhile would change there with the next keys.
    func seeWritten() throws {
        // After a change of size, an edge may have kept the anchored row from where it belongs; a page has come since.
        let here = Anchored(look)
        look = try see("told of a line", isPatient: true, when: { _ in true }) { look in
            let old = look.messages.first { !conversation.isNewest($0.form, of: $0.index) }
            if let old { return "message \(old.index) is not what it is now" }
            if let total = look.shot.total, total != conversation.count { return "\(total) of \(conversation.count)" }
            if isFollowing, look.isAtBottom { return nil }
            if let here, here.complaint(about: look) == nil { return nil }
            return anchor.complaint(about: look)
        }
        noteFollowed()
    }

    // MARK: - Edges

    /// Waits for a page, or tries a failed one again.
    private func tendEdge() throws {
        let edges = look.spots.indices.filter { look.shot.edge(at: $0) != nil }
        if edges.contains(where: look.shot.isFailed) {
            guard !hasQuote(look.selected) else { return try scroll("Down") }
            try begin("Enter at a failed edge")
            try press(["Enter"])
            keep(
                try see("tried again", when: isTaken) { look in
                    ScreenMove(from: self.look, to: look).complaint(following: self.isFollowing)
                })
            return count("tries by Enter")
        }
        guard edges.contains(where: look.shot.isLoading) else { return try holdKey() }
        try begin("wait for a page")
        keep(
            try see("loaded", isPatient: true, when: { _ in true }) { look in
                if let complaint = ScreenMove(from: self.look, to: look).complaint(following: self.isFollowing) {
                    return complaint
                }
                return edges.contains { self.look.shot.isLoading($0) && look.shot.isLoading($0) }
                    ? "still loading" : nil
            })
    }

    func hasQuote(_ index: Int) -> Bool {
        look.messages.first { $0.index == index }.map { conversation.quoted(by: index, form: $0.form) != nil } ?? true
    }
}
