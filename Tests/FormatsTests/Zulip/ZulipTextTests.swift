import TestSupport
import Testing

@testable import Formats

struct ZulipTextTests {
    private func read(_ html: String) -> ZulipText {
        var text = ZulipText()
        Array(html.utf8).withUnsafeBytes { text.read($0) }
        return text
    }

    private func text(_ html: String) -> String { String(decoding: read(html).bytes, as: UTF8.self) }

    @Test(arguments: [
        ("", ""), ("<p>plain  text</p>", "plain  text"), ("<p>a &lt; b</p>", "a < b"),
        ("<p>a<br>\nb</p>\n<p>c</p>", "a\nb\n\nc"),
        ("<p> blanks </p>", "blanks"), ("<p>", ""), ("no element", "no element"), ("<p></p>", ""),
        ("<p><strong>b</strong> <em>i</em> <del>s</del> <code>c</code></p>", "**b** *i* ~~s~~ `c`"),
        (#"<p><span class="user-mention" data-user-id="5">@Ana</span> hi</p>"#, "@Ana hi"),
        (#"<p><span class="user-mention silent" data-user-id="5">Ana</span> hi</p>"#, "Ana hi"),
        (#"<p><a class="stream" data-stream-id="9" href="/#narrow/stream/9-x">#x</a></p>"#, "#x"),
        (
            #"<p>ok <span aria-label="smile" class="emoji emoji-1f604" role="img" title="smile">:smile:</span>!</p>"#,
            "ok 😄!"
        ),
        (#"<p><span class="emoji emoji-1f1fa-1f1f8" title="us">:us:</span></p>"#, "🇺🇸"),
        (#"<p><span class="emoji emoji-zz" title="x">:x:</span></p>"#, ":x:"),
        (#"<p><img alt=":zulip:" class="emoji" src="/static/z.png" title="zulip"></p>"#, ":zulip:"),
        (#"<p><time datetime="2024-05-01T08:00:00Z">Wed, 8:00</time></p>"#, "Wed, 8:00"),
        (
            "<p>x</p>\n<div class=\"codehilite\" data-code-language=\"Python\"><pre><span></span><code><span class=\"k\">def</span> f():\n    pass\n</code></pre></div>\n<p>y</p>",
            "x\n```python\ndef f():\n    pass\n```\n\ny"
        ),
        (
            "<div class=\"codehilite\" data-code-language=\"Python 2.x\"><pre><span></span><code>f\n</code></pre></div>",
            "```\nf\n```"
        ),
        (
            #"<p>so <span class="katex"><span class="katex-mathml"><math><mi>a</mi><annotation encoding="application/x-tex">a_1 &lt; b_2</annotation></math></span><span class="katex-html" aria-hidden="true"><span class="mord">a</span></span></span> holds</p>"#,
            "so `$$a_1 < b_2$$` holds"
        ),
        (
            #"<p><span class="katex-display"><span class="katex"><annotation encoding="application/x-tex">x*y</annotation></span></span></p>"#,
            "```math\nx*y\n```"
        ),
        (
            #"<div class="spoiler-block"><div class="spoiler-header"><p>Head</p></div><div class="spoiler-content" aria-hidden="true"><p>end</p></div></div><p>after</p>"#,
            "Head\n\n||end||\n\nafter"
        ),
        (
            #"<p><a href="https://e.org/a.png">a.png</a></p><div class="message_inline_image"><a href="https://e.org/a.png"><img src="x"></a><div>x</div></div><p>b</p>"#,
            "[a.png](https://e.org/a.png)\n\nb"
        ),
        (#"<p>a</p><div class="message_embed"><a>title</a></div>"#, "a"),
        (#"<p>a</p><div class="youtube-video message_inline_image"><a>title</a>"#, "a"),
        (#"<span class="katex"><annotation>"#, ""), (#"<span class="katex">x"#, ""),
        (#"</div><p class="x">a</p></div></span>"#, "a"),
    ])
    func `elements of Zulip become light marks`(html: String, text: String) {
        #expect(self.text(html) == text)
    }

    @Test func `a spoiler ends with its element, whatever emoji it holds`() {
        let html =
            #"<div class="spoiler-content"><p><span class="emoji emoji-1f604">:smile:</span> a</p></div><p>b <span class="x">c</span></p>"#
        #expect(text(html) == "||😄 a||\n\nb c")
    }

    @Test func `files are named, and are not in the archive`() {
        let text = read(#"<p><a href="/user_uploads/2/ab/a%20b.png">a b.png</a> and <a href="https://e.org">x</a></p>"#)
        #expect(text.files == [ForeignAttachment(name: "a b.png")])
        #expect(String(decoding: text.bytes, as: UTF8.self) == "a b.png and [x](https://e.org)")
        #expect(read("<p>none</p>").files.isEmpty)
    }

    @Test(arguments: [
        (#"href="https://x.zulipchat.com/#narrow/stream/9-x/topic/t/near/123""#, "</blockquote>\n<p>yes</p>", "123"),
        (#"class="message-link" href="/#narrow/channel/9-x/topic/t/near/123""#, "</blockquote>", "123"),
        (#"href="/#narrow/channel/9-x/topic/t/with/123""#, "</blockquote>", nil),
        (#"href="/#narrow/channel/9-x/topic/t/near/""#, "</blockquote>", nil),
        (#"href="/#narrow/near/1234567890123456789""#, "</blockquote>", nil),
    ])
    func `a message that quotes another one replies to it`(link: String, end: String, id: String?) {
        let html =
            "<p><span class=\"user-mention silent\" data-user-id=\"5\">Ana</span> <a \(link)>said</a>:</p>\n<blockquote>\n<p>a</p>\n\(end)"
        #expect(read(html).quoted.map { String(decoding: $0, as: UTF8.self) } == id)
    }

    @Test func `a message that only links to another one is no reply`() {
        let link = #"<a href="/#narrow/stream/9/topic/t/near/123">said</a>"#
        let name = #"<p><span class="user-mention">@Ana</span>"#
        #expect(read("\(name) \(link) it</p>").quoted == nil)
        #expect(read("<p>Ana \(link):</p>\n<blockquote>\n<p>a</p>\n</blockquote>").quoted == nil)
        #expect(
            read("\(name) \(link): see <a href=\"/x\">y</a>:</p>\n<blockquote>\n<p>a</p>\n</blockquote>").quoted == nil)
    }

    @Test func `actions lose the word that began them, unless they name the topic`() throws {
        let messages = [
            ZulipSource.message(1, "<p>/me waves</p>"), ZulipSource.message(2, "<p>/me <strong>waves</strong></p>"),
            ZulipSource.message(3, "<p>/men</p>"),
        ]
        let records = try Converted(ZulipSource.source(messages), by: ZulipFormat()).records["general"] ?? []
        #expect(records.map { $0["text"] as? String } == ["**hello**\n/me waves", "**waves**", "/men"])
        #expect(records.map { $0["kind"] as? String } == [nil, "action", nil])
    }

    @Test func `long texts take linear time`() {
        let deep = String(repeating: "<div class=\"spoiler-content\">", count: 4_000)
        let open = String(repeating: "<span class=\"katex\">", count: 4_000)
        let spans = String(repeating: "<span class=\"x\">a", count: 4_000)
        for html in [deep, open, spans, deep + open] { #expect(text(html).utf8.count < 20_000) }
    }
}
