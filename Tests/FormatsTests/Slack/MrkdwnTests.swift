import Testing

@testable import Formats

struct MrkdwnTests {
    private func converted(_ text: String) -> String {
        let names = ForeignNames(
            ForeignArchive(
                people: [ForeignPerson(id: "U1", name: "Ana Lopez")],
                conversations: [ForeignConversation(id: "general", aliases: ["C1"])]))
        var (out, text) = ([UInt8](), text)
        text.withUTF8 { Mrkdwn(names: names).append(UnsafeRawBufferPointer($0), to: &out) }
        return String(decoding: out, as: UTF8.self)
    }

    @Test(arguments: [
        "plain", "2 * 3 * 4", "snake_case_name", "a*b*c", "5 ~ 6", "~/.config", "* item\n* item", "**", "~~", "__",
        "_ _", "`", "``",
        "10:30:45", "http://a:80/b", "a < b", "<", "<>", "&", "&nbsp;", "*open", "end*", "\u{202E}\u{0}", "𝄞 naïve",
        ":no_such_code_here:", "one * two* three", "*a\nb*",
    ])
    func `text without marks stays as it is`(text: String) {
        #expect(converted(text) == text)
    }

    @Test(arguments: [
        ("*bold*", "**bold**"), ("_italic_", "*italic*"), ("~struck~", "~~struck~~"), ("*_both_*", "***both***"),
        ("(*bold*), yes", "(**bold**), yes"), ("*a* and *b*", "**a** and **b**"), ("“*bold*”", "“**bold**”"),
        ("*see <https://a.b/x*y|this>*", "**see [this](https://a.b/x*y)**"),
        ("*bold text*\n*more*", "**bold text**\n**more**"),
    ])
    func `marks of mrkdwn become those of Markdown`(text: String, expected: String) {
        #expect(converted(text) == expected)
    }

    @Test(arguments: [
        ("`a*b*c &lt;`", "`a*b*c <`"), ("`<https://a.b>`", "`https://a.b`"), ("```x = *y*```", "```\nx = *y*\n```"),
        ("see ```\na\n``` there", "see \n```\na\n```\n there"), ("```open", "```open"), ("`:+1:`", "`:+1:`"),
    ])
    func `in code nothing but entities and links has a meaning`(text: String, expected: String) {
        #expect(converted(text) == expected)
    }

    @Test(arguments: [
        ("&gt; quoted\nnot", "> quoted\nnot"), ("&gt;quoted", "> quoted"), ("a &gt; b", "a > b"),
        ("&gt;&gt;&gt;a\nb", "> a\n> b"),
    ])
    func `quotes keep their lines`(text: String, expected: String) {
        #expect(converted(text) == expected)
    }

    @Test(arguments: [
        ("<@U1>", "@Ana Lopez"), ("<@U1|ana>", "@Ana Lopez"), ("<@U2|ben>", "@ben"), ("<@U2>", "@U2"),
        ("<#C1>", "#general"),
        ("<#C1|>", "#general"), ("<#C2|random>", "#random"), ("<#C2>", "#C2"), ("<!here>", "@here"),
        ("<!here|@here>", "@here"),
        ("<!subteam^S1|@team>", "@team"), ("<!date^1^{date}|May 1 &amp; 2>", "May 1 & 2"),
    ])
    func `mentions become names`(text: String, expected: String) {
        #expect(converted(text) == expected)
    }

    @Test(arguments: [
        ("<https://a.b/?x=1&amp;y=2>", "https://a.b/?x=1&y=2"),
        ("<https://a.b|label &amp; more>", "[label & more](https://a.b)"),
        ("<http://a.b|a.b>", "http://a.b"), ("<mailto:a@b.c|a@b.c>", "a@b.c"),
        ("<https://a.b/x_(y)|wiki>", "[wiki](https://a.b/x_(y))"),
        ("&amp;lt;", "&lt;"), ("<https://a.b/?q=&amp;lt;>", "https://a.b/?q=&lt;"),
    ])
    func `links keep their targets, and entities are resolved once`(text: String, expected: String) {
        #expect(converted(text) == expected)
    }

    @Test(arguments: [
        (":+1:", "👍"), (":wave::skin-tone-3:", "👋🏼"), (":flag-de:", "🇩🇪"), (":man-shrugging:", "🤷‍♂️"), (":cat:", "🐱"),
        (":tada::fire:", "🎉🔥"), (":party_parrot_:", ":party_parrot_:"), ("well:smile:", "well😄"),
        (":simple_smile:", "🙂"),
    ])
    func `short codes become emoji, and custom ones stay`(text: String, expected: String) {
        #expect(converted(text) == expected)
    }

    @Test(arguments: ["*a ", "<", "`", "```", ":a", "_a *a ~a ", "&gt;\n", "<a *b "])
    func `a long text takes no quadratic time`(piece: String) {
        let text = String(repeating: piece, count: 200_000 / piece.utf8.count)
        #expect(ContinuousClock().measure { _ = converted(text) } < .seconds(10))
    }
}
