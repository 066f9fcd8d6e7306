import Messages

@testable import Interface

/// A screen and the slice of the conversation that it shows.
struct Look {
    let shot: Shot
    let spots: [Spot]
    let conversation: ScratchConversation
    /// Messages that the program must know of.
    let known: Int

    var selected: Int { shot.selected ?? -1 }
    var height: Int { spots.count }

    func rows(_ index: Int, form: Int) -> [ScratchConversation.Row] {
        conversation.rows(of: index, form: form, columns: shot.columns)
    }

    /// The visible messages, from the top, each with its form and the row of the screen on which it begins.
    var messages: [(index: Int, form: Int, top: Int)] {
        var found: [(index: Int, form: Int, top: Int)] = []
        for (screenRow, spot) in spots.enumerated() {
            guard case .message(let index, let form, let row) = spot, found.last?.index != index else { continue }
            found.append((index, form, screenRow - row))
        }
        return found
    }

    /// The rows of the screen that a message takes, those beyond it included; nil when it is not visible.
    func extent(of index: Int) -> Range<Int>? {
        messages.first { $0.index == index }.map { $0.top..<$0.top + rows(index, form: $0.form).count }
    }

    /// The row of the screen below a message.
    func end(of message: (index: Int, form: Int, top: Int)) -> Int {
        message.top + rows(message.index, form: message.form).count
    }

    /// Rows between two messages; nil where it depends on the forms that some of them are in.
    func rows(between first: Int, _ second: Int) -> Int? {
        var sum = 0
        for index in (first + 1)..<max(first + 1, second) {
            let forms = conversation.forms(of: index, columns: shot.columns)
            guard forms.count == 1 else { return nil }
            sum += rows(index, form: forms[0]).count
        }
        return sum
    }

    func isWhole(_ index: Int) -> Bool {
        extent(of: index).map { 0 <= $0.lowerBound && $0.upperBound <= height } ?? false
    }

    /// Whether a message is whole where an earlier screen had the row of an edge: its page has arrived in between.
    func hasCome(_ index: Int, since old: Look) -> Bool {
        guard isWhole(index), let extent = extent(of: index) else { return false }
        return extent.contains { row in
            if old.spots.indices.contains(row), case .edge = old.spots[row] { true } else { false }
        }
    }

    /// Whether the row of an edge is on the screen.
    func shows(_ edges: Shot.Edge...) -> Bool { edges.contains { spots.contains(.edge($0)) } }

    /// Whether the last message that the program may know of ends on the screen.
    var isAtEnd: Bool {
        guard !shows(.newer), let last = messages.last, last.index >= (shot.total ?? known) - 1 else { return false }
        return end(of: last) <= height
    }

    /// Whether it ends in the last row.
    var isAtBottom: Bool { isAtEnd && spots.last != .blank }

    /// The message that ends in a row of the screen.
    func end(at row: Int) -> Int? {
        guard spots.indices.contains(row), case .message(let index, let form, let own) = spots[row] else { return nil }
        return own == rows(index, form: form).count - 1 ? index : nil
    }

    /// Whether a message ends in a row of the screen.
    func endsMessage(_ row: Int) -> Bool { end(at: row) != nil }

    /// Empty rows below the last message.
    var blankBelow: Int { spots.reversed().prefix { $0 == .blank }.count }

    /// Whether the screen shows the beginning of the conversation. A screen that is too low for its row, and for the lines
    /// above the first text with the beginning of that, shows as many of these lines as leave a row for the text.
    var isAtBeginning: Bool {
        if spots.first == .edge(.beginning) { return true }
        guard let first = messages.first, first.index == 0 else { return false }
        let lead = contentRow(of: first) - first.top
        return lead + 1 >= height && first.top == min(0, height - 1 - lead)
    }

    /// The row of the screen on which a message's content begins, below the lines above it: those of its day, its sender and
    /// the message that it quotes.
    func contentRow(of message: (index: Int, form: Int, top: Int)) -> Int {
        message.top + (rows(message.index, form: message.form).firstIndex { $0.place >= 0 } ?? 0)
    }

    /// The day of the topmost message stands above the messages, unless its divider is visible below the first row.
    var hasRightDay: Bool {
        guard let first = messages.first else { return true }
        let shown = Shot.plain(shot.lines[1])
        if conversation.entry(first.index).startsDay, first.top > 0 { return shown.isEmpty }
        let day = conversation.entry(first.index).date.long
        return !shown.isEmpty && day.hasPrefix(shown)
    }
}

/// The row that stays where it is until one moves.
struct Anchored: Equatable {
    private(set) var index: Int
    /// Where the row begins in the text, whatever the width.
    let place: Int
    private(set) var screenRow: Int
    /// Rows that may be the anchored one instead, where the screen does not tell.
    var others: [Anchored] = []

    /// The first visible row of the selected message's content, else of any message's. The lines above it come and go with
    /// the messages around it, so that none of them stays, unless a low screen shows nothing else.
    init?(_ look: Look) {
        let all = look.messages
        let readable = all.filter { look.contentRow(of: $0) < look.height }
        guard let message = readable.first(where: { $0.index == look.selected }) ?? readable.first ?? all.first
        else { return nil }
        index = message.index
        screenRow = max(0, readable.isEmpty ? message.top : look.contentRow(of: message))
        place = look.rows(message.index, form: message.form)[screenRow - message.top].place
    }

    /// The program does not know that another row may be meant: a jump to where one is leads nowhere.
    static func == (a: Anchored, b: Anchored) -> Bool {
        (a.index, a.place, a.screenRow) == (b.index, b.place, b.screenRow)
    }

    /// The same row of a conversation in which its message has another place.
    func moved(to index: Int) -> Anchored {
        var moved = self
        (moved.index, moved.others) = (index, [])
        return moved
    }

    /// As it is when one leaves this screen: on the row where it is, if an end of the conversation keeps it from its own.
    func left(on look: Look) -> Anchored {
        var left = self
        if let row = row(on: look), 0..<look.height ~= row, row != min(screenRow, look.height - 1) {
            left.screenRow = row
        }
        return left
    }

    private func row(on look: Look) -> Int? {
        guard let message = look.messages.first(where: { $0.index == index }) else { return nil }
        return message.top + (look.rows(index, form: message.form).lastIndex { $0.place <= place } ?? 0)
    }

    /// Nil when the row is where it belongs on this screen.
    /// - Parameter old: a screen from before, on which a page may have been on its way.
    func complaint(about look: Look, since old: Look? = nil) -> String? {
        let complaint = ownComplaint(about: look, since: old)
        return others.contains { $0.complaint(about: look, since: old) == nil } ? nil : complaint
    }

    /// True if an edge beyond an earlier screen may have kept the row from its own one on this, where it was the outermost
    /// row until a page came. Kedge loads more than a screen in advance, so that the edge was more than a screen away.
    func isHeldByEdge(on look: Look, since old: Look) -> Bool {
        guard let row = row(on: look), let first = old.messages.first, let last = old.messages.last else {
            return false
        }
        func top(_ index: Int) -> Int? { look.messages.first { $0.index == index }?.top }
        let wanted = min(screenRow, look.height - 1)
        let edge = look.height - 2
        if row > wanted { return look.endsMessage(edge) && top(last.index).map { edge - $0 > old.height } ?? false }
        return row < wanted && look.endsMessage(0) && top(first.index).map { $0 > old.height } ?? false
    }

    private func ownComplaint(about look: Look, since old: Look?) -> String? {
        guard let row = row(on: look) else { return "the anchored message \(index) is not on the screen" }
        let wanted = min(screenRow, look.height - 1)
        if row == wanted { return nil }
        // No more than the row of its edge is shown beyond either end.
        if look.spots.first.map({ if case .edge = $0 { true } else { false } }) == true { return nil }
        if look.isAtBottom || look.spots.last == .edge(.newer) { return nil }
        // Where that row was, a page has begun since, or nothing has come.
        if look.isAtEnd, look.blankBelow == 1 { return nil }
        if let old, old.shows(.newer), look.endsMessage(look.height - 2) { return nil }
        if let old, old.shows(.older), look.endsMessage(0) { return nil }
        // The edge was below the screen: messages had come that were not loaded yet.
        if let old, row > wanted, let end = look.end(at: look.height - 2), end >= look.known - 1,
            old.messages.last.map({ $0.index <= end }) ?? false
        {
            return nil
        }
        // The edge was beyond the screen. What was on its way already, as a log that is read again, may come before anybody
        // sees that the edge was on this one. `isHeldByEdge` has the walk go back.
        if let old, isHeldByEdge(on: look, since: old) { return nil }
        // What an edit has made empty below the end may stay so.
        if look.isAtEnd, row > wanted { return nil }
        return "the anchored row of message \(index) is on row \(row), not on \(wanted)"
    }
}

extension Anchored: CustomStringConvertible {
    var description: String { ([self] + others).map { "\($0.index) on row \($0.screenRow)" }.joined(separator: " or ") }
}

extension Spot {
    /// Whether it is the same row of a message in a later form.
    fileprivate func isLaterForm(of other: Spot) -> Bool {
        guard case .message(let index, let form, let row) = self,
            case .message(index, let former, row) = other
        else { return false }
        return form > former
    }
}

/// What lies between two screens of one size.
struct ScreenMove {
    let before: Look
    let after: Look
    /// Rows that the messages have gone up; nil when that depends on the forms of messages between the screens.
    private(set) var rows: Int?
    /// What has changed that should not.
    private(set) var complaint: String?

    init(from before: Look, to after: Look) {
        (self.before, self.after) = (before, after)
        rows = ScreenMove.rows(before, after)
        guard let rows else { return }
        for (row, spot) in before.spots.enumerated() {
            guard case .message = spot, after.spots.indices.contains(row - rows) else { continue }
            // The first row of a screen has time and sender of its message in columns that are empty in other rows. Each look
            // is held against that by itself (`Placer.fits`), and the text of the row is the same.
            let isFirst = row == before.shot.firstRow || row - rows == after.shot.firstRow
            if isFirst, after.spots[row - rows] == spot { continue }
            if isSameText(spot, after.spots[row - rows]) { continue }
            // What a line has made of it may be told a moment after the line was written.
            if after.spots[row - rows].isLaterForm(of: spot) { continue }
            guard after.spots[row - rows] == spot,
                after.shot.reads(row - rows, as: before.shot.area[row])
                    || before.shot.reads(row, as: after.shot.area[row - rows]) || after.shot.hasBadge(row - rows)
                    || before.shot.hasBadge(row) || after.shot.isDocked(row - rows) || before.shot.isDocked(row)
            else {
                complaint = "row \(row) moved by \(rows) should be \(spot), and is \(after.spots[row - rows])"
                return
            }
        }
    }

    /// True if two rows have the same text of the topmost message, with and without the line of unread messages above it.
    private func isSameText(_ spot: Spot, _ other: Spot) -> Bool {
        guard case .message(let index, let form, let row) = spot,
            case .message(index, let otherForm, let otherRow) = other,
            index == before.messages.first?.index || index == after.messages.first?.index
        else { return false }
        let text = after.conversation
        return text.entry(index, form: form).message == text.entry(index, form: otherForm).message
            && row - text.dividers(above: index, form: form) == otherRow - text.dividers(above: index, form: otherForm)
    }

    private static func rows(_ before: Look, _ after: Look) -> Int? {
        let others = Dictionary(after.messages.map { ($0.index, $0) }) { first, _ in first }
        // The topmost message may begin above the screen, where nobody sees the line of unread messages above it.
        let same = before.messages.first { others[$0.index]?.form == $0.form }
        if let message = same ?? before.messages.first(where: { others[$0.index] != nil }),
            let other = others[message.index]
        {
            return message.top - other.top
        }
        guard let first = before.messages.first, let last = before.messages.last,
            let newFirst = after.messages.first, let newLast = after.messages.last
        else { return nil }
        let (end, newEnd) = (before.end(of: last), after.end(of: newLast))
        if newFirst.index > last.index {
            return before.rows(between: last.index, newFirst.index).map { end + $0 - newFirst.top }
        }
        return before.rows(between: newLast.index, first.index).map { first.top - $0 - newEnd }
    }

    private var distance: String { rows.map { "by \($0) rows" } ?? "elsewhere" }

    /// Nothing that the user did: no row of a message has moved or changed. While one follows, the end stays at the bottom.
    func complaint(following: Bool) -> String? {
        if rows == 0, complaint == nil {
            return before.selected == after.selected || following
                ? nil : "the cursor went from \(before.selected) to \(after.selected)"
        }
        if following, after.isAtBottom, rows.map({ $0 > 0 }) ?? true { return nil }
        return "the rows moved \(distance) by themselves; \(complaint ?? "")"
    }

    /// A scroll by so many rows, down when positive, or by less where there is no more to be seen.
    func complaint(scrolled wanted: Int) -> String? {
        guard let rows else { return (before.selected < after.selected) == (wanted > 0) ? nil : "the wrong way" }
        if let complaint { return complaint }
        guard after.extent(of: after.selected) != nil || after.messages.isEmpty else {
            return "the cursor is off the screen"
        }
        if rows == wanted { return nil }
        if wanted > 0, hasFollowedEnd { return nil }
        let isLess = wanted > 0 ? 0 <= rows && rows < wanted : wanted < rows && rows <= 0
        return isLess && isStopped(down: wanted > 0) ? nil : "\(rows) rows instead of \(wanted)"
    }

    /// Whether the end has gone down to the bottom of the screen, where a move down to it leaves it. Below it there was an
    /// empty row, or still the row of an edge: its page may have come, and brought nothing, before the key.
    private var hasFollowedEnd: Bool {
        let below = before.spots.last == .edge(.newer) ? 1 : before.isAtEnd ? before.blankBelow : 0
        return below > 0 && rows == -below && after.isAtBottom
    }

    /// Whether there is no more to be seen that way, or was none when the key came: a page may have arrived since, whose
    /// last message then stands where the row of the edge was.
    private func isStopped(down: Bool) -> Bool {
        if down {
            if after.shows(.newer) { return after.spots.last == .edge(.newer) || rows == 0 }
            return after.isAtEnd || after.endsMessage(after.height - 2)
        }
        if after.shows(.older, .beginning) {
            if case .edge = after.spots[0] { return true }
            return rows == 0
        }
        return after.endsMessage(0) || hasOlderFile(below: 1)
    }

    /// Whether the first message of the demo is below a row, and an older file above: where it came, the conversation had
    /// begun with the row of the edge and that of a day, which the two have in common.
    private func hasOlderFile(below row: Int) -> Bool {
        guard let last = after.end(at: row) else { return false }
        return after.conversation.id(last + 1) == "m-000001"
    }

    /// One message on, with no more scrolling than shows it.
    func complaint(steppedDown isDown: Bool) -> String? {
        guard let rows else { return "the screen went elsewhere instead of one message on" }
        if let complaint { return complaint }
        let (old, new) = (before.selected, after.selected)
        guard before.extent(of: old) != nil else { return rows == 0 ? nil : "moved \(distance) to find the cursor" }
        guard rows == 0 || (rows > 0) == isDown || isDown && hasFollowedEnd else {
            return "moved \(distance) the wrong way"
        }
        if new == old {
            if rows == 0 { return isStopped(down: isDown) || leftEdge ? nil : "nothing happened" }
            return abs(rows) == 1 ? nil : "moved \(distance) with the cursor where it was"
        }
        guard new == old + (isDown ? 1 : -1), let extent = after.extent(of: new) else {
            return "the cursor went from \(old) to \(new)"
        }
        if extent.count <= after.height {
            guard after.isWhole(new) else { return "the selected message is not whole on the screen" }
            let isLeast = rows == 0 || (isDown ? extent.upperBound == after.height : extent.lowerBound == 0)
            return isLeast ? nil : "moved \(distance), more than shows the selected message"
        }
        let isLeast = abs(rows) <= 1 || (isDown ? extent.lowerBound == after.height - 1 : extent.upperBound == 1)
        return isLeast ? nil : "moved \(distance), more than shows the next row of the selected message"
    }

    /// Whether the cursor was on the row of an edge.
    private var leftEdge: Bool {
        zip(before.spots, before.shot.marks).contains { spot, isMarked in
            if case .edge = spot { isMarked } else { false }
        }
    }

    /// Nil when the old screen is there again. Messages may have been loaded anew, in another form.
    func complaintAboutReturn(to anchor: Anchored) -> String? {
        guard before.selected == after.selected else {
            return "the cursor is on \(after.selected), not on \(before.selected)"
        }
        let forms = Dictionary(after.messages.map { ($0.index, $0.form) }) { first, _ in first }
        let isSame = before.messages.allSatisfy { $0.form == forms[$0.index] ?? $0.form }
        guard isSame else { return anchor.complaint(about: after) }
        for (row, spot) in before.spots.enumerated() {
            if case .message = spot, after.spots[row] != spot {
                return "row \(row) is \(after.spots[row]), not \(spot)"
            }
        }
        return nil
    }
}
