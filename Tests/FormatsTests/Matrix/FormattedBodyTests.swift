import TestSupport
import Testing

@testable import Formats

/// What other clients of Matrix get of a text with marks.
struct FormattedBodyTests {
    private func html(_ text: String, isAction: Bool = false) -> String? {
        FormattedBody(text, isAction: isAction).html
    }

    @Test(arguments: [
        ("a **bold** word", "a <strong>bold</strong> word"), ("*a* _b_", "<em>a</em> <em>b</em>"),
        ("~~a~~ `b`", "<del>a</del> <code>b</code>"), ("***a***", "<strong><em>a</em></strong>"),
        ("**a _b_ c**", "<strong>a <em>b</em> c</strong>"), ("_a **b**_", "<em>a <strong>b</strong></em>"),
        ("||a|| **b**", "<span data-mx-spoiler>a</span> <strong>b</strong>"),
        ("||a||", "<span data-mx-spoiler>a</span>"), ("a || b || *c*", "a || b || <em>c</em>"),
        (
            "||[a](https://e.org)||",
            "<span data-mx-spoiler><a href=\"https://e.org\">a</a></span>"
        ),
        ("``a ` *b*``", "<code>a ` *b*</code>"), ("这是**重点**内容", "这是<strong>重点</strong>内容"),
        ("[a](https://e.org/?b=1&c)", "<a href=\"https://e.org/?b=1&amp;c\">a</a>"),
        ("[a **b** c](https://e.org)", "<a href=\"https://e.org\">a <strong>b</strong> c</a>"),
        ("[a](https://e.org)[b](https://f.org)", "<a href=\"https://e.org\">a</a><a href=\"https://f.org\">b</a>"),
        ("*a* https://e.org/.", "<em>a</em> <a href=\"https://e.org/\">https://e.org/</a>."),
        ("*a*\nb\n\nc", "<em>a</em><br>b<br><br>c"), ("*a*\r\nb\u{2028}c", "<em>a</em><br>b<br>c"),
        ("*a* & <b> \"c\" 'd'", "<em>a</em> &amp; &lt;b&gt; &quot;c&quot; 'd'"),
        ("`<b>&`", "<code>&lt;b&gt;&amp;</code>"),
        // What is no mark stays.
        ("- *a*\n  - 2*3*4 \\*b\\*", "- <em>a</em><br>&nbsp;&nbsp;- 2*3*4 \\*b\\*"),
        ("# *a*", "# <em>a</em>"),
        ("*a*   b", "<em>a</em> &nbsp;&nbsp;b"),
        // The address that the screen opens.
        ("[a](https://e.org/\u{200B}x\u{200B})", "<a href=\"https://e.org/x\">a</a>"),
        // A family, and the sign that a heart is a picture.
        ("**👨‍👩‍👧 ❤️**", "<strong>👨‍👩‍👧 ❤️</strong>"),
    ])
    func `marks become tags, and all else is text`(text: String, html: String) {
        #expect(self.html(text) == html)
    }

    @Test(arguments: [
        ("> a", "<blockquote>a</blockquote>"), ("> a\n> *b*\nc", "<blockquote>a<br><em>b</em></blockquote>c"),
        ("a\n> b", "a<blockquote>b</blockquote>"), ("> a\n\nb\n\nc", "<blockquote>a</blockquote>b<br><br>c"),
        ("> a\n> > b\n> c", "<blockquote>a<blockquote>b</blockquote>c</blockquote>"),
        ("> a\n>\n> b", "<blockquote>a<br><br>b</blockquote>"), (">", "<blockquote></blockquote>"),
        ("> > a\n> >\n> > b", "<blockquote><blockquote>a<br><br>b</blockquote></blockquote>"),
        ("> - a\n>   - b\n>c", "<blockquote>- a<br>&nbsp;&nbsp;- b</blockquote>&gt;c"),
        ("```\na  <b>\n\n*c*\n```", "<pre><code>a  &lt;b&gt;\n\n*c*</code></pre>"),
        ("a\n```swift\nlet\n```\nb", "a<pre><code class=\"language-swift\">let</code></pre>b"),
        ("```\nnever closed", "<pre><code>never closed</code></pre>"), ("```", "<pre><code></code></pre>"),
        // Characters that the screen leaves out: a byte order mark, a tag, a break.
        ("\u{FEFF}```swift\nlet\n```", "<pre><code class=\"language-swift\">let</code></pre>"),
        ("\u{E0001}```\na\n `\u{200B}`` b", "<pre><code>a</code></pre>b"),
        ("``` let x = \"1\"\ny\n``` z", "<pre><code>let x = &quot;1&quot;\ny</code></pre>z"),
        ("> a\n```\nb\n```\n> c", "<blockquote>a</blockquote><pre><code>b</code></pre><blockquote>c</blockquote>"),
    ])
    func `quotes and fences become blocks`(text: String, html: String) {
        #expect(self.html(text) == html)
    }

    @Test(arguments: [
        "", "a", "a\nb", "2*3*4", "- a\n1. b", "https://e.org", "\\*a\\*", "<b>&", "a || b || c",
        "a@e.org @ana ana:e.org", "* a",
        "@:e.org @ana: x@ana:e.org @ana:- @ana:[e.org]",
        "@types/node:20 @ana:e..org @ana:-e.org @ana:e.org@evil.org <@ana:e.org> a/@ana:e.org",
    ])
    func `a text without marks needs no HTML`(text: String) {
        #expect(html(text) == nil)
    }

    @Test(arguments: [
        ("@ana:e.org: hi", ["@ana:e.org"]), ("(@ana:e.org) **@ben:e.org:8448.**", ["@ana:e.org", "@ben:e.org:8448"]),
        ("@a_b/c=d:e-f.org, @ana:[::1] @a_b/c=d:e-f.org", ["@a_b/c=d:e-f.org", "@ana:[::1]"]),
        ("@ana:e.org看 @ana:e.orgé @ben:e.org\u{301}", ["@ana:e.org"]),
        ("`@ana:e.org` [@ben:e.org](https://e.org)\n```\n@cy:e.org", []),
        ("“@ana:e.org” 看@ben:e.org\u{3000}@cy:e.org", ["@ana:e.org", "@ben:e.org", "@cy:e.org"]),
        ("@_oftc_nick[m]:e.org @nick|away:e.org", ["@_oftc_nick[m]:e.org", "@nick|away:e.org"]),
        ("@ana:e.org:123456 @ben:1.2.3.4", ["@ana:e.org", "@ben:1.2.3.4"]),
        // Cut by a mark.
        ("_a @b_:e.org", ["@b_:e.org"]),
    ])
    func `the people whom a text names are found outside of code`(text: String, people: [String]) {
        #expect(FormattedBody(text, isAction: false).mentions == people)
    }

    @Test func `a person is a link to it, which clients show as a name`() {
        let link = "<a href=\"https://matrix.to/#/@a%2Fb:e.org\">@a/b:e.org</a>"
        #expect(html("hi @a/b:e.org!") == "hi \(link)!")
        #expect(html("**@a/b:e.org**") == "<strong>\(link)</strong>")
        #expect(html("_a @b_:e.org") == "<em>a @b</em>:e.org")
    }

    @Test func `an action has no quotes`() {
        #expect(html("> *a*", isAction: true) == "&gt; <em>a</em>")
        #expect(html("> a", isAction: true) == nil)
        // It would be taken for the quote of a reply.
        #expect(html("> <b>\na", isAction: true) == "&gt; &lt;b&gt;<br>a")
    }

    @Test func `quotes within each other are limited`() throws {
        let html = try #require(self.html(String(repeating: "> ", count: 1_000) + "a"))
        #expect(html.ranges(of: "<blockquote>").count == 32 && html.ranges(of: "</blockquote>").count == 32)
    }

    // MARK: - Any text

    private static let fragments = [
        "*", "**", "***", "_", "~~", "`", "``", "||", "\\", " ", "  ", "\t", "\n", "\r\n", "\n\n", "\n> ", "\n> > ",
        "\n- ", "\n```\n",
        "\n```swift\n", "\n``` not a name\n", "\n\u{FEFF}```\n", "\n`\u{200B}``\n", "\u{E0001}", "[",
        "](https://e.org/a_(b)) ", "https://e.org/?a=1&b=<", "(", ")", "<b>",
        "</em>", "&amp;",
        "\"", "@ana:e.org ", "@a_b:e.org", "é", "e\u{301}", "漢", "👨‍👩‍👧", "❤️", "🇩🇪", "क्", "\u{1B}", "\u{202E}",
    ]

    private static func text(_ random: inout SeededGenerator) -> String {
        var text = ""
        for number in 0..<Int.random(in: 1...40, using: &random) {
            text += fragments.randomElement(using: &random) ?? ""
            if Bool.random(using: &random) { text += "w\(number)é" }
        }
        // Some have several sections.
        return Int.random(in: 0..<20, using: &random) == 0 ? String(repeating: text, count: 60) : text
    }

    /// The text of HTML, with line feeds between blocks; nil if it is not well-formed, or has other tags than are allowed.
    private static func plain(_ html: String) -> String? {
        var (plain, open, rest) = ("", [String](), html.unicodeScalars[...])
        while let first = rest.first {
            guard first == "<" else {
                plain.unicodeScalars.append(first)
                rest.removeFirst()
                continue
            }
            guard let end = rest.firstIndex(of: ">") else { return nil }
            let tag = Substring(rest[..<end].dropFirst())
            rest = rest[end...].dropFirst()
            let name = String(tag.prefix { $0 != " " })
            if name == "br" {
                plain += "\n"
            } else if name.hasPrefix("/") {
                guard open.popLast() == String(name.dropFirst()) else { return nil }
                if name == "/pre" || name == "/blockquote" { plain += "\n" }
            } else {
                guard isAllowed(name, tag.dropFirst(name.count)) else { return nil }
                open.append(name)
                if name == "pre" || name == "blockquote" { plain += "\n" }
            }
        }
        guard open.isEmpty, !plain.contains("\"") else { return nil }
        return plain.replacing("&nbsp;", with: " ").replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing(
            "&quot;", with: "\""
        ).replacing("&amp;", with: "&")
    }

    private static func words(_ text: String) -> [String] { text.matches(of: /w[0-9]+é/).map { String($0.output) } }

    private static func isAllowed(_ name: String, _ attributes: Substring) -> Bool {
        switch name {
        case "span": attributes == " data-mx-spoiler"
        case "strong", "em", "del", "pre", "blockquote": attributes.isEmpty
        case "code": attributes.isEmpty || attributes.wholeMatch(of: /\ class="language-[a-z]+"/) != nil
        case "a": attributes.wholeMatch(of: /\ href="https:\/\/[^"<> ]+"/) != nil
        default: false
        }
    }

    @Test func `the HTML of any text is well-formed, and has all its words`() {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3_000 {
            let text = Self.text(&random)
            let isAction = Bool.random(using: &random)
            guard let html = html(text, isAction: isAction) else { continue }
            guard let plain = Self.plain(html) else {
                Issue.record("seed \(seed): \(html.debugDescription) of \(text.debugDescription)")
                continue
            }
            #expect(
                Self.words(plain) == Self.words(text),
                "seed \(seed): \(html.debugDescription) of \(text.debugDescription)")
        }
    }
}
