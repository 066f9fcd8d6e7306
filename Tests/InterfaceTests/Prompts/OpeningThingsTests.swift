import Display
import Messages
import Testing
import Timeline

@testable import Interface

/// Enter on any message, `o` on files, and the hints for both.
struct OpeningThingsTests {
    private static func stage(_ change: (inout Message) -> Void, columns: Int = 100, me: String? = "ana") -> Stage {
        var script = Script("2025-03-01T09:12:00Z")
        script.add("before", from: "Ben")
        script.add("the one", from: "Ben", change: change)
        return Stage.open(script.messages, at: nil, columns: columns, rows: 30, me: me.map { PersonID($0) })
    }

    private static let long = (1...100).map { "line \($0)." }.joined(separator: "\n")

    private func files(_ stage: Stage) -> [String?] {
        stage.others.compactMap { if case .ask(.file(let file), _) = $0 { .some(file.attachment.path) } else { nil } }
    }

    private func status(_ stage: Stage) -> String { stage.rows.last ?? "" }

    @Test func `Enter unfolds a folded message, and the hint explains z`() {
        var stage = Self.stage { $0.text = Self.long }
        #expect(status(stage).contains("z unfold"))
        stage.press(.enter)
        #expect(!stage.screen.contains("z unfolds") && stage.screen.contains("line 20."))
        #expect(status(stage).contains("z fold "))
        stage.press(.character("z"))
        #expect(status(stage).contains("z unfold"))
    }

    @Test func `A message that the user folded is unfolded too, and one that cannot be folded has no hint`() {
        var stage = Self.stage { $0.text = (1...20).map { "line \($0)." }.joined(separator: "\n") }
        #expect(!status(stage).contains("z "))
        stage.press(.character("z"))
        #expect(status(stage).contains("z unfold"))
        stage.press(.enter)
        #expect(stage.screen.contains("line 20."))
    }

    @Test func `Enter on a plain message says which other keys work on it`() {
        var stage = Self.stage { _ in }
        stage.press(.enter)
        #expect(status(stage).contains("nothing to open here; r replies, t begins a thread"))
        stage = Self.stage({ _ in }, me: nil)
        stage.press(.enter)
        #expect(status(stage).contains("nothing to open here") && !status(stage).contains("replies"))
        stage = Self.stage { $0.text = "see https://a.org" }
        stage.press(.enter)
        #expect(status(stage).contains("o opens the link of this message"))
        #expect(stage.opened.isEmpty)
    }

    @Test func `o opens the only file of a message, by the key and by a double click`() {
        var stage = Self.stage { $0.attachments = [Attachment(name: "a\u{1B}[31m.png", path: "files/a.png", size: 12)] }
        #expect(status(stage).contains("o open file"))
        stage.press(.character("o"))
        #expect(files(stage) == ["files/a.png"])
        #expect(status(stage).contains("opening a") && !status(stage).contains("\u{1B}"))
        let row = stage.rows.firstIndex { $0.contains("📎") } ?? 0
        stage.mouse(.press(clicks: 1), row: row, column: 30)
        stage.mouse(.press(clicks: 2), row: row, column: 30)
        #expect(files(stage).count == 2)
        stage.send(.notOpened("the file is missing: there is no files/a.png in the archive"))
        #expect(status(stage).contains("the file is missing"))
    }

    @Test func `Several links and files get numbers, and the prompt takes one`() {
        var stage = Self.stage { message in
            message.text = "see https://a.org/x"
            message.attachments = ["b.png", "c.pdf"].map { Attachment(name: $0, path: "files/\($0)", size: nil) }
        }
        let height = stage.model.timeline.layout.height
        stage.press(.character("o"))
        #expect(status(stage).contains("link or file:") && status(stage).contains("1 to 3"))
        #expect(["[1]ps://a.org/x", "[2] b.png", "[3] c.pdf"].allSatisfy(stage.screen.contains), "\(stage.screen)")
        #expect(stage.model.timeline.layout.height == height)
        stage.type("3")
        #expect(status(stage).contains("c.pdf"))
        stage.press(.enter)
        #expect(files(stage) == ["files/c.pdf"] && stage.opened.isEmpty)
        stage.press(.character("o"), .character("1"), .enter)
        #expect(stage.opened == ["https://a.org/x"])
    }

    private static let scan = Attachment(name: "scan.pdf", path: "files/scan.pdf", size: 3_400_000)

    private static func opened(_ stage: Stage) -> [String] {
        stage.others.compactMap { if case .openFile(let path) = $0 { path } else { nil } }
    }

    /// A message whose file was asked for, and that file.
    private static func fetching() throws -> (stage: Stage, file: MessageFile) {
        var stage = stage { $0.attachments = [scan] }
        stage.press(.character("o"))
        let found = stage.others.compactMap { if case .ask(.file(let file), _) = $0 { file } else { nil } }
        let file = try #require(found.first)
        stage.send(.reply(.task(.open(file)), .file(.coming(received: 0))))
        return (stage, file)
    }

    @Test func `A file that has to be fetched is opened when it is here, and no row moves meanwhile`() throws {
        var (stage, file) = try Self.fetching()
        let rows = stage.rows.dropLast()
        #expect(status(stage).contains("fetching scan.pdf…   Esc gives up") && !status(stage).contains("opening"))
        stage.press(.up, .down)
        stage.send(.reply(.task(.open(file)), .file(.coming(received: 1_200_000))))
        #expect(status(stage).contains("fetching scan.pdf… 1.2 MB of 3.4 MB   Esc gives up"))
        #expect(stage.rows.dropLast() == rows && Self.opened(stage).isEmpty)
        stage.send(.reply(.task(.open(file)), .file(.here(path: "/a/files/scan.pdf"))))
        #expect(Self.opened(stage) == ["/a/files/scan.pdf"] && status(stage).contains("opening scan.pdf"))
        stage.press(.up)
        #expect(!status(stage).contains("fetching") && !status(stage).contains("opening"))
    }

    @Test func `Esc gives up a file that is being fetched, and what comes later opens nothing`() throws {
        var (stage, file) = try Self.fetching()
        stage.press(.escape)
        #expect(!status(stage).contains("fetching"))
        stage.send(.reply(.task(.open(file)), .file(.coming(received: 5))))
        stage.send(.reply(.task(.open(file)), .file(.here(path: "/a/files/scan.pdf"))))
        stage.send(.reply(.task(.open(file)), .file(.failed(.noSuchMessage(MessageID("gone"), in: Stage.general.id)))))
        #expect(Self.opened(stage).isEmpty && !status(stage).contains("gone") && !status(stage).contains("fetching"))
        stage.press(.character("o"))
        stage.send(.reply(.task(.open(file)), .file(.here(path: "/a/files/scan.pdf"))))
        #expect(Self.opened(stage) == ["/a/files/scan.pdf"])
    }

    @Test func `A file that does not come is asked for again, until it is here or Esc is pressed`() throws {
        for isGivenUp in [false, true] {
            var (stage, file) = try Self.fetching()
            for delay in [1, 2, 4] {
                stage.send(.reply(.task(.open(file)), .file(.failed(.unavailable("the line is down")))))
                #expect(status(stage).contains("scan.pdf did not come · next try in \(delay) s"), "\(status(stage))")
                stage.passTime()
                #expect(stage.others.contains { if case .ask(.file(file), _) = $0 { true } else { false } })
            }
            if isGivenUp { stage.press(.escape) }
            stage.send(.reply(.task(.open(file)), .file(.here(path: "/a/files/scan.pdf"))))
            #expect(Self.opened(stage) == (isGivenUp ? [] : ["/a/files/scan.pdf"]))
        }
    }

    @Test func `A file that cannot be fetched says why`() throws {
        var (stage, file) = try Self.fetching()
        stage.send(
            .reply(
                .task(.open(file)),
                .file(.failed(.unreadable("scan.pdf is not here yet, and offline: no route to host")))))
        #expect(status(stage).contains("scan.pdf is not here yet, and offline: no route to host"))
        stage.press(.up)
        #expect(!status(stage).contains("fetching"))
    }

    @Test(arguments: [
        ("/a/files/x.desktop", false, true), ("/a/files/x.sh", false, true), ("/a/files/x.html", false, true),
        ("/a/files/x.jar", false, true), ("/a/files/x.svg", false, true), ("/a/files/run", false, true),
        ("/a/files/scan.pdf", true, true), ("/a/files/scan.png", false, true), ("/a/files/scan.pdf.exe", false, true),
        ("/a/files/scan.PDF", false, false), ("/a/files/other.pdf", false, false),
    ])
    func `A file that may run, or is not what it is shown as, is opened only after a y`(
        path: String, isExecutable: Bool, asks: Bool
    ) throws {
        var (stage, file) = try Self.fetching()
        stage.send(.reply(.task(.open(file)), .file(.here(path: path, isExecutable: isExecutable))))
        #expect(Self.opened(stage) == (asks ? [] : [path]))
        guard asks else { return }
        let name = try #require(path.split(separator: "/").last)
        #expect(status(stage).contains(name) && status(stage).contains("y opens it"))
        stage.press(.character("n"))
        #expect(Self.opened(stage).isEmpty)
        (stage, file) = try Self.fetching()
        stage.send(.reply(.task(.open(file)), .file(.here(path: path, isExecutable: isExecutable))))
        stage.press(.character("y"))
        #expect(Self.opened(stage) == [path])
    }
}
