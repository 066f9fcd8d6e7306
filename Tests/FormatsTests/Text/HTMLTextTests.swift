import TestSupport
import Testing

@testable import Formats

struct HTMLTextTests {
    private func text(_ html: String) -> String {
        Array(html.utf8).withUnsafeBytes { String(decoding: HTMLText.convert($0), as: UTF8.self) }
    }

    @Test(arguments: [
        ("plain", "plain"), ("a <b>b</b> <strong>c</strong>", "a **b** **c**"), ("<i>a</i> <em>b</em>", "*a* *b*"),
        ("<b><i>a</i></b>", "***a***"), ("<b>a <i>b</i> c</b>", "**a** ***b*** **c**"), ("<del>a</del>", "~~a~~"),
        ("<u>a</u>", "_a_"),
        ("<code>a &lt; b</code>", "`a < b`"), ("<span data-mx-spoiler>x</span> y", "||x|| y"),
        ("<span data-mx-spoiler=\"why\">x</span>", "(why) ||x||"), ("<span>x</span>", "x"),
        ("<font color=\"#f00\">red</font>", "red"),
        ("<a href=\"https://e.org/?a=1&amp;b=2\">e</a>", "[e](https://e.org/?a=1&b=2)"),
        ("<a href=\"https://e.org\">https://e.org</a>", "https://e.org"),
        ("<a href='javascript:alert(1)'>x</a>", "x"), ("<a href='htt://e.org'>x</a>", "x"),
        ("<a href='HTTP://e.org'>x</a>", "[x](HTTP://e.org)"), ("<a href='httpx://e.org'>x</a>", "x"),
        ("<a href=\"https://matrix.to/#/@ana:e.org\">Ana</a>: hi", "@Ana: hi"),
        ("<a href=\"https://matrix.to/#/@ana:e.org\">@ana</a>", "@ana"),
        ("<a href=\"https://matrix.to/#/#room:e.org\">#room:e.org</a>", "#room:e.org"),
        ("<img src=\"mxc://x\" alt=\":party:\" height=\"32\">", ":party:"),
        ("a &amp; b &#39;c&#x27; &nbsp;d &unknown; &", "a & b 'c' \u{A0}d &unknown; &"), ("1 < 2 > 0", "1 < 2 > 0"),
        ("<!-- no -->a", "a"), ("a\n  b", "a b"), ("a  b", "a b"), ("a &amp; b  <b>c</b>", "a & b **c**"),
    ])
    func `marks of HTML become light marks`(html: String, text: String) {
        #expect(self.text(html) == text)
    }

    @Test(arguments: [
        ("<p>a</p>\n<p>b</p>", "a\n\nb"), ("a<br>b<br/>c", "a\nb\nc"), ("a<br><br>b", "a\n\nb"),
        ("<p>x</p><ul>\n<li>a</li>\n<li>b<ul><li>c</li></ul></li></ul><p>y</p>", "x\n\n- a\n- b\n  - c\n\ny"),
        ("<ul><li>a</li><li><ul><li>b</li></ul></li></ul>", "- a\n  - b"),
        ("<ol start=\"3\"><li>a</li><li>b</li></ol>", "3. a\n4. b"), ("<h1>T</h1><p>a</p>", "**T**\n\na"),
        ("<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n> \n> b\nc"), ("x<blockquote>a</blockquote>", "x\n> a"),
        ("<blockquote><blockquote>a</blockquote>b</blockquote>", "> > a\n> b"),
        (
            "<pre><code class=\"language-swift\">let a = \"&lt;\"\n\nlet b\n</code></pre><p>x</p>",
            "```swift\nlet a = \"<\"\n\nlet b\n```\n\nx"
        ),
        ("<mx-reply><blockquote>old <b>x</b></blockquote></mx-reply>new", "new"), ("<b>a<br>b</b>", "**a**\n**b**"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
    ])
    func `blocks of HTML become lines`(html: String, text: String) {
        #expect(self.text(html) == text)
    }

    @Test(arguments: [
        ("<span data-mx-spoiler><code>x</code></span>", "||`x`||"),
        (
            "<span data-mx-spoiler>see <a href=\"https://e.org/who\">the gardener</a></span>",
            "||see [the gardener](https://e.org/who)||"
        ),
        ("<a href=\"https://e.org/who\"><span data-mx-spoiler>x</span></a>", "||[x](https://e.org/who)||"),
        ("a <span data-mx-spoiler>b <b>c</b><br><br>d</span> e", "a ||b **c**||\n\n||d|| e"),
        (
            "<p>a</p><span data-mx-spoiler><pre><code class=\"language-c\">x || y\n\n  z\n</code></pre></span><p>b</p>",
            "a\n\n||`x || y`||\n\n  ||`z`||\n\nb"
        ),
        ("a<span data-mx-spoiler><blockquote>b</blockquote>c</span>d", "a\n||> b||\n||c||d"),
        ("<blockquote>a <span data-mx-spoiler>b</blockquote>c</span> d", "> a ||b||\n||c|| d"),
        ("<ul><li><span data-mx-spoiler>a</span></li><li>b</li></ul>", "- ||a||\n- b"),
        // Characters that would end the spoiler, or keep it from ending.
        ("<span data-mx-spoiler>a||b</span>", "||`a||b`||"), ("<span data-mx-spoiler>a\\</span>", "||`a\\`||"),
        ("<span data-mx-spoiler>&nbsp;a</span>", "||`\u{A0}a`||"),
        ("<span data-mx-spoiler>a`b</span>`", "||``a`b``||`"),
        ("|<span data-mx-spoiler>a</span>|", "| ||a|| |"), ("\\<span data-mx-spoiler>a</span>", "\\ ||a||"),
        ("<span data-mx-spoiler>a</span><span data-mx-spoiler>b</span>", "||a|| ||b||"),
    ])
    func `whatever is in a spoiler stands between bars, line by line`(html: String, text: String) {
        #expect(self.text(html) == text)
    }

    @Test(arguments: [
        "<b>a", "</b>a", "<b", "<", "</", "<b><b><b>a</b>", "<a href=\"x>a", "<!--", "<pre>a", "<blockquote>a",
        "</li></ul>a",
    ])
    func `HTML that is not closed loses no text`(html: String) {
        if html.contains("a"), !html.contains("\"") { #expect(text(html).contains("a")) }
    }

    @Test func `no tags, closed or not, hide a letter between them`() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let parts = [
            "<b>", "</b>", "<i>", "</i>", "<pre>", "</pre>", "<blockquote>", "</blockquote>", "<ul>", "<li>", "</ul>",
            "<a href=\"https://e.org\">", "</a>", "<br>", "&amp;", "&", "<", ">", "\"", "\n", " ", "a", "é", "<p>",
            "</p>", "<code>", "</code>", "<span data-mx-spoiler>", "</span>", "<mx-reply>", "*", "`", "_",
        ]
        for _ in 0..<500 {
            let pieces = (0..<30).map { _ in parts.randomElement(using: &random) ?? "" }
            let converted = text(pieces.joined())
            // A "<" may begin a tag with all that follows, and a quoted reply is left out.
            if pieces.contains("<") || pieces.contains("<mx-reply>") { continue }
            #expect(converted.count { $0 == "é" } == pieces.count { $0 == "é" }, "seed \(seed): \(pieces.joined())")
        }
    }

    @Test(arguments: [
        ("x<sup>2</sup> and H<sub>2</sub>O", "x² and H₂O"), ("e<sup>i pi</sup>", "e^(i pi)"),
        ("a<sub>max</sub>", "a_max"),
        ("x<sup> 10 </sup>y", "x ¹⁰ y"), ("see<sup>[1]</sup>", "see^[1]"), ("<sup></sup>a", "a"),
        ("the <span data-mx-spoiler=\"plot\">butler</span>", "the (plot) ||butler||"),
        ("<span data-mx-spoiler>a</span> b", "||a|| b"), ("<span data-mx-spoiler=\" \">a</span>", "||a||"),
    ])
    func `raised and lowered text differs, and a spoiler has its reason`(html: String, text: String) {
        let converted = Array(html.utf8).withUnsafeBytes { HTMLText.convert($0) }
        #expect(String(decoding: converted, as: UTF8.self) == text)
    }
}
