import Display
import TestSupport
import Testing

@testable import Markup

/// What the marks in a line mean.
struct MarkupTests {
    /// Each piece as its looks and its text in parentheses, what is plain as it is.
    private static func told(_ text: String, from start: Int = 0) -> String {
        let line = CleanText(text)
        let bytes = Array(line.string.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        var told = ""
        var end = 0
        for piece in Markup(line, from: start).pieces {
            told += part(end..<piece.range.lowerBound) + names(piece.look) + "(" + part(piece.range) + ")"
            end = piece.range.upperBound
        }
        return told + part(end..<bytes.count)
    }

    private static func names(_ look: Markup.Look) -> String {
        let letters: [(Markup.Look, String)] = [
            (.bold, "b"), (.italic, "i"), (.struck, "s"), (.code, "c"), (.mark, "m"), (.link, "l"), (.address, "a"),
            (.spoiler, "h"),
        ]
        return letters.filter { look.contains($0.0) }.map(\.1).joined()
    }

    @Test(
        arguments: [
            ("plain", "plain"),
            ("a **bold** word", "a m(**)b(bold)m(**) word"),
            ("*a* _b_ ~~c~~ `d`", "m(*)i(a)m(*) m(_)i(b)m(_) m(~~)s(c)m(~~) m(`)c(d)m(`)"),
            ("***both***", "m(***)bi(both)m(***)"),
            ("the ||butler *did* it||!", "the m(||)h(butler )mh(*)ih(did)mh(*)h( it)m(||)!"),
            ("a || b || c, |a|, ||| |||", "a || b || c, |a|, ||| |||"), ("x||y||z", "xm(||)h(y)m(||)z"),
            ("**bold _and italic_**.", "m(**)b(bold )bm(_)bi(and italic)bm(_)m(**)."),
            ("(*a*), \"**b**\"!", "(m(*)i(a)m(*)), \"m(**)b(b)m(**)\"!"),
            ("这是**重点**内容", "这是m(**)b(重点)m(**)内容"),
            ("`` a ` b ``", "m(``)c( a ` b )m(``)"),
            ("`*a*` *b*", "m(`)c(*a*)m(`) m(*)i(b)m(*)"),
            // What is open within it is not closed.
            ("*a **b* c**", "m(*)i(a **b)m(*) c**"),
            ("*a *b*", "*a m(*)i(b)m(*)"),
        ])
    func `Closed marks have an effect`(text: String, expected: String) {
        #expect(Self.told(text) == expected)
    }

    @Test(arguments: [
        "snake_case_words", "__init__", "2*3*4", "a * b * c", "f(*args, **kwargs)", "/* a comment */", "~/a ~/b",
        "**not closed", "`not closed", "``not the same`", "****", "_____", "* * *", "~~~", "5 * 3 = 15*", "rm *.o *.a",
        "\\*a\\* \\_b_", "é*é*é", "2**8**2", "a_b_ _c_d", "**", "*", "** **", "*\u{301}a*", "`a`\u{301}", "~~ a ~~",
    ])
    func `Everything else is text`(text: String) {
        #expect(Self.told(text) == CleanText(text).string)
    }

    @Test(
        arguments: [
            ("see https://kedge.chat/a_b_c.", "see l(https://kedge.chat/a_b_c)."),
            ("(https://a.org/x_(y))", "(l(https://a.org/x_(y)))"),
            ("HTTP://A.ORG, and http://b", "l(HTTP://A.ORG), and l(http://b)"),
            ("<https://a.org/?q=1&r=*2*#x>", "<l(https://a.org/?q=1&r=*2*#x)>"),
            ("**https://a.org/**", "m(**)bl(https://a.org/)m(**)"),
            ("https://[::1]:80/a", "l(https://[::1]:80/a)"),
            ("https://a.org/天気看", "l(https://a.org/天気看)"),
            ("看https://a.org看这里", "看l(https://a.org)看这里"),
            ("[a *text*](https://a.org/x)", "m([)l(a )ml(*)il(text)ml(*)m(]()a(https://a.org/x)m())"),
            ("[t](https://a.org/x_(y)) z", "m([)l(t)m(]()a(https://a.org/x_(y))m()) z"),
            ("[t] [u](http://a.org)", "[t] m([)l(u)m(]()a(http://a.org)m())"),
            ("[](https://a.org)", "[](l(https://a.org))"),
            ("[t](https://a.org", "[t](l(https://a.org)"),
            ("[t](https://a.org/ b)", "[t](l(https://a.org/) b)"),
            ("[t](javascript:x) [t](/etc/x)", "[t](javascript:x) [t](/etc/x)"),
            ("`https://a.org` http:// https://", "m(`)c(https://a.org)m(`) http:// https://"),
            ("xhttps://a.org ftp://b.org", "xhttps://a.org ftp://b.org"),
            ("https://аpple.com https://bücher.de", "l(https://аpple.com) l(https://bücher.de)"),
            ("https://a.org/\u{1B}[31m", "l(https://a.org/)␛[31m"),
            ("https://a.org\u{301}/", "l(https://a.org\u{301}/)"),
        ])
    func `Addresses are found with all their parts`(text: String, expected: String) {
        #expect(Self.told(text) == expected)
    }

    @Test(arguments: [
        ("https://bank.com@evil.org/x", "evil.org"), ("https://a:b@evil.org:80?x", "evil.org:80"),
        ("https://bank.com%2f@evil.org", "evil.org"), ("https://a%2eb.org/", "a%2eb.org"), ("https://a.org/@x", nil),
        ("https://a.org/?q=a@b", nil), ("http://a.org", nil),
    ])
    func `An address that hides where it leads is recognised`(address: String, host: String?) {
        #expect(WebAddress.disguisedHost(of: address) == host)
    }

    @Test func `Text before the range is not examined`() {
        #expect(Self.told("* *ana* waves *b*", from: 8) == "* *ana* waves m(*)i(b)m(*)")
        #expect(Self.told("*a* b*", from: 2) == "*a* b*")
    }

    @Test(
        arguments: [
            ("- a", 2, false), ("  * a", 4, false), ("+  a", 3, false), ("• a", 4, false), ("1. a", 3, false),
            ("12) a", 4, false), ("> a", 2, true), ("> > a", 4, true), (">", 0, true), ("a - b", 0, false),
            ("-a", 0, false), ("- ", 0, false), ("2008. It", 0, false), (">_<", 0, false), (">>> x", 0, false),
            ("1.5 a", 0, false), ("", 0, false), ("   ", 0, false), ("- \u{301}a", 0, false),
        ] as [(String, Int, Bool)])
    func `Lists and quotes are recognised by the beginning of a line`(text: String, hang: Int, isQuote: Bool) {
        let head = LineHead(CleanText(text))
        #expect(head.hang == hang)
        #expect(head.isQuote == isQuote)
    }

    /// They take well below a second when built for speed; what grew with the square of their length would take hours.
    @Test(
        arguments: [
            "*", "`", "_", "~", "[", "](", "*a", "*a ", "a*", "**a ", "*a* ", "`a", "`a ``b ```c ", "[a](http://b",
            "http://a",
            "https://a(", "https://a/(", "[a](https://a.b)", "\\*", "[*_~~`", "h", "漢*字", "> ", "- ", "*é",
        ])
    func `Hostile texts take no longer than others`(piece: String) {
        let count = 300_000
        let text = CleanText(String(repeating: piece, count: count / piece.utf8.count))
        let start = ContinuousClock.now
        let markup = Markup(text, from: 0)
        _ = LineHead(text)
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(markup.pieces.allSatisfy { !$0.range.isEmpty })
    }

    @Test func `Runs of backquotes of all lengths take no longer either`() {
        let text = (1...1_400).map { String(repeating: "`", count: $0) }.joined(separator: "a")
        let start = ContinuousClock.now
        #expect(Markup(CleanText(text), from: 0).pieces.isEmpty)
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test(arguments: [UInt64](1...300))
    func `Pieces are sorted, disjoint, and between whole characters, in any text`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "*", "**", "***", "_", "~~", "`", "``", "[", "](", ")", "https://a.b", "http://", " ", "a", "bc", "é",
            "e\u{301}",
            "\u{301}", "漢", "。", "👍", "\\", "(", ".", "क्", "\u{200D}", "\u{1B}",
        ]
        let text = CleanText((0..<30).map { _ in pieces.randomElement(using: &random) ?? "" }.joined())
        let markup = Markup(text, from: 0)
        var end = 0
        for piece in markup.pieces {
            #expect(piece.range.lowerBound >= end && !piece.range.isEmpty && !piece.look.isEmpty, "seed \(seed)")
            end = piece.range.upperBound
        }
        #expect(end <= text.string.utf8.count)
        // Cut there, the parts are as wide as the whole.
        let bytes = Array(text.string.utf8)
        let cuts = [0] + markup.pieces.flatMap { [$0.range.lowerBound, $0.range.upperBound] } + [bytes.count]
        let parts = zip(cuts, cuts.dropFirst()).map { CleanText(String(decoding: bytes[$0..<$1], as: UTF8.self)) }
        #expect(parts.reduce(0) { $0 + $1.columns } == text.columns, "seed \(seed): \(text)")
        #expect(parts.map(\.string).joined() == text.string, "seed \(seed): \(text)")
        for link in markup.links {
            #expect(!link.address.isEmpty && link.whole.lowerBound <= link.address.lowerBound, "seed \(seed)")
        }
    }

    @Test(arguments: [
        ("the ||butler *did* it||!", "the ||▒▒▒▒▒▒ ▒▒▒▒▒ ▒▒||!"), ("||这👍||", "||▒▒▒▒||"),
        ("||a|| b\n||[c](https://e.org)||", "||▒|| b\n||▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒||"),
    ])
    func `A spoiler is covered, column by column`(text: String, covered: String) {
        #expect(Spoiler.covered(text) == covered)
    }

    @Test(arguments: ["", "a", "a || b || c", "`||a||`", "```\n||a||\n```", "||", "||||", "\\||a||"])
    func `Another text has nothing to cover`(text: String) { #expect(Spoiler.covered(text) == nil) }
}
