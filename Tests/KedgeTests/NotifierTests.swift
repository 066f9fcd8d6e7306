import Foundation
import Messages
import Settings
import Testing

@testable import kedge

/// What reaches notify-send, by a program that stands in for it.
@Suite(.timeLimit(.minutes(30)))
struct NotifierTests {
    private func arguments(_ name: String, _ text: String, _ link: Link? = nil) throws -> [String] {
        let fake = try Fake(
            "for word in \"$@\"; do printf '%s\\0' \"$word\"; done > \"$0.new\"; mv \"$0.new\" \"$0.words\"")
        var settings = Config.Notify()
        settings.desktop = true
        let notifier = Notifier(settings, environment: Program.environment, program: fake.path)
        notifier.notify(from: name, text, link: link)
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            if let words = fake.file("words") {
                return words.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
            }
            guard ContinuousClock.now < deadline else { throw Tmux.Unmet(what: "notified") }
        }
    }

    @Test(arguments: [
        (
            #"<a href="file:///etc/passwd">it's</a> & more"#,
            "&lt;a href=&quot;file:///etc/passwd&quot;&gt;it&apos;s&lt;/a&gt; &amp; more"
        ),
        (#"\033[31m \377 \n \\ \x"#, #"\\033[31m \\377 \\n \\\\ \\x"#), ("\u{1B}[31m\0\u{202E}", "␛[31m␀"),
        ("<\u{338}b>", "&lt;\u{338}b&gt;"), ("--help", "--help"), ("", ""),
    ])
    func `A notification contains neither markup nor escape sequences`(text: String, expected: String) throws {
        #expect(try arguments("Ana", text) == ["--app-name=Kedge", "--", "Ana", expected])
    }

    @Test func `A notification carries the link of its message, in a line of its own`() throws {
        let link = Link(conversation: ConversationID("general"), message: MessageID("m-<1>"))
        #expect(try arguments("Ana", "hi", link).last == "hi\ngeneral/m-&lt;1&gt;")
    }

    @Test func `A name in a notification is never an option, and never empty`() throws {
        #expect(try arguments("--icon=/etc/x", "x") == ["--app-name=Kedge", "--", "--icon=/etc/x", "x"])
        #expect(try arguments("\u{202E}", "x") == ["--app-name=Kedge", "--", "Kedge", "x"])
    }

    @Test func `A notification shows the beginning of a text of any length`() throws {
        let marks = "a" + String(repeating: "\u{301}", count: 300_000)
        #expect(try arguments("Ana", marks).last?.utf8.starts(with: "a\u{301}".utf8) == true)
        #expect(
            try arguments("Ana", String(repeating: "<", count: 300_000)).last == String(repeating: "&lt;", count: 200))
    }
}
