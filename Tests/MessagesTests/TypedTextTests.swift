import Messages
import Testing

struct TypedTextTests {
    @Test(
        arguments: [
            ("hello", .message("hello")), ("/me waves", .action("waves")),
            ("/me  waves\ntwice", .action("waves\ntwice")),
            ("/me", .command("/me")), ("/me ", .command("/me")), ("/join x", .command("/join")),
            ("//join x", .message("/join x")),
            ("//me waves", .message("/me waves")), ("/usr/bin is full", .message("/usr/bin is full")),
            ("/", .message("/")),
            ("/ x", .message("/ x")), ("// a comment", .message("// a comment")), ("/* x */", .message("/* x */")),
            ("///join", .message("///join")), (" /me waves", .message(" /me waves")), ("/1", .message("/1")),
            ("/Me waves", .command("/Me")),
        ] as [(String, TypedText)])
    func `A word after a slash is a command`(typed: String, meant: TypedText) {
        #expect(TypedText(typed) == meant)
        switch meant {
        case .message(let text): #expect(TypedText(TypedText.typed(text, isAction: false)) == meant)
        case .action(let text): #expect(TypedText(TypedText.typed(text, isAction: true)) == meant)
        case .command: break
        }
    }
}
