internal import Display
internal import Search

/// Finds the marks of `Markup` in one pass, in linear time for any line.
///
/// The edges of looks are recorded in the order of the line. An opening mark gets its edges at once; they have no effect unless
/// its closing mark is found.
struct MarkupParser {
    typealias Look = Markup.Look

    /// A place where looks begin or end.
    private struct Edge {
        let offset: Int
        var on: Look = []
        var off: Look = []
    }

    private enum Mark: Int, CaseIterable {
        case star, twoStars, threeStars, low, twoWaves, twoBars

        var look: Look {
            switch self {
            case .star, .low: .italic
            case .twoStars: .bold
            case .threeStars: [.bold, .italic]
            case .twoWaves: .struck
            case .twoBars: .spoiler
            }
        }

        init?(_ byte: UInt8, count: Int) {
            switch (byte, count) {
            case (UInt8(ascii: "*"), 1): self = .star
            case (UInt8(ascii: "*"), 2): self = .twoStars
            case (UInt8(ascii: "*"), 3): self = .threeStars
            case (UInt8(ascii: "_"), 1): self = .low
            case (UInt8(ascii: "~"), 2): self = .twoWaves
            case (UInt8(ascii: "|"), 2): self = .twoBars
            default: return nil
            }
        }
    }

    private let bytes: [UInt8]
    private let start: Int
    private let isScrubbed: Bool
    private var index: Int
    private var edges: [Edge] = []
    private var links: [Markup.Link] = []
    /// Open marks, each with the index of the first of its two edges.
    private var open: [(mark: Mark, edge: Int)] = []
    private var openCount = Array(repeating: 0, count: Mark.allCases.count)
    /// The last bracket that may begin the text of a link, with the index of the first of its two edges.
    private var bracket: (offset: Int, edge: Int)?
    /// For the beginning of each run of backquotes, the beginning of the next run of the same length.
    private var closers: [Int: Int] = [:]

    init(_ line: [UInt8], from start: Int, isScrubbed: Bool) {
        (bytes, self.isScrubbed) = (line, isScrubbed)
        self.start = min(max(0, start), bytes.count)
        index = self.start
    }

    mutating func parse() -> (pieces: [Markup.Piece], links: [Markup.Link]) {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\"): passEscaped()
            case UInt8(ascii: "`"): passCode()
            case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "|"): passMark()
            case UInt8(ascii: "["): openBracket()
            case UInt8(ascii: "]"): closeBracket()
            case UInt8(ascii: "h"), UInt8(ascii: "H"): passAddress()
            default: index += 1
            }
        }
        return (pieces, links)
    }

    private func runEnd(from start: Int) -> Int {
        let byte = bytes[start]
        var end = start + 1
        while end < bytes.count, bytes[end] == byte { end += 1 }
        return end
    }

    private func neighbor(at offset: Int) -> Neighbor {
        bytes.withUnsafeBufferPointer { isScrubbed ? Neighbor(at: offset, in: $0) : Neighbor(at: offset, inRaw: $0) }
    }

    private func neighbor(before offset: Int) -> Neighbor {
        guard offset > start else { return .blank }
        return bytes.withUnsafeBufferPointer {
            isScrubbed ? Neighbor(before: offset, in: $0) : Neighbor(before: offset, inRaw: $0)
        }
    }
}

// MARK: - Marks

extension MarkupParser {
    private mutating func passEscaped() {
        index += 1
        guard index < bytes.count else { return }
        switch bytes[index] {
        case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "|"), UInt8(ascii: "["):
            index = runEnd(from: index)
        default: break
        }
    }

    private mutating func passMark() {
        let begin = index
        index = runEnd(from: begin)
        guard let mark = Mark(bytes[begin], count: index - begin) else { return }
        let (before, after) = (neighbor(before: begin), neighbor(at: index))
        // A combining mark after the mark would lose its character.
        guard after != .mark else { return }
        // A part of a word may also be hidden.
        let isWithinWords = mark == .twoBars
        if openCount[mark.rawValue] > 0, before != .blank, isWithinWords || after != .word {
            close(mark, at: begin)
        } else if after != .blank, isWithinWords || before != .word {
            openCount[mark.rawValue] += 1
            open.append((mark, edges.count))
            edges += [Edge(offset: begin), Edge(offset: index)]
        }
    }

    private mutating func close(_ mark: Mark, at offset: Int) {
        while let last = open.popLast() {
            openCount[last.mark.rawValue] -= 1
            guard last.mark == mark else { continue }
            edges[last.edge].on = .mark
            edges[last.edge + 1].off = .mark
            edges[last.edge + 1].on = mark.look
            break
        }
        edges.append(Edge(offset: offset, on: .mark, off: mark.look))
        edges.append(Edge(offset: index, off: .mark))
    }

    private mutating func passCode() {
        if closers.isEmpty { findClosers() }
        let begin = index
        index = runEnd(from: begin)
        guard let closer = closers[begin], closer >= 0 else { return }
        let end = closer + index - begin
        guard neighbor(at: index) != .mark, neighbor(at: end) != .mark else { return }
        edges.append(Edge(offset: begin, on: .mark))
        edges.append(Edge(offset: index, on: .code, off: .mark))
        edges.append(Edge(offset: closer, on: .mark, off: .code))
        edges.append(Edge(offset: end, off: .mark))
        index = end
    }

    /// Walks over the runs of backquotes once, from the end.
    private mutating func findClosers() {
        var runs: [(start: Int, count: Int)] = []
        var offset = index
        while offset < bytes.count {
            if bytes[offset] == UInt8(ascii: "`") {
                let end = runEnd(from: offset)
                runs.append((offset, end - offset))
                offset = end
            } else {
                offset += 1
            }
        }
        var next: [Int: Int] = [:]
        for run in runs.reversed() {
            closers[run.start] = next[run.count] ?? -1
            next[run.count] = run.start
        }
    }
}

// MARK: - Links

extension MarkupParser {
    private mutating func openBracket() {
        bracket = (index, edges.count)
        edges += [Edge(offset: index), Edge(offset: index + 1)]
        index += 1
        if neighbor(at: index) == .mark { bracket = nil }
    }

    private mutating func closeBracket() {
        defer { bracket = nil }
        let close = index
        index += 1
        guard let bracket, bracket.offset + 1 < close, index < bytes.count, bytes[index] == UInt8(ascii: "(") else {
            return
        }
        let begin = index + 1
        guard let end = addressEnd(begin, isEnclosed: true), neighbor(at: end + 1) != .mark
        else { return }
        edges[bracket.edge].on = .mark
        edges[bracket.edge + 1].off = .mark
        edges[bracket.edge + 1].on = .link
        edges.append(Edge(offset: close, on: .mark, off: .link))
        edges.append(Edge(offset: begin, on: .address, off: .mark))
        edges.append(Edge(offset: end, on: .mark, off: .address))
        edges.append(Edge(offset: end + 1, off: .mark))
        links.append(Markup.Link(address: begin..<end, whole: bracket.offset..<end + 1))
        index = end + 1
    }

    private func addressEnd(_ start: Int, isEnclosed: Bool) -> Int? {
        bytes.withUnsafeBufferPointer { WebLink.end(in: $0, from: start, isEnclosed: isEnclosed) }
    }

    private mutating func passAddress() {
        let begin = index
        index += 1
        guard index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "t"), neighbor(before: begin) != .word,
            let end = addressEnd(begin, isEnclosed: false)
        else { return }
        edges.append(Edge(offset: begin, on: .link))
        edges.append(Edge(offset: end, off: .link))
        links.append(Markup.Link(address: begin..<end, whole: begin..<end))
        index = end
    }
}

// MARK: - Pieces

extension MarkupParser {
    private var pieces: [Markup.Piece] {
        var pieces: [Markup.Piece] = []
        var depths = Array(repeating: 0, count: Look.count)
        var look: Look = []
        var start = 0
        for edge in edges where edge.on != edge.off {
            if edge.offset > start {
                if !look.isEmpty { pieces.append(Markup.Piece(range: start..<edge.offset, look: look)) }
                start = edge.offset
            }
            for bit in 0..<Look.count {
                let one = Look(rawValue: 1 << bit)
                if edge.on.contains(one) { depths[bit] += 1 }
                if edge.off.contains(one) { depths[bit] -= 1 }
                if depths[bit] > 0 { look.insert(one) } else { look.remove(one) }
            }
        }
        return pieces
    }
}

/// The neighbours of a place in unscrubbed text, as the screen would show them: a flag is two letters, and a tab is a blank.
extension Neighbor {
    /// The number of bytes to scrub: more than a character has with its combining marks.
    private static let reach = 32

    init(at offset: Int, inRaw bytes: UnsafeBufferPointer<UInt8>) {
        guard offset < bytes.count, Neighbor.isChanged(bytes[offset]) else {
            self.init(at: offset, in: bytes)
            return
        }
        let end = min(bytes.count, offset + Neighbor.reach)
        // A mark before the text, for a combining character at its beginning.
        var shown = CleanText("*" + String(decoding: bytes[offset..<end], as: UTF8.self)).string
        self = shown.withUTF8 { Neighbor(at: 1, in: $0) }
    }

    init(before offset: Int, inRaw bytes: UnsafeBufferPointer<UInt8>) {
        guard offset > 0, Neighbor.isChanged(bytes[offset - 1]) else {
            self.init(before: offset, in: bytes)
            return
        }
        var start = max(0, offset - Neighbor.reach)
        while start < offset, bytes[start] & 0xC0 == 0x80 { start += 1 }
        var shown = CleanText(String(decoding: bytes[start..<offset], as: UTF8.self)).string
        self = shown.withUTF8 { Neighbor(before: $0.count, in: $0) }
    }

    /// True if a byte belongs to a character that may be shown differently.
    private static func isChanged(_ byte: UInt8) -> Bool { byte < 0x20 || byte >= 0x7F }
}
