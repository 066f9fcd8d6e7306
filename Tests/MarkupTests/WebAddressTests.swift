import Display
import Search
import TestSupport
import Testing

@testable import Markup

struct WebAddressTests {
    private static let pieces = [
        "http://", "HTTPS://", "https:/", "www.", "[", "](", ")", "::1]", "a", "b.org", "1", "é", "漢", "\u{301}", "/x",
        "?", ".",
        " ", "`", "*", "\\", "@", "%2f", "\u{1B}",
    ]

    @Test(arguments: [UInt64](1...400))
    func `A query for links finds every message with a link that can be opened`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = (0..<12).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
        guard !Markup(CleanText(text), from: 0).links.isEmpty else { return }
        #expect(Query("has:link").matches(text), "seed \(seed): \(text)")
    }

    @Test(arguments: ["see www.a.org", "`https://a.org`"])
    func `A query for links also finds texts whose links are not opened`(text: String) {
        #expect(Query("has:link").matches(text))
        #expect(Markup(CleanText(text), from: 0).links.isEmpty)
    }

    // MARK: - Which part of a text is an address

    private static let whole = [
        "https://x.example/?b[]=1&b[]=2", "https://x.example/q?a=(1)&b=[2]", "https://fr.wikipedia.org/wiki/L’Oréal",
        "https://en.wikipedia.org/wiki/Michelson–Morley_experiment", "https://x.example/👋",
        "https://fa.wikipedia.org/wiki/می\u{200C}خواهم", "https://x.example/~ana/{id}",
        "https://münchen.example/rathaus", "https://пример.example/путь",
        "https://en.wikipedia.org/wiki/Tide_(book)", "https://ja.wikipedia.org/wiki/潮汐", "https://x.example/a;b=c",
        "https://[2001:db8::1]/a", "http://a.org", "HTTP://A.ORG/B", "https://a.org:8080/", "https://a.org:8080",
        "https://user@a.org/", "https://user:pass@a.org:1/x", "https://a.org?x=1", "https://a.org#top",
        "https://a.org/#/room/!x:y.org", "https://a.org/?q=a+b%20c", "https://a.org/a,b", "https://a.org/a:b",
        "https://a.org/a'b", "https://a.org/a*b", "https://a.org/a~b", "https://a.org/a_b_c", "https://a.org/a!b",
        "https://a.org/$x", "https://a.org/x=y&z", "https://a.org/@ana", "https://a.org/@ana/1?x#y",
        "https://a.org/a-b-", "https://a.org/a|b", "https://a.org/a^b", "https://a.org/x/", "https://a.org/x?y=/",
        "https://a.org/(a)(b)", "https://a.org/((a))", "https://a.org/[a](b){c}", "https://a.org/a_(b)_c",
        "https://de.wikipedia.org/wiki/Größe", "https://ru.wikipedia.org/wiki/Чат",
        "https://el.wikipedia.org/wiki/Ελλάδα", "https://he.wikipedia.org/wiki/שלום",
        "https://ar.wikipedia.org/wiki/سلام", "https://hi.wikipedia.org/wiki/हिन्दी",
        "https://th.wikipedia.org/wiki/ไทย", "https://ko.wikipedia.org/wiki/한국어",
        "https://zh.wikipedia.org/wiki/你好，李焕英", "https://ja.wikipedia.org/wiki/ザ・ビートルズ", "https://日本語.jp",
        "https://日本語.jp/", "https://www.日本.jp/x", "https://例え.テスト", "https://한국.kr/", "https://i❤\u{FE0F}.ws/",
        "https://👉.la/x", "https://xn--mnchen-3ya.example/", "https://bücher.de", "https://νέα.gr/",
        "https://עברית.example/", "https://موقع.example/", "https://भारत.example/", "https://ไทย.example/x",
        "https://x.example/é", "https://x.example/e\u{301}", "https://x.example/👨\u{200D}👩\u{200D}👧",
        "https://x.example/❤\u{FE0F}", "https://x.example/🇩🇪", "https://x.example/a—b", "https://x.example/a…b",
        "https://x.example/a·b", "https://x.example/“a”b", "https://x.example/a‘b’c", "https://x.example/½",
        "https://x.example/€", "https://x.example/№1", "https://x.example/a%E2%80%99b", "https://x.example/%5B%5D",
        "https://1.2.3.4/", "https://1.2.3.4:80/x", "https://a-b.org/", "https://a_b.org/", "https://localhost/",
        "https://localhost:3000/x?y#z", "https://a.b.c.d.e.org/", "https://A.Org/", "https://a.org/;jsessionid=1",
        "https://a.org/x.html#L10-L20", "https://a.org/x?a[b][c]=1", "https://a.org/x?f={%22a%22:1}",
        "https://a.org/x?f={a:[1,2]}", "https://a.org/wiki/C++", "https://a.org/wiki/C#", "https://a.org/a//b",
        "https://a.org//b", "https://a.org/../x", "https://a.org/.well-known/x", "https://a.org/x?u=https://b.org/y",
        "https://web.archive.org/web/2020/https://b.org/", "https://a.org/a&amp;b", "https://a.org/watch?v=-_x",
        "https://a.org/+x", "https://a.org/=x", "https://a.org/x@y.org", "https://t.me/+AbC", "https://a.org/x,y;z",
        "https://matrix.to/#/@ana:one.org", "https://a.org/%",
    ]

    private static let cut = [
        ("see https://a.org/a.", "https://a.org/a"), ("(https://a.org/b)", "https://a.org/b"),
        ("“https://a.org/c”", "https://a.org/c"), ("[https://a.org/d]", "https://a.org/d"),
        ("https://a.org/e – and so on", "https://a.org/e"), ("„https://a.org/f“", "https://a.org/f"),
        ("https://a.org/a, b", "https://a.org/a"), ("https://a.org/a; b", "https://a.org/a"),
        ("https://a.org/a: b", "https://a.org/a"), ("https://a.org/a!", "https://a.org/a"),
        ("https://a.org/a?", "https://a.org/a"), ("https://a.org/a?!", "https://a.org/a"),
        ("https://a.org/a...", "https://a.org/a"), ("https://a.org/a…", "https://a.org/a"),
        ("https://a.org.", "https://a.org"), ("https://a.org:", "https://a.org"),
        ("https://a.org,", "https://a.org"), ("https://a.org)", "https://a.org"),
        ("(see https://a.org/x_(y).)", "https://a.org/x_(y)"), ("(https://a.org/x_(y))", "https://a.org/x_(y)"),
        ("{https://a.org/a}", "https://a.org/a"), ("<https://a.org/a>", "https://a.org/a"),
        ("\"https://a.org/a\"", "https://a.org/a"), ("'https://a.org/a'", "https://a.org/a"),
        ("«https://a.org/a»", "https://a.org/a"), ("‘https://a.org/a’", "https://a.org/a"),
        ("‹https://a.org/a›", "https://a.org/a"), ("「https://a.org/a」", "https://a.org/a"),
        ("https://a.org/北京（城市）", "https://a.org/北京（城市）"), ("（见 https://a.org/北京（城市）。）", "https://a.org/北京（城市）"),
        ("（见 https://a.org/北京）", "https://a.org/北京"), ("https://a.org/北京（", "https://a.org/北京"),
        ("https://a.org/東京「駅」）」。", "https://a.org/東京「駅」"),
        ("（https://a.org/a）", "https://a.org/a"), ("https://a.org/a。", "https://a.org/a"),
        ("https://a.org/a，看", "https://a.org/a"), ("https://a.org看这里", "https://a.org"),
        ("看https://a.org/a", "https://a.org/a"), ("https://a.org/天気。", "https://a.org/天気"),
        ("https://a.org👍", "https://a.org"), ("https://a.org/a–", "https://a.org/a"),
        ("https://a.org/a — b", "https://a.org/a"), ("**https://a.org/a**", "https://a.org/a"),
        ("_https://a.org/a_", "https://a.org/a"), ("~~https://a.org/a~~", "https://a.org/a"),
        ("|https://a.org/a|", "https://a.org/a"), ("https://a.org/a\\n", "https://a.org/a"),
        ("https://a.org/a`b", "https://a.org/a"), ("https://a.org/a\tb", "https://a.org/a"),
        ("https://a.org/a\u{A0}b", "https://a.org/a"), ("https://a.org/a\u{3000}b", "https://a.org/a"),
        ("https://a.org/a\u{200E}", "https://a.org/a"), ("https://a.org/a\u{1B}[m", "https://a.org/a"),
        ("https://a.org/a\u{9B}m", "https://a.org/a"), ("https://a.org/a\u{7F}", "https://a.org/a"),
        ("https://a.org/a<b", "https://a.org/a"), ("https://a.org/a)b", "https://a.org/a"),
        ("https://a.org/a]b", "https://a.org/a"), ("https://a.org/a}b", "https://a.org/a"),
        ("https://a.org/a (b)", "https://a.org/a"), ("https://a.org/a(", "https://a.org/a"),
        ("https://a.org,https://b.org", "https://a.org"), ("https://a.org/؟", "https://a.org/"),
        ("https://a.org/a؟", "https://a.org/a"), ("https://a.org/a।", "https://a.org/a"),
        ("https://a.org/می\u{200C} x", "https://a.org/می"), ("[t](https://a.org/x)", "https://a.org/x"),
        ("[t](https://a.org/x_(y)) z", "https://a.org/x_(y)"),
        ("[https://a.org/x](https://a.org/x)", "https://a.org/x"), ("1. https://a.org/x", "https://a.org/x"),
        ("> https://a.org/x", "https://a.org/x"), ("- https://a.org/x", "https://a.org/x"),
        ("a:https://a.org/x", "https://a.org/x"), ("=https://a.org/x", "https://a.org/x"),
        ("https://a@", "https://a"), ("https://[::1]", "https://[::1]"), ("https://[::1]:80.", "https://[::1]:80"),
        ("https://a.org/x\"y", "https://a.org/x"), ("https://a.org/*", "https://a.org/"),
        ("https://münchen.example.", "https://münchen.example"),
        ("https://пример.example, да", "https://пример.example"),
    ]

    private static let none = [
        "http://", "https://", "https:// a.org", "http:/a.org", "xhttps://a.org", "éhttps://a.org", "1http://a",
        "ftp://a.org", "javascript:x", "file:///etc/passwd", "https://-a", "https://)", "https://.", "https://[x]",
        "https://[]", "example.com", "//a.org", "https:a.org", "https://\u{301}",
    ]

    /// The addresses in a line, as they were written.
    private func addresses(in text: String) -> [String] {
        var text = text
        return text.withUTF8 { MarkedLines($0, hasHeads: true).flatMap(\.addresses) }
    }

    @Test(arguments: whole)
    func `What an address bar shows is an address as a whole`(address: String) {
        let texts = [
            address, "see \(address) there", "(\(address))", "\(address), and", "“\(address)”", "*\(address)*",
        ]
        for text in texts {
            #expect(addresses(in: text).map { Array($0.unicodeScalars) } == [Array(address.unicodeScalars)], "\(text)")
            #expect(Markup(CleanText(text), from: 0).links.count == 1, "\(text)")
            #expect(Query("has:link").matches(text), "\(text)")
        }
    }

    @Test(arguments: cut)
    func `What stands around an address is not of it`(text: String, address: String) {
        #expect(addresses(in: text).first.map { Array($0.unicodeScalars) } == Array(address.unicodeScalars))
        #expect(Query("has:link").matches(text))
    }

    /// The screen draws nothing there, so the address is the one that it shows as a link.
    @Test(arguments: [
        "https://a.org/a\u{200B}b", "https://a.org/a\u{202E}b", "https://a.org/\u{200B}ab",
        "https://a.org/a\u{2060}b c", "[t](https://a.org/a\u{200B}b)",
    ])
    func `What is invisible and loose in an address is left out, as on the screen`(text: String) throws {
        #expect(addresses(in: text).map { Array($0.unicodeScalars) } == [Array("https://a.org/ab".unicodeScalars)])
        let clean = CleanText(text)
        let link = try #require(Markup(clean, from: 0).links.first)
        #expect(Array(clean.string.utf8)[link.address].elementsEqual("https://a.org/ab".utf8))
        #expect(Query("has:link").matches(text))
    }

    @Test(arguments: none)
    func `Other texts are no addresses`(text: String) {
        #expect(addresses(in: text).isEmpty)
        #expect(Markup(CleanText(text), from: 0).links.isEmpty)
        #expect(!Query("has:link").matches(text))
    }

    @Test(arguments: [
        ("https://аррӏе.com/", "xn--80ak6aa92e.com"), ("https://аpple.com/", "xn--pple-43d.com"),
        ("https://münchen.example/", nil),
        ("https://пример.example/", nil), ("https://日本語.jp/", nil), ("https://αpple.org", "xn--pple-zld.org"),
        ("https://bank.com@münchen.example/", "münchen.example"),
    ])
    func `A host whose letters look like others says its name in ASCII`(address: String, host: String?) {
        #expect(WebAddress.disguisedHost(of: address) == host)
    }
}
