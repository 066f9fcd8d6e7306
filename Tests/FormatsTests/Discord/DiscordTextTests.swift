import JSON
import Testing

@testable import Formats

struct DiscordTextTests {
    private func converted(_ text: String) -> String {
        let names = ForeignNames(
            ForeignArchive(conversations: [ForeignConversation(id: "general", aliases: ["100"])]))
        let people = Array(#"[{"id":"7","name":"ana","nickname":"Ana L"},{"id":"8","name":"ben","nickname":""}]"#.utf8)
        let tree = JSONTree()
        var (out, text) = ([UInt8](), text)
        people.withUnsafeBytes { people in
            let mentions = tree.parse(people)
            text.withUTF8 { DiscordText(names: names, mentions: mentions).append(UnsafeRawBufferPointer($0), to: &out) }
        }
        return String(decoding: out, as: UTF8.self)
    }

    @Test(arguments: [
        "plain", "a < b > c", "<3", "<>", "<b>bold</b>", "**bold** *it* ~~s~~ ||spoiler||", "> quote", "`<@7>`",
        "`` a`b ``",
        "<@name>", "<t:x>", "<https://a b>", "```\ncode\n```", "```swift\nlet x\n```", "```open", "<:a:>",
        "[x](https://a.b)",
        "<t:99999999999999999>",
    ])
    func `text that Kedge shows as Discord does stays as it is`(text: String) {
        #expect(converted(text) == text)
    }

    @Test(arguments: [
        ("<@7> <@!8> <@9> <@&5>", "@Ana L @ben @9 @5"), ("<#100> <#101>", "#general #101"),
        ("<:kek:44> <a:dance:45>", ":kek: :dance:"),
        ("<t:1714550400:R>", "2024-05-01 08:00 UTC"), ("</play now:12>", "/play now"),
        ("<https://a.b/x>", "https://a.b/x"),
    ])
    func `tokens become what people read`(text: String, expected: String) {
        #expect(converted(text) == expected)
    }

    @Test(arguments: [
        ("see ```x``` there", "see \n```\nx\n```\n there"), ("```x\ny```", "```x\ny\n```"),
        ("```let a = 1\ny```", "```\nlet a = 1\ny\n```"),
        (">>> a\nb", "> a\n> b"), ("x\n>>> a\n\nb", "x\n> a\n> \n> b"),
    ])
    func `fences and long quotes get lines of their own`(text: String, expected: String) {
        #expect(converted(text) == expected)
    }

    @Test(arguments: [
        ("||a\nb||", "||a||\n||b||"), ("||\nline\n||", "\n||line||\n"), ("a || b || c", "a  ||b||  c"),
        ("||```\ncode\n```||", "||`code`||"), ("||`a` <@7>||", "||`a` @Ana L||"), ("||a||||b||", "||a|| ||b||"),
        ("|||a|||", "||`|a`|| |"), (">>> ||a\nb||", "> ||a||\n> ||b||"),
    ])
    func `each line of a spoiler gets its own bars`(text: String, expected: String) {
        #expect(converted(text) == expected)
    }

    @Test(arguments: ["`||a||`", "```\n||a||\n```", "||a", "||||", "a|b", "\\||a||"])
    func `bars in code, or without others, stay`(text: String) { #expect(converted(text) == text) }

    @Test(arguments: ["<", "`", "||" + String(repeating: "a", count: 98), "```", "`` `", "<@7 ", "<@7>", ">>> \n"])
    func `a long text takes no quadratic time`(piece: String) {
        let text = String(repeating: piece, count: 200_000 / piece.utf8.count)
        #expect(ContinuousClock().measure { _ = converted(text) } < .seconds(10))
    }
}
