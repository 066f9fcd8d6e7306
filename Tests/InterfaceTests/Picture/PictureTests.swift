import Display
import Messages
import Testing

@testable import Interface

/// The pictures of messages, over the whole screen.
struct PictureTests {
    private static func stage(
        _ names: [String], columns: Int = 60, rows: Int = 14, changes: [KeyChange] = []
    ) -> Stage {
        var script = Script("2025-03-01T09:12:00Z")
        script.add("before", from: "Ben")
        script.add("look", from: "Ben") { message in
            message.attachments = names.map { Attachment(name: $0, path: "files/\($0)", size: 1_234) }
        }
        let keymap = Keymap.standard.changed(by: changes).keymap
        return Stage.open(script.messages, at: nil, columns: columns, rows: rows, keymap: keymap)
    }

    private static func requests(_ stage: Stage) -> [(file: MessageFile, room: Size, number: Int)] {
        stage.others.compactMap {
            if case .ask(.picture(let file, let room), .picture(let number)) = $0 { (file, room, number) } else { nil }
        }
    }

    private static func picture(_ number: Int, columns: Int, rows: Int) -> Picture {
        Picture(number: number, size: Size(columns: columns, rows: rows), pixels: .png([]))
    }

    @Test func `p shows the picture in the middle, and Esc the same screen as before`() throws {
        var stage = Self.stage(["tide.png"])
        #expect(stage.rows.last?.contains("p picture") == true)
        let before = stage.frame
        stage.press(.character("p"))
        let request = try #require(Self.requests(stage).first)
        #expect(request.room == Size(columns: 60, rows: 12) && request.file.attachment.name == "tide.png")
        #expect(stage.screen.contains("loading…") && stage.frame.picture == nil)
        #expect(stage.rows[0].hasPrefix(" tide.png  1.2 kB"))
        stage.send(
            .reply(.picture(request.number), .picture(.success(Self.picture(request.number, columns: 20, rows: 6)))))
        #expect(stage.frame.picture?.position == ScreenPosition(row: 4, column: 20))
        #expect(stage.rows.dropFirst().dropLast().allSatisfy { $0.isEmpty }, "the cells below a picture are blank")
        stage.press(.escape)
        #expect(stage.frame == before)
    }

    @Test func `A picture that has to be fetched says how much of it has come`() {
        var stage = Self.stage(["a.png", "b.png"])
        stage.press(.character("p"))
        stage.send(.reply(.picture(1), .file(.coming(received: 0))))
        #expect(stage.screen.contains("fetching…"))
        stage.send(.reply(.picture(1), .file(.coming(received: 1_100))))
        #expect(stage.screen.contains("fetching… 1.1 kB of 1.2 kB"))
        stage.press(.down)
        stage.send(.reply(.picture(1), .file(.coming(received: 1_200))))
        #expect(stage.screen.contains("loading…"), "the first picture is not looked at any more")
    }

    @Test func `A result that nobody waits for any more shows nothing`() {
        var stage = Self.stage(["a.png", "notes.txt", "b.JPEG"])
        stage.press(.character("p"))
        #expect(stage.rows[0].hasSuffix("1 of 2"))
        stage.press(.down)
        #expect(
            Self.requests(stage).map(\.file.attachment.name) == ["a.png", "b.JPEG"] && stage.rows[0].hasSuffix("2 of 2")
        )
        stage.send(.reply(.picture(1), .picture(.success(Self.picture(1, columns: 4, rows: 2)))))
        #expect(stage.frame.picture == nil)
        stage.send(.reply(.picture(2), .picture(.success(Self.picture(2, columns: 4, rows: 2)))))
        #expect(stage.frame.picture?.picture.number == 2)
        stage.press(.down, .down)
        #expect(Self.requests(stage).count == 2, "there is no third one")
        stage.press(.character("k"))
        #expect(Self.requests(stage).count == 3 && stage.frame.picture == nil)
    }

    @Test func `Another size of the screen asks for another picture`() {
        var stage = Self.stage(["a.png"])
        stage.press(.character("p"))
        stage.send(.reply(.picture(1), .picture(.success(Self.picture(1, columns: 60, rows: 12)))))
        #expect(stage.frame.picture != nil)
        stage.send(.resized(Size(columns: 40, rows: 10)))
        #expect(stage.frame.picture == nil && Self.requests(stage).last?.room == Size(columns: 40, rows: 8))
        stage.send(.resized(Size(columns: 9, rows: 10)))
        #expect(Self.requests(stage).count == 2 && stage.screen.contains("the scr"))
    }

    @Test func `The reason why there is no picture stands in its place, and o opens the file`() {
        var stage = Self.stage(["a.png"])
        stage.press(.character("p"))
        stage.send(.reply(.picture(1), .picture(.failure(EffectError("this terminal shows no pictures")))))
        #expect(stage.screen.contains("this terminal shows no pictures"))
        stage.press(.character("o"))
        #expect(stage.others.contains { if case .ask(.file, _) = $0 { true } else { false } })
        #expect(stage.rows.last?.contains("opening a.png") == true)
        stage.press(.character("q"))
        #expect(stage.screen.contains("look"))
    }

    @Test func `The keys of the user are named below a picture, and work there`() {
        let changes = [
            KeyChange("open-link", [.function(2)], at: "c:1"), KeyChange("show-picture", [.character("P")], at: "c:2"),
        ]
        var stage = Self.stage(["a.png"], changes: changes)
        stage.press(.character("P"))
        stage.send(.reply(.picture(1), .picture(.failure(EffectError("this terminal shows no pictures")))))
        #expect(stage.rows.last?.hasSuffix("F2 open file  Esc back") == true, "\(stage.screen)")
        stage.press(.character("o"))
        #expect(!stage.others.contains { if case .ask(.file, _) = $0 { true } else { false } })
        stage.press(.function(2))
        #expect(stage.others.contains { if case .ask(.file, _) = $0 { true } else { false } })
        stage.press(.character("P"))
        #expect(stage.screen.contains("look"))
        stage = Self.stage(["a.png"], changes: [KeyChange("open-link", [], at: "c:1")])
        stage.press(.character("p"))
        #expect(!stage.screen.contains("open file") && !stage.screen.contains("open-link"), "\(stage.screen)")
        stage.send(.input([.paste("q")]))
        #expect(!stage.screen.contains("look"), "pasted text is no key")
    }

    @Test func `A message without a picture says so, and help covers a picture`() {
        var stage = Self.stage(["notes.txt"])
        #expect(stage.rows.last?.contains("p picture") == false)
        stage.press(.character("p"))
        #expect(stage.rows.last?.contains("this message has no picture") == true)
        stage = Self.stage(["a.png"])
        stage.press(.character("p"))
        stage.send(.reply(.picture(1), .picture(.success(Self.picture(1, columns: 4, rows: 2)))))
        stage.press(.function(1))
        #expect(stage.frame.picture == nil)
        stage.press(.escape)
        #expect(stage.frame.picture != nil)
    }
}
