import Foundation
import TestSupport
import Testing

/// What lies over the conversation for a while, and what others do to its files. None of it moves a row.
extension Walk {
    // MARK: - Away for a while

    /// Opens a panel, a composer or a thread, and closes it again; somebody may write meanwhile.
    func cover() throws {
        let keys = ["C-k", "F1", "#", "@", "M", ":", "s", "w", "i", "r", "t"]
        let isAtEdge = look.spots.indices.contains { look.shot.edge(at: $0) != nil && look.shot.marks[$0] }
        let key = isAtEdge ? "i" : keys.randomElement(using: &random) ?? "i"
        try begin("\(key), and Escape")
        try calmDown()
        try tmux.press(key)
        try tmux.waitUntil("opened by \(key)") { lines in
            // A thread is on its way for a while: Escape would then lead to the same screen before its end. A low one has no
            // room for the line above its replies.
            key == "t"
                ? lines.contains { $0.contains(#/─ (no|[\d,]+) repl/#) } || lines.last?.contains("close thread") == true
                : !self.isTaken(Shot(lines, columns: self.columns, hasList: self.hasList))
        }
        let isWritten = Bool.random(using: &random)
        if isWritten {
            note("a line is written")
            try writer.writeMessage()
            try conversation.readOn()
        }
        // Alone: with a key right after it, it would be another key.
        try tmux.press("Escape")
        keep(
            try see("as it was", isPatient: true, when: { _ in true }) { look in
                ScreenMove(from: self.look, to: look).complaint(following: self.isFollowing)
            })
        if isWritten { try seeWritten() }
        // A thread may have places of its own in the history.
        if key == "t" { (back, forward) = ([], []) }
        count("covers")
    }

    /// Opens another conversation, and comes back; somebody may write meanwhile.
    func visitAnother() throws {
        try watch()
        let start = stop
        try begin("another conversation, and ^O")
        try calmDown()
        try tmux.press("C-k")
        try tmux.type(letters: "random")
        try tmux.waitUntil("found") { lines in lines.contains { $0.contains("Random") } }
        try tmux.press("Enter")
        try tmux.waitUntil("there") { $0.first?.hasPrefix(" Random") == true && $0[2...].contains { !$0.isEmpty } }
        if Bool.random(using: &random) {
            note("a line is written")
            try writer.writeMessage()
            try conversation.readOn()
        }
        try tmux.press("C-o")
        take(
            try see("back", isPatient: true, when: { _ in true }) { look in
                if let total = look.shot.total, total != self.conversation.count { return "\(total) messages" }
                return self.complaint(about: start, look)
            })
        anchor = start.anchor
        forward = []
        count("visits")
    }

    // MARK: - Other writers

    /// Another client sends a message.
    func sendElsewhere() throws {
        let sent = try Program.kedge("send", "general", "from another window", "--archive", archive.path)
        try #require(sent.status == 0, "\(sent.errors)")
        note("another client sends")
    }

    /// The log is written again, as it is or without a message that is far away; or older messages come before it.
    func rewrite() throws {
        let old = look
        try begin("the log is written again")
        if !hasOlderFile, Bool.random(using: &random) {
            note("older messages come before it")
            hasOlderFile = true
            try writer.writeOlderFile(before: conversation.time(of: 0))
        } else {
            let far = Int.random(in: 0..<conversation.count, using: &random)
            let isFar = abs(far - look.selected) > 400 && !conversation.hasReplies(far) && Bool.random(using: &random)
            if isFar { note("without message \(far)") }
            try writer.rewrite(without: isFar ? conversation.id(far) : nil)
        }
        try readAgain()
        let look = try see("read again", isPatient: true, when: { _ in true }) { look in
            if let total = look.shot.total, total != self.conversation.count { return "\(total) messages" }
            return self.isFollowing && look.isAtBottom ? nil : Walk.complaint(aboutRereading: old, look)
        }
        // Places of before have other numbers now.
        (back, forward) = ([], [])
        let former = anchor
        take(look)
        // Reading again is no move of the user: an end may still keep the anchored row from its own.
        if !isFollowing {
            anchor.others = ([former] + former.others).compactMap { row in
                conversation.shownPlace(of: old.conversation.id(row.index)).map(row.moved)
            }
        }
        count("rewrites")
    }

    /// Nil when each row of a text is where it was. Lines above a text may have come or gone.
    private static func complaint(aboutRereading old: Look, _ look: Look) -> String? {
        guard look.selected >= 0, look.conversation.id(look.selected) == old.conversation.id(old.selected) else {
            return "the cursor is on \(look.selected)"
        }
        for (row, spot) in old.spots.enumerated() {
            guard case .message(let index, let form, let number) = spot else { continue }
            let place = old.rows(index, form: form)[number].place
            if place < 0 { continue }
            guard case .message(let other, let otherForm, let otherNumber) = look.spots[row],
                look.conversation.id(other) == old.conversation.id(index),
                look.rows(other, form: otherForm)[otherNumber].place == place
            else { return "row \(row) was \(spot), and is \(look.spots[row])" }
        }
        return nil
    }
}
