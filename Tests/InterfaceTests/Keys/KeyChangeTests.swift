import Display
import Messages
import Testing

@testable import Interface

/// The keys of the user in place of those of the table.
struct KeyChangeTests {
    private func change(
        _ name: String, _ keys: Key..., in context: Keymap.Context = .conversation, line: Int = 2
    ) -> KeyChange { KeyChange(name, keys, in: context, at: "config.toml:\(line)") }

    private func keymap(_ changes: KeyChange...) -> Keymap {
        let (keymap, problems) = Keymap.standard.changed(by: changes)
        #expect(problems == [])
        return keymap
    }

    private func problems(_ changes: KeyChange...) -> [String] { Keymap.standard.changed(by: changes).problems }

    @Test func `A command has the keys that it was given, and no others`() {
        let keymap = keymap(change("reply", .character("a"), .alt("r")), change("quit"))
        #expect(keymap.action(for: .character("a")) == .reply && keymap.action(for: .alt("r")) == .reply)
        #expect(keymap.action(for: .character("r")) == nil && keymap.action(for: .character("q")) == nil)
        #expect(Keymap.standard.changed(by: []).keymap == .standard)
    }

    @Test func `A key that a command is given is taken from the command that had it`() {
        let keymap = keymap(change("reply", .character("t")))
        #expect(keymap.action(for: .character("t")) == .reply)
        #expect(keymap.bindings(in: .conversation).first { $0.action == .thread }?.keys == [])
        #expect(keymap.keyName(.thread) == ":thread")
    }

    @Test func `Commands can exchange their keys`() {
        let keymap = keymap(
            change("send", .altEnter, in: .composing), change("new-line", .enter, in: .composing, line: 3))
        #expect(keymap.action(for: .enter, in: .composing) == .fieldNewLine)
        #expect(keymap.action(for: .altEnter, in: .composing) == .activate)
        #expect(keymap.action(for: .enter) == .activate)
    }

    @Test func `An unknown command, and a key for two commands, are reported with their lines`() {
        #expect(
            problems(change("replay", .character("a")))
                == ["config.toml:2: unknown command keys.replay; ignored (did you mean keys.reply?)"])
        #expect(
            problems(change("frobnicate", .character("a"), in: .composing)) == [
                "config.toml:2: unknown command keys.writing.frobnicate; ignored (`kedge config --keys` lists them)"
            ])
        let (keymap, problems) = Keymap.standard.changed(by: [
            change("edit", .character("a")), change("reply", .character("b"), .character("a"), line: 3),
            change("up", .control("x"), in: .composing, line: 4),
        ])
        #expect(problems == ["config.toml:3: keys.reply: \"a\" is the key of keys.edit (config.toml:2); ignored"])
        #expect(keymap.action(for: .character("a")) == .edit && keymap.action(for: .character("b")) == .reply)
        #expect(keymap.action(for: .control("x"), in: .composing) == .up)
        // A command that gets none of its new keys keeps those that it has.
        let kept = Keymap.standard.changed(by: [change("edit", .character("a")), change("thread", .character("a"))])
        #expect(kept.keymap.action(for: .character("t")) == .thread)
    }

    @Test func `Esc and ^C always get the user out`() {
        #expect(
            problems(change("reply", .escape), change("edit", .control("c"), line: 3)) == [
                "config.toml:2: keys.reply: \"escape\" always cancels; ignored",
                "config.toml:3: keys.edit: \"ctrl-c\" always quits; ignored",
            ])
        var changes = [change("cancel"), change("interrupt")]
        for context in [Keymap.Context.composing, .typing] {
            changes += [change(context == .typing ? "cancel" : "leave", in: context), change("interrupt", in: context)]
        }
        let keymap = Keymap.standard.changed(by: changes).keymap
        for context in Keymap.Context.allCases {
            #expect(keymap.action(for: .escape, in: context) == .cancel)
            #expect(keymap.action(for: .control("c"), in: context) == .interrupt)
        }
    }

    @Test func `A command keeps its keys when the new ones begin with the key of another command`() {
        let begins = "begins with the key of keys.delete; ignored"
        let hidden = change("reply", .sequence(.character("x"), .character("y")))
        let (keymap, problems) = Keymap.standard.changed(by: [hidden])
        #expect(problems == ["config.toml:2: keys.reply: \"x y\" \(begins)"])
        #expect(keymap == .standard)
        let (other, _) = Keymap.standard.changed(by: [
            change("reply", .sequence(.character("x"), .character("y")), .alt("r"))
        ])
        #expect(other.action(for: .alt("r")) == .reply && other.action(for: .character("r")) == nil)
    }

    @Test func `Letters are text where a text is written, so no command can have them there`() {
        #expect(
            problems(change("send", .character("s"), in: .composing))
                == ["config.toml:2: keys.writing.send: \"s\" is text there; ignored"])
    }

    @Test func `The key of the help counts in texts too, unless it means something else there`() {
        let keymap = keymap(change("help", .character("H"), .function(2), .control("e")))
        #expect(keymap.action(for: .character("H")) == .help && keymap.action(for: .function(1)) == nil)
        for context in [Keymap.Context.composing, .typing] {
            #expect(keymap.bindings(in: context).first { $0.action == .help }?.keys == [.function(2)])
            #expect(keymap.action(for: .control("e"), in: context) == .fieldEnd)
        }
    }

    // MARK: - On the screen

    @Test func `Help, list of commands, hints and advice name the user's keys`() {
        let keymap = keymap(
            change("search", .function(5)), change("reply", .alt("r")), change("thread", .character("T")))
        var stage = Stage.open(Script.long(100), at: "m-50", columns: 80, rows: 40, me: PersonID("ben"), keymap: keymap)
        #expect(stage.rows[39].contains("F5 search"))
        stage.press(.enter)
        #expect(stage.rows[39].contains("nothing to open here; Alt-r replies, T begins a thread"))
        stage.press(.character(":"))
        stage.paste("reply")
        #expect(stage.rows[1].contains("Alt-r"))
        stage.press(.escape, .character("h"))
        stage.type("reply to the message")
        #expect(stage.screen.contains("Alt-r"))
        stage.press(.escape, .alt("r"))
        #expect(stage.model.panel == .composer)
    }

    @Test func `The nth key of conversation-by-number leads to the nth conversation`() {
        let dev = Conversation(id: ConversationID("dev"), title: "Dev", topic: nil)
        let keymap = keymap(change("conversation-by-number", .function(7), .function(8)))
        var stage = Stage.open(
            Script.long(10), at: nil, columns: 130, beside: [(dev, Script.long(5))], hidesList: false, keymap: keymap)
        stage.settle()
        let names = stage.model.rooms.sidebar.order
        for (key, id) in zip([Key.function(8), .function(7)], [names[1], names[0]]) {
            stage.press(key)
            stage.settle()
            #expect(stage.model.conversation?.id == id)
        }
    }

    @Test func `A digit that is the key of a command begins no percentage`() {
        let keymap = keymap(change("reply", .character("5")))
        var stage = Stage.open(Script.long(100), at: "m-50", me: PersonID("ben"), keymap: keymap)
        stage.press(.character("5"))
        #expect(stage.model.panel == .composer)
    }
}
