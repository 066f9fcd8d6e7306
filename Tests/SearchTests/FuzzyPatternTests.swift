import TestSupport
import Testing

@testable import Search

struct FuzzyPatternTests {
    /// The text with its matched parts in brackets; nil when it does not match.
    private func marked(_ pattern: String, _ text: String) -> String? {
        guard let match = FuzzyPattern(pattern).match(text) else { return nil }
        var bytes = Array(text.utf8)
        for range in match.ranges.reversed() {
            bytes.insert(UInt8(ascii: "]"), at: range.upperBound)
            bytes.insert(UInt8(ascii: "["), at: range.lowerBound)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("gen", "general", "[gen]eral"), ("GEN", "general", "[gen]eral"), ("gn", "general", "[g]e[n]eral"),
        ("fb", "foo bar", "[f]oo [b]ar"), ("fb", "affable foo-bar", "affable [f]oo-[b]ar"),
        ("ir", "incident-review", "[i]ncident-[r]eview"), ("rev", "reeve-review", "reeve-[rev]iew"),
        ("hs", "helpHotSpot", "[h]elpHot[S]pot"), ("v2", "server2v2", "server2[v2]"),
        ("munoz", "Jose Muñoz", "Jose [Muñoz]"), ("Muñoz", "munoz", "[munoz]"),
        ("cafe", "cafe\u{301} noir", "[cafe\u{301}] noir"), ("fil", "con\u{FB01}lter", "con[\u{FB01}l]ter"),
        ("漢", "新漢字", "新[漢]字"), ("한", "한국", "[한]국"), ("strasse", "Straße", "[Straße]"),
        ("ben ana", "Ana, Ben", "[Ana], [Ben]"), ("an na", "Anna", "[Anna]"), ("  gen\t", "general", "[gen]eral"),
        ("#dev", "#dev-web", "[#dev]-web"), ("", "general", "general"), (" \t", "general", "general"),
        ("\u{301}", "general", "general"),
    ])
    func `The letters match where they mean most`(pattern: String, text: String, expected: String) {
        #expect(marked(pattern, text) == expected)
    }

    @Test(arguments: [
        ("x", "general"), ("neg", "gen"), ("gg", "general"), ("a", ""), ("ana bob", "Ana, Ben"),
        ("generals", "general"),
    ])
    func `A text that lacks a letter does not match`(pattern: String, text: String) {
        #expect(FuzzyPattern(pattern).match(text) == nil)
    }

    @Test func `An empty pattern gives every text the score 0`() {
        #expect(FuzzyPattern("").match("general") == FuzzyPattern.Match(score: 0, ranges: []))
        #expect(FuzzyPattern("").match("") == FuzzyPattern.Match(score: 0, ranges: []))
    }

    @Test(arguments: [
        ("gen", ["general", "generalissimo", "old-general", "gardening", "a big emporium, none"]),
        ("dev", ["dev", "dev-web", "web-dev", "undeveloped", "adxexv"]),
        ("ar", ["Ana Ruiz", "Clara"]), ("fb", ["FooBar", "foobar"]),
        ("ubuntu off", ["ubuntu-offtopic", "kubuntu-offtopic"]),
    ])
    func `The better match has the higher score`(pattern: String, texts: [String]) throws {
        let scores = try texts.map { try #require(FuzzyPattern(pattern).match($0), "\($0)").score }
        #expect(scores == scores.sorted(by: >))
        #expect(Set(scores).count == scores.count, "\(scores)")
    }

    /// The best score of all alignments, tried one by one.
    private func bestScore(_ word: [UInt32], _ letters: [FuzzyText.Letter]) -> Int? {
        func score(_ index: Int, after last: Int?, _ sum: Int) -> Int? {
            guard index < word.count else { return sum }
            return letters.indices.compactMap { place in
                guard place > last ?? -1, letters[place].value == word[index] else { return nil }
                let bonus = letters[place].bonus
                var worth = FuzzyScore.match
                if let last, place == last + 1 {
                    worth += max(bonus, FuzzyScore.consecutive)
                } else if let last {
                    worth += bonus - FuzzyScore.gapStart - (place - last - 2) * FuzzyScore.gapExtension
                } else {
                    worth += bonus * FuzzyScore.firstFactor
                }
                return score(index + 1, after: place, sum + worth)
            }.max()
        }
        return score(0, after: nil, 0)
    }

    @Test(arguments: [UInt64](1...4))
    func `No other alignment has a higher score`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var matches = 0
        for _ in 0..<500 {
            let text = String(
                (0..<Int.random(in: 0...12, using: &random)).map { _ in "abAB- ".randomElement(using: &random) ?? "a" })
            let word = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                UInt32(Int.random(in: 97...98, using: &random))
            }
            let letters = FuzzyText(text)
            let alignment = FuzzyAlignment(of: word, with: letters)
            #expect(alignment?.score == bestScore(word, letters.letters), "seed \(seed): \(word) in \(text)")
            guard let alignment else { continue }
            matches += 1
            #expect(alignment.places.map { letters.letters[$0].value } == word, "seed \(seed)")
            #expect(zip(alignment.places, alignment.places.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
        }
        #expect(matches > 100)
    }

    @Test func `A long pattern and a long text take little time`() {
        let long = String(repeating: "ab ", count: 350_000)
        let marks = "e" + String(repeating: "\u{301}", count: 500_000)
        for pattern in [String(repeating: "a", count: 10_000), String(repeating: "a ", count: 5_000), "ab", "zz"] {
            for text in [long, marks, String(repeating: "a", count: 1_000_000)] {
                _ = FuzzyPattern(pattern).match(text)
            }
        }
        #expect(FuzzyPattern("e").match(marks)?.ranges == [0..<marks.utf8.count])
        #expect(FuzzyPattern(String(repeating: "ab ", count: 3_000)).match(long) != nil)
    }
}
