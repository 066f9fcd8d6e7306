import Display
import Foundation

@testable import Interface

/// A screen of the real terminal, taken apart.
struct Shot: Equatable {
    enum Edge: Hashable { case older, newer, beginning }

    let lines: [String]
    /// The columns of the messages, and those of the list of conversations before them.
    let columns: Int
    let left: Int
    /// The rows of messages without their margins.
    let area: [String]
    /// The rows that belong to what is selected, without the first one of a message that names the user.
    let marks: [Bool]
    /// The first rows of messages that name the user, selected or not.
    let mentions: [Bool]
    /// Where the selected message stands in the conversation, as the title says.
    let selected: Int?
    /// How many messages there are, as the title says where there is room for it.
    let total: Int?
    var height: Int { area.count }
    var status: String { lines.last ?? "" }
    /// Without a notice the last row begins with the link of the message.
    var hasNotice: Bool { !status.hasPrefix(" general/") }

    /// - Parameters:
    ///   - columns: of the terminal. There are at least six rows.
    ///   - hasList: whether a wide screen has the list of conversations.
    init(_ lines: [String], columns: Int, hasList: Bool = false) {
        let left = hasList ? Sidebar().columns(on: Size(columns: columns, rows: lines.count)) : 0
        // The titles of the conversations have one column for each character.
        let lines = lines.enumerated().map { row, line in
            (1..<lines.count - 1).contains(row) ? String(line.dropFirst(left)) : line
        }
        self.lines = lines
        self.columns = columns - left
        self.left = left
        let rows = lines.dropFirst(2).dropLast()
        area = rows.map { Shot.plain($0.last.map { "│┃┤┫".contains($0) } == true ? $0.dropLast() : $0[...]) }
        marks = rows.map { $0.hasPrefix("▌") }
        mentions = rows.map { $0.hasPrefix("@") }
        let place = lines.first?.firstMatch(of: #/(?:  | · )([\d,]+)(?: of ([\d,]+))?(?: · [^·]*)?$/#)
        let numbers = [place?.1, place?.2].map { $0.flatMap { Int($0.replacing(",", with: "")) } }
        (selected, total) = (numbers[0].map { $0 - 1 }, numbers[1])
    }

    /// A row without the mark before it and the blanks after it, and without what a terminal may keep or drop since it
    /// takes no column of its own.
    static func plain(_ row: some StringProtocol) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in row.unicodeScalars.dropFirst() where !isWidthless(scalar) { scalars.append(scalar) }
        while scalars.last == " " { scalars.removeLast() }
        return String(scalars)
    }

    static func columns(_ row: String) -> Int { CleanText(row).columns }

    private static func isWidthless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: scalar.properties.isVariationSelector
        }
    }

    /// What an edge says of itself in its row, however much of it there is room for.
    func edge(at row: Int) -> Edge? {
        let text = area[row].drop { $0 == " " }
        if text.hasPrefix("loading older m") || text.hasPrefix("older messages d") { return .older }
        if text.hasPrefix("loading newer m") || text.hasPrefix("newer messages d") { return .newer }
        return text.hasPrefix("beginning of t") ? .beginning : nil
    }

    func isLoading(_ row: Int) -> Bool { area[row].contains("loading ") && edge(at: row) != nil }
    func isFailed(_ row: Int) -> Bool { area[row].contains("messages d") && edge(at: row) != nil }

    /// The first row of a message, which repeats time and sender of its message where they do not stand anyway.
    var firstRow: Int? { (0..<height).first { edge(at: $0) == nil && !area[$0].isEmpty } }

    /// Whether a row has this text. In the row of the message that one has jumped to, the sign of a message that names the user
    /// stands after the name; it does not count.
    func reads(_ row: Int, as text: String) -> Bool {
        if area[row] == text { return true }
        guard lines[row + 2].hasPrefix("►") else { return false }
        // It has its time even where that of the message above is the same.
        if area[row].replacing(#/^\d\d:\d\d/#, with: "     ") == text { return true }
        guard let sign = area[row].firstIndex(of: "@") else { return false }
        return area[row].replacingCharacters(in: sign...sign, with: " ") == text
    }

    /// Whether the row is the topmost one with the divider of a day, which the line above says in its place.
    func isDocked(_ row: Int) -> Bool { row == 0 && area[row].isEmpty }

    /// Whether it says over the row how much is new.
    func hasBadge(_ row: Int) -> Bool { row == height - 1 && area[row].contains(#/ ↓ [\d,]+ new$/#) }
}

/// What stands in a row of a screen.
enum Spot: Hashable {
    /// A row of a message, which is in one of the forms that it has had.
    case message(Int, form: Int, row: Int)
    case edge(Shot.Edge)
    case blank
}

/// Finds the slice of the conversation that a screen shows: message for message without a gap from the first row to the
/// last one, except for what may stand beyond the ends of what is loaded.
struct Placer {
    let conversation: ScratchConversation
    let shot: Shot
    /// Messages that the program must know of.
    let known: Int

    private var height: Int { shot.height }

    private struct Start { let index, form, top: Int }

    /// The slices, usually one: of two forms of a message the visible part may be the same.
    /// - Parameter near: messages among which to look when none of the visible ones is selected.
    func slices(near: [Int] = []) -> [[Spot]] {
        var slices: [[Spot]] = []
        for start in starts(near) where fits(start) {
            let rows = rows(start)
            let own = visible(start).map { Spot.message(start.index, form: start.form, row: $0 - start.top) }
            for above in up(start.index - 1, end: start.top) {
                for below in down(start.index + 1, top: start.top + rows.count) {
                    slices.append(above + own + below)
                }
            }
            if slices.count > 8 { break }
        }
        return slices
    }

    /// Where a message would have to stand for this to be the screen.
    private func starts(_ near: [Int]) -> [Start] {
        guard let selected = shot.selected, selected < conversation.count else { return [] }
        if let row = shot.marks.firstIndex(of: true) {
            switch shot.edge(at: row) {
            case nil:
                let above = row > 0 && shot.mentions[row - 1] ? starts(selected, firstVisibleAt: row - 1) : []
                return starts(selected, firstVisibleAt: row) + above
            case .older?, .beginning?: return row + 1 < height ? starts(selected, firstVisibleAt: row + 1) : []
            case .newer?: return forms(selected).map { start(selected, $0, end: row) }
            }
        }
        let row = (0..<height).first { shot.edge(at: $0) == nil && !shot.area[$0].isEmpty } ?? 0
        let mentions = shot.mentions.indices.filter { shot.mentions[$0] }
        return near.flatMap { starts($0, firstVisibleAt: row) }
            + mentions.flatMap { starts(selected, firstVisibleAt: $0) }
    }

    /// A divider above the message is not marked, and in the first row it is not even drawn.
    private func starts(_ index: Int, firstVisibleAt row: Int) -> [Start] {
        forms(index).flatMap { form -> [Start] in
            guard row == 0 else {
                let dividers = conversation.dividers(above: index, form: form)
                return (0...min(dividers, row)).map { Start(index: index, form: form, top: row - $0) }
            }
            let count = conversation.rows(of: index, form: form, columns: shot.columns).count
            return (0..<count).map { Start(index: index, form: form, top: -$0) }
        }
    }

    private func start(_ index: Int, _ form: Int, end: Int) -> Start {
        Start(
            index: index, form: form,
            top: end - conversation.rows(of: index, form: form, columns: shot.columns).count)
    }

    private func forms(_ index: Int) -> [Int] { conversation.forms(of: index, columns: shot.columns) }

    private func rows(_ start: Start) -> [ScratchConversation.Row] {
        conversation.rows(of: start.index, form: start.form, columns: shot.columns)
    }

    private func visible(_ start: Start) -> Range<Int> {
        max(0, start.top)..<max(0, min(height, start.top + rows(start).count))
    }

    private func fits(_ start: Start) -> Bool {
        let rows = rows(start)
        return visible(start).allSatisfy { row in
            let wanted = rows[row - start.top]
            let isDay = row == start.top && row == 0 && conversation.entry(start.index).startsDay
            if isDay { return shot.area[row].isEmpty }
            let texts = row == shot.firstRow ? wanted.firstTexts : wanted.texts
            return texts.contains { shot.reads(row, as: $0) } || shot.hasBadge(row) && shot.edge(at: row) == nil
        }
    }

    /// What can stand from a row on, where a message would begin.
    private func down(_ index: Int, top: Int) -> [[Spot]] {
        guard top < height else { return [[]] }
        var found: [[Spot]] = []
        if index < conversation.count {
            for form in forms(index) {
                let start = Start(index: index, form: form, top: top)
                guard fits(start) else { continue }
                let own = visible(start).map { Spot.message(index, form: form, row: $0 - top) }
                found += down(index + 1, top: top + rows(start).count).map { own + $0 }
            }
        }
        if !found.isEmpty { return found }
        let isEdge = shot.edge(at: top) == .newer
        let rest = shot.area[(isEdge ? top + 1 : top)...]
        guard rest.allSatisfy(\.isEmpty), isEdge || index >= known else { return [] }
        return [(isEdge ? [.edge(.newer)] : []) + rest.map { _ in .blank }]
    }

    /// What can stand above a row, where a message would end.
    private func up(_ index: Int, end: Int) -> [[Spot]] {
        guard end > 0 else { return [[]] }
        var found: [[Spot]] = []
        if index >= 0 {
            for form in forms(index) {
                let start = start(index, form, end: end)
                guard fits(start) else { continue }
                let own = visible(start).map { Spot.message(index, form: form, row: $0 - start.top) }
                found += up(index - 1, end: start.top).map { $0 + own }
            }
        }
        if !found.isEmpty { return found }
        guard let edge = shot.edge(at: end - 1), edge == (index < 0 ? .beginning : .older),
            shot.area[..<(end - 1)].allSatisfy(\.isEmpty)
        else { return [] }
        return [Array(repeating: .blank, count: end - 1) + [.edge(edge)]]
    }
}
