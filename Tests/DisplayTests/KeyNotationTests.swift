import Display
import Testing

struct KeyNotationTests {
    @Test(arguments: [
        ("r", Key.character("r")), ("R", .character("R")), ("é", .character("é")), ("'", .character("'")),
        ("f", .character("f")), ("^", .character("^")), ("ctrl-k", .control("k")), ("Ctrl-K", .control("k")),
        ("^k", .control("k")), ("ctrl-_", .control("_")), ("alt-1", .alt("1")), ("Alt-A", .alt("A")),
        ("alt-a", .alt("a")), ("alt--", .alt("-")), ("PageUp", .pageUp), ("pgup", .pageUp), ("f1", .function(1)),
        ("F12", .function(12)), ("space", .character(" ")), ("enter", .enter), ("Return", .enter), ("esc", .escape),
        ("shift-tab", .backTab), ("alt-up", .altUp), ("alt-enter", .altEnter), ("alt-backspace", .alt("\u{7F}")),
        ("ctrl-space", .control("@")), ("ctrl-left", .held(.control, .left)), ("Alt-Right", .held(.alt, .right)),
        ("ctrl-del", .held(.control, .delete)), ("shift-alt-PgUp", .held([.alt, .shift], .pageUp)),
        ("ctrl-backspace", .held(.control, .backspace)),
    ])
    func `A key is read as people write it`(text: String, key: Key) { #expect(Key(notation: text) == key) }

    @Test(arguments: [
        ("ctrl-i", Key.tab), ("ctrl-m", .enter), ("ctrl-[", .escape), ("ctrl-h", .backspace), ("ctrl-?", .backspace),
        ("ctrl-/", .control("_")),
    ])
    func `A combination that terminals send as another key is that key`(text: String, key: Key) {
        #expect(Key(notation: text) == key)
    }

    @Test(arguments: [
        "", "rr", "ctrl-", "ctrl-kk", "ctrl-é", "ctrl-1", "alt-", "alt-ab", "f0", "f01", "f25", "f+1", "super-a", "\n",
        "\u{1B}", "alt-\u{1B}", "shift-a", "ctrl-alt-r", "ctrl-ctrl-left", "ctrl-f1", "shift-enter", "ctrl- left",
    ])
    func `Anything else is no key`(text: String) { #expect(Key(notation: text) == nil) }

    @Test(arguments: [
        Key.character("r"), .character("\""), .character(" "), .control("k"), .control("@"), .control("_"), .alt("a"),
        .alt("A"), .alt(" "), .altEnter, .alt("\u{7F}"), .alt("\t"), .enter, .escape, .tab, .backTab, .backspace,
        .delete, .insert, .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .altUp, .altDown, .function(1),
        .held(.control, .left), .held([.control, .alt, .shift], .delete), .held(.shift, .home),
        .function(24),
    ])
    func `Each key is written so that it can be read`(key: Key) { #expect(Key(notation: key.notation) == key) }
}
