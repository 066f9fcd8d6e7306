import Display
import Messages
import Search

extension Entry {
    /// The number of bytes to search before and after the drawn part, too. A word or phrase that is cut there is not visible.
    private static let reach = 2_048

    /// The hits of a query in a part of the text, as UTF-8 offsets by the number of their line. The sender's name of an action
    /// and the words about an edit have no hits: they are drawn with the text, but the store does not search them.
    /// - Parameter part: in places of the body.
    func hits(_ query: ResolvedQuery, in part: Range<Int>) -> [Int: [Range<Int>]] {
        guard accepts(query) else { return [:] }
        return Dictionary(uniqueKeysWithValues: hits(query.query, in: part).map { ($0.line, $0.hits) })
    }

    /// The places of the body where hits begin.
    func hitPlaces(_ query: ResolvedQuery, in part: Range<Int>) -> [Int] {
        accepts(query) ? places(query.query, in: part) : []
    }

    /// Finds the nearest match before or after a place, section by section.
    /// - Parameter isWanted: decides which matches count; others are skipped.
    /// - Returns: the place of the match, and the number of matches skipped before it; nil if there is no match.
    func match(
        of query: ResolvedQuery, _ direction: FindDirection, from place: Int,
        where isWanted: (Int) -> Bool = { _ in true }
    ) -> (place: Int, passed: Int)? {
        guard accepts(query) else { return nil }
        let last = body.sections.count - 1
        let start = min(max(0, Body.section(ofPlace: max(0, place))), last)
        var passed = 0
        for section in direction == .newer ? Array(start...last) : (0...start).reversed() {
            let matches = matches(query, inSection: section)
            for match in direction == .newer ? matches : matches.reversed()
            where direction == .newer ? match > place : match < place {
                if isWanted(match) { return (match, passed) }
                passed += 1
            }
        }
        return nil
    }

    /// The number of a match among all of the text: 1 for the first.
    func number(ofMatch place: Int, of query: ResolvedQuery) -> Int {
        (0...min(Body.section(ofPlace: place), body.sections.count - 1)).reduce(1) { count, section in
            count + matches(query, inSection: section).count { $0 < place }
        }
    }

    private func matches(_ query: ResolvedQuery, inSection section: Int) -> [Int] {
        let part = Body.place(ofSection: section)..<Body.place(ofSection: section + 1)
        return places(query.query, in: part).filter(part.contains).sorted()
    }

    private func accepts(_ query: ResolvedQuery) -> Bool {
        query.query.hasPlaces && query.accepts(message)
    }

    private func places(_ query: Query, in part: Range<Int>) -> [Int] {
        hits(query, in: part).flatMap { line in line.hits.map { line.start + $0.lowerBound } }
    }

    private typealias LineHits = (line: Int, start: Int, hits: [Range<Int>])

    private func hits(_ query: Query, in part: Range<Int>) -> [LineHits] {
        let first = Body.section(ofPlace: max(0, part.lowerBound))
        let last = min(Body.section(ofPlace: max(part.lowerBound, part.upperBound - 1)), body.sections.count - 1)
        let part = max(0, part.lowerBound - Entry.reach)..<part.upperBound + Entry.reach
        var text = ""
        var spans: [(line: Int, place: Int, start: Int, range: Range<Int>)] = []
        // A phrase may begin in the section before.
        for section in max(0, first - 1)..<max(first, last + 1) {
            for (index, line) in body.lines(ofSection: section).enumerated() where line.start < part.upperBound {
                let bytes = line.text.string.utf8.count
                let said = line.nameEnd..<max(line.nameEnd, line.markStart ?? bytes)
                let near = section < first ? line.start..<part.upperBound : part
                let range = said.clamped(to: near.lowerBound - line.start..<near.upperBound - line.start)
                guard !range.isEmpty else { continue }
                let piece = line.text.spelled.whole(range)
                spans.append((Body.number(ofLine: index, in: section), line.start, text.utf8.count, piece.range))
                text += piece.text + "\n"
            }
        }
        let hits = Entry.lines(query.occurrences(in: text), spans.map { ($0.line, $0.start, $0.range) })
        return zip(spans, hits).map { ($0.line, $0.place, $1.1) }
    }

    /// Gives each line its part of the hits. Hits and lines are sorted.
    private static func lines(
        _ hits: [Range<Int>], _ spans: [(line: Int, start: Int, range: Range<Int>)]
    ) -> [(Int, [Range<Int>])] {
        var next = 0
        return spans.map { line, start, range in
            let place = start..<start + range.count
            while next < hits.count, hits[next].upperBound <= place.lowerBound { next += 1 }
            // A phrase may continue in the next line, which gets its own part.
            let inLine = hits[next...].prefix { $0.lowerBound < place.upperBound }
            return (
                line,
                inLine.map { hit in
                    let cut = hit.clamped(to: place)
                    return cut.lowerBound - start + range.lowerBound..<cut.upperBound - start + range.lowerBound
                }
            )
        }
    }
}
