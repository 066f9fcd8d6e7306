import Display
import Foundation
import Interface
import Messages
import Testing

@testable import kedge

/// What `KEDGE_LOG=debug` leaves in the log.
@Suite(.timeLimit(.minutes(30)))
struct TraceTests {
    private let state = FileManager.default.temporaryDirectory.appending(path: "kedge-trace-\(UUID().uuidString)").path

    /// Opens an archive, types, leaves, and reads the log.
    /// - Parameter isReady: whether the last of the keys may be typed.
    private func log(
        of archive: String, _ keys: [String], environment: [String: String], status: Int32 = 0,
        isReady: @escaping () -> Bool = { true }
    ) throws -> [String] {
        defer { try? FileManager.default.removeItem(atPath: state) }
        let console = try Console(
            ["open", "--archive", archive, "general"], columns: 80, rows: 24,
            environment: environment.merging(["XDG_STATE_HOME": state]) { $1 })
        try console.wait("opened") { console.text.contains("general/") }
        for key in keys.dropLast() { console.type(key) }
        try console.wait("ready", isReady)
        if let last = keys.last { console.type(last) }
        #expect(try console.status() == status << 8)
        let text = (try? String(contentsOfFile: state + "/kedge/kedge.log", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { String($0) }
    }

    @Test func `Each event, effect and frame is a line with its time`() throws {
        let lines = try log(of: Program.demo, ["q"], environment: ["KEDGE_LOG": "debug"])
        for line in lines {
            #expect(line.wholeMatch(of: #/\S+ debug \d+\.\d{3} ms (event|effect|frame).*/#) != nil, "\(line)")
        }
        let steps = lines.compactMap { line in line.split(separator: " ms ").last.map { String($0) } }
        #expect(steps.contains { $0.hasPrefix("effect ask page general latest ") })
        #expect(
            steps.contains { $0.contains(#/^event reply list .* page of \d+ messages m-\d+ to m-\d+, first /#) }
        )
        #expect(steps.contains("frame"))
        // What the store was asked for before may come in after that.
        #expect(steps.contains(["event input 1", "effect quit done"]))
        let times = lines.compactMap { Double($0.split(separator: " ")[2]) }
        #expect(times.count == lines.count && times == times.sorted())
    }

    @Test func `No text that is typed, sent or shown is in the log`() throws {
        let archive = try ScratchArchive()
        let lines = try log(
            of: archive.path, ["/hello\r", "ihello from me\r", "\u{3}"], environment: ["KEDGE_LOG": "debug"],
            status: 130, isReady: { (try? archive.log().contains("hello from me")) ?? false })
        #expect(try archive.log().contains("hello from me"))
        #expect(lines.contains { $0.contains("ms effect ask send ") })
        #expect(lines.contains { $0.contains("ms effect ask places ") })
        #expect(!lines.contains { $0.contains("hello") })
    }

    @Test(arguments: ["", nil]) func `Without tracing the log stays as it was`(value: String?) throws {
        let lines = try log(of: Program.demo, ["q"], environment: value.map { ["KEDGE_LOG": $0] } ?? [:])
        #expect(!lines.contains { $0.contains(" ms ") })
    }

    @Test func `An unknown value is wrong usage`() throws {
        let console = try Console(
            ["open", "--archive", Program.demo, "general"], columns: 80, rows: 24, environment: ["KEDGE_LOG": "Debug"])
        #expect(try console.status() == 2 << 8)
        #expect(console.text == "kedge: KEDGE_LOG is \"Debug\"; set it to debug, or unset it\r\n")
    }

    private static let id = ConversationID("general")
    private static let secret = Message(
        id: MessageID("m-1"), at: Timestamp(milliseconds: 0), sender: Person(id: PersonID("ana"), name: "secret"),
        text: "secret",
        cursor: Cursor(token: "secret"))
    private static let post = Post(
        id: MessageID("p-1"), at: Timestamp(milliseconds: 0), sender: PersonID("ana"),
        content: .message(text: "secret", replyTo: nil, thread: nil))
    private static let file = MessageFile(
        Attachment(name: "secret", path: "files/secret", size: 3), of: secret.id, in: id)

    @Test(
        arguments: [
            .input([.paste("secret"), .paste("secret")]), .reply(.request(.problems), .problems(["secret"])),
            .notOpened("secret"),
            .trouble("secret"),
            .reply(.request(.obstacle(id)), .obstacle("secret")), .changed(id, [.arrived(secret)]),
            .arrived([Arrival(conversation: id, message: secret)]),
            .reply(.place(id, secret.id), .place(.success((nil, [secret])))),
            .reply(.post(id, post.id), .done(.failure(.notSent("secret")))),
            .reply(.conversations(epoch: 1), .conversations(.failure(.unreadable("secret")))),
            .reply(.preview(epoch: 1), .page(.success(Page(messages: [secret], older: .end, newer: .end)))),
            .reply(.task(.open(file)), .file(.here(path: "secret"))),
        ] as [Event])
    func `The line of an event contains no text`(event: Event) throws {
        let text = try #require(event.traceText)
        #expect(!text.contains("secret"))
    }

    @Test(
        arguments: [
            .copy("secret"), .openLink("secret"), .notify(from: "secret", text: "secret"),
            .ask(.send(post, id, isRetry: true), .post(id, post.id)), .ask(.make("secret"), .request(.make("secret"))),
            .ask(.join("secret"), .request(.join("secret"))), .ask(.file(file), .task(.open(file))),
            .keepDraft(id, Draft(text: "secret", outbox: [post])), .wait(.seconds(1), .trouble("secret")),
        ] as [Effect])
    func `The line of an effect contains no text`(effect: Effect) {
        #expect(!effect.traceText.contains("secret"))
    }

    @Test func `A long ID is cut`() {
        let line = Event.retry(.post(ConversationID(String(repeating: "c", count: 1_000_000)), MessageID("m-1")))
            .traceText
        #expect(line == "retry post \(String(repeating: "c", count: 60))… m-1")
    }
}
