import Testing

@testable import Formats

struct SlackBlocksTests {
    private func text(_ blocks: String, more: String = #""text":"fallback""#) throws -> String? {
        try SlackSource.text(more + #","blocks":["# + blocks + "]")
    }

    private func section(_ elements: String) throws -> String? {
        try text(#"{"type":"rich_text","elements":[{"type":"rich_text_section","elements":["# + elements + "]}]}")
    }

    @Test func `rich text is literal, and its styles become marks`() throws {
        #expect(try section(#"{"type":"text","text":"a *b* &amp; <c>"}"#) == "a *b* &amp; <c>")
        #expect(
            try section(
                #"{"type":"text","text":"to "},{"type":"text","text":" bold ","style":{"bold":true}},{"type":"text","text":"end"}"#
            )
                == "to  **bold** end")
        #expect(
            try section(#"{"type":"text","text":"x","style":{"bold":true,"italic":true,"strike":true}}"#)
                == "~~***x***~~")
        #expect(try section(#"{"type":"text","text":"a\nb","style":{"italic":true}}"#) == "*a*\n*b*")
        #expect(try section(#"{"type":"text","text":"x","style":{"code":true}}"#) == "`x`")
    }

    @Test func `neighbours of one style share their marks`() throws {
        #expect(
            try section(
                #"{"type":"text","text":"hi ","style":{"bold":true}},{"type":"user","user_id":"U00000001","style":{"bold":true}}"#
            )
                == "**hi @Ana**")
    }

    @Test(arguments: [
        (#"{"type":"user","user_id":"U00000001"}"#, "@Ana"),
        (#"{"type":"channel","channel_id":"C00000001"}"#, "#general"),
        (#"{"type":"broadcast","range":"here"}"#, "@here"), (#"{"type":"link","url":"https://a.b"}"#, "https://a.b"),
        (#"{"type":"link","url":"https://a.b","text":"it"}"#, "[it](https://a.b)"),
        (#"{"type":"link","url":"mailto:a@b.c","text":"a@b.c"}"#, "a@b.c"),
        (#"{"type":"emoji","name":"wave","unicode":"1f44b-1f3fd"}"#, "👋🏽"),
        (#"{"type":"emoji","name":"our_logo"}"#, ":our_logo:"),
        (#"{"type":"emoji","name":"x","unicode":"zz"}"#, "❌"),
        (#"{"type":"date","timestamp":1,"fallback":"May 1"}"#, "May 1"),
    ])
    func `elements become what people read`(element: String, expected: String) throws {
        #expect(try section(element) == expected)
    }

    @Test func `lists, quotes and code keep their lines`() throws {
        let blocks = #"""
            {"type":"rich_text","elements":[
              {"type":"rich_text_section","elements":[{"type":"text","text":"list:\n"}]},
              {"type":"rich_text_list","style":"bullet","indent":0,"elements":[
                {"type":"rich_text_section","elements":[{"type":"text","text":"one"}]},
                {"type":"rich_text_section","elements":[{"type":"text","text":"two"}]}]},
              {"type":"rich_text_list","style":"ordered","indent":1,"offset":2,"elements":[
                {"type":"rich_text_section","elements":[{"type":"text","text":"three"}]}]},
              {"type":"rich_text_quote","elements":[{"type":"text","text":"said\nso"}]},
              {"type":"rich_text_preformatted","elements":[{"type":"text","text":"let x = *1*"}]}]}
            """#
        #expect(try text(blocks) == "list:\n• one\n• two\n    3. three\n> said\n> so\n```\nlet x = *1*\n```")
    }

    @Test func `other blocks stand on lines of their own`() throws {
        let blocks = #"""
            {"type":"header","text":{"type":"plain_text","text":"Title"}},{"type":"divider"},
            {"type":"section","text":{"type":"mrkdwn","text":"*b* &amp; c"},"fields":[{"type":"mrkdwn","text":"f1"},{"type":"mrkdwn","text":"f2"}]},
            {"type":"context","elements":[{"type":"image","alt_text":"logo"},{"type":"mrkdwn","text":"by me"}]},
            {"type":"table","rows":[[{"type":"raw_text","text":"a"},{"type":"raw_text","text":"b"}]]}
            """#
        #expect(try text(blocks) == "**Title**\n**b** & c\nf1\nf2\nlogo by me\na | b")
    }

    @Test func `without readable blocks the text counts, and the source is kept where a block was left out`() throws {
        #expect(try text(#"{"type":"call"}"#) == "fallback")
        #expect(try SlackSource.text(#""text":"plain","blocks":null"#) == "plain")
        #expect(try SlackSource.text(#""text":null,"blocks":[]"#) == "(empty message)")
        let record = try SlackSource.record(
            #""text":"all of it","blocks":[{"type":"actions"},{"type":"section","text":{"type":"mrkdwn","text":"part"}}]"#
        )
        #expect(record["text"] as? String == "part")
        #expect(record["source"] as? String == "all of it")
    }

    @Test(arguments: [
        #""text":"Card","blocks":[{"type":"chart_2027"},{"type":"actions"}]"#,
        #""text":"Card","blocks":[{"type":"rich_text","elements":[{"type":"chart_2027"}]}]"#,
        #""text":"Card","blocks":[{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"chart_2027"}]}]}]"#,
        #""text":"Card","attachments":[{"blocks":[{"type":"chart_2027"}],"text":"x"}]"#,
    ]) func `a block or a part that is not known is reported, whatever the text`(fields: String) throws {
        let converted = try Converted(SlackSource.day(SlackSource.message(fields)), by: SlackFormat())
        #expect((converted.records["general"]?.first?["text"] as? String)?.hasPrefix("Card") == true)
        #expect(converted.problems.map(\.kind) == ["message with parts that Kedge does not read: chart_2027"])
    }

    @Test func `previews follow the text as quotes, and bodies of bots stand alone`() throws {
        let preview = #""attachments":[{"title":"T","title_link":"https://a.b","text":"one\ntwo","fallback":"no"}]"#
        #expect(try SlackSource.text(#""text":"see","# + preview) == "see\n> [T](https://a.b)\n> one\n> two")
        #expect(try SlackSource.text(#""text":"","# + preview) == "[T](https://a.b)\none\ntwo")
        #expect(try SlackSource.text(#""text":"","attachments":[{"fallback":"only this"}]"#) == "only this")
        #expect(
            try SlackSource.text(#""text":"","attachments":[{"pretext":"p","fields":[{"title":"k","value":"v"}]}]"#)
                == "p\nk: v")
    }
}
