import Foundation
import Messages
import Testing

@testable import Settings

final class ReadPositionsTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-read-\(UUID().uuidString)")
    private var state: String { folder.appending(path: "state").path }
    private var path: String { state + "/read.json" }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func positions(_ archive: String = "/archive", of reader: PersonID? = nil) -> ReadPositions {
        ReadPositions(folder: state, archive: archive, reader: reader)
    }

    private func position(_ id: String, _ index: Int? = nil) -> ReadPosition {
        ReadPosition(message: MessageID(id), index: index)
    }

    private func loaded(_ archive: String = "/archive") -> [String: String] {
        var positions = positions(archive)
        let (read, problem) = positions.load()
        #expect(problem == nil)
        return Dictionary(uniqueKeysWithValues: read.map { ($0.key.rawValue, $0.value.message?.rawValue ?? "nothing") })
    }

    private func read() -> [ConversationID: ReadPosition] {
        var positions = positions()
        return positions.load().positions
    }

    private func write(_ text: String) throws {
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: state).sorted() }

    private let one = ConversationID("one")
    private let two = ConversationID("two")

    @Test func `Without a file nothing has been read, and reading creates none`() {
        #expect(loaded() == [:])
        #expect(!FileManager.default.fileExists(atPath: state))
    }

    @Test func `Positions are there the next time, for their archive alone`() throws {
        var mine = positions()
        #expect(mine.advance([one: position("m-1", 7), two: position("m-2")]) == nil)
        var other = positions("/other")
        #expect(other.advance([one: position("m-9")]) == nil)
        #expect(loaded() == ["one": "m-1", "two": "m-2"])
        #expect(loaded("/other") == ["one": "m-9"])
        var again = positions()
        #expect(again.load().positions[one]?.index == 7)
        #expect(try files() == ["read.json", "read.json.lock"])
    }

    @Test func `A conversation can be marked as unread from its first message on, and an earlier Kedge reads the file`()
        throws
    {
        var mine = positions()
        #expect(mine.advance([one: ReadPosition(message: nil, index: nil)]) == nil)
        #expect(loaded() == ["one": "nothing"])
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("\"message\" : \"\""))
        #expect(ReadStates(positions: read(), baseline: nil)[one] == .nothing)
    }

    @Test func `A place that the user has chosen counts, even if another process has read further`() {
        var (mine, other) = (positions(), positions())
        #expect(mine.advance([one: position("m-4", 4)]) == nil)
        #expect(other.advance([one: position("m-9", 9)]) == nil)
        var chosen = position("m-3", 3)
        chosen.isChosen = true
        #expect(mine.advance([one: chosen]) == nil)
        #expect(loaded() == ["one": "m-3"])
        #expect(mine.advance([one: position("m-5", 5)]) == nil)
        #expect(loaded() == ["one": "m-5"])
    }

    @Test func `Replies that wait in threads are kept with the position`() {
        let open = [ThreadReply(thread: MessageID("m-1"), message: MessageID("r \"1\""))]
        let marks = ThreadMarks(upTo: MessageID("m-9"), open: open)
        let read = ReadPosition(message: MessageID("m-8"), index: 8, threads: marks)
        let other = ReadPosition(message: MessageID("m-2"), index: nil, threads: ThreadMarks(upTo: MessageID("m-3")))
        var mine = positions()
        #expect(mine.advance([one: read, two: other]) == nil)
        var again = positions()
        #expect(again.load().positions == [one: read, two: other])
        let seen = ReadPosition(message: MessageID("m-8"), index: 8, threads: ThreadMarks(upTo: MessageID("m-9")))
        #expect(again.advance([one: seen]) == nil)
        var third = positions()
        #expect(third.load().positions == [one: seen, two: other])
    }

    @Test func `Each reader has positions, and positions without a reader count for everyone else`() {
        let (ana, ben) = (PersonID("ana"), PersonID("ben"))
        var nobody = positions()
        #expect(nobody.advance([one: position("m-1")]) == nil)
        var first = positions(of: ana)
        #expect(first.load().positions == [one: position("m-1")])
        #expect(first.advance([one: position("m-5"), two: position("m-6")]) == nil)
        var second = positions(of: ben)
        #expect(second.load().positions == [one: position("m-1")])
        #expect(second.advance([one: position("m-3")]) == nil)
        first = positions(of: ana)
        #expect(first.load().positions == [one: position("m-5"), two: position("m-6")])
        second = positions(of: ben)
        #expect(second.load().positions == [one: position("m-3")])
        #expect(loaded() == ["one": "m-1"])
    }

    @Test(arguments: [
        "", "\"", "\\", "\n\r\t", "\0", "a/b", "../..", "\u{1B}[2J", "\u{202E}abc", "👩‍👩‍👧", "null", "{\"a\":1}",
        String(repeating: "long ", count: 10_000),
    ])
    func `IDs and paths may contain any characters`(text: String) {
        var mine = positions("/" + text)
        #expect(mine.advance([ConversationID(text): position(text)]) == nil)
        // An empty ID, which no message has, says that nothing is read.
        #expect(loaded("/" + text) == [text: text.isEmpty ? "nothing" : text])
    }

    @Test func `IDs are compared by their bytes`() {
        let (composed, apart) = ("\u{E9}", "e\u{301}")
        for archive in [composed, apart] {
            var mine = positions(archive)
            for id in [composed, apart] {
                #expect(mine.advance([ConversationID(id): position("\(archive) \(id)")]) == nil)
            }
        }
        for archive in [composed, apart] {
            var mine = positions(archive)
            let read = mine.load().positions
            #expect(read.count == 2)
            for id in [composed, apart] {
                #expect(read[ConversationID(id)]?.message == MessageID("\(archive) \(id)"))
            }
        }
    }

    @Test func `Processes that read at the same time lose none of each other's positions`() async {
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                var mine = positions()
                _ = mine.load()
                group.addTask {
                    for step in 0..<25 {
                        let read = ReadPosition(message: MessageID("m-\(step)"), index: step)
                        #expect(mine.advance([ConversationID("talk \(writer)"): read]) == nil)
                    }
                }
            }
        }
        #expect(loaded() == Dictionary(uniqueKeysWithValues: (0..<4).map { ("talk \($0)", "m-24") }))
    }

    @Test func `A process with an older position does not move another one back`() {
        var late = positions()
        #expect(late.advance([one: position("m-1", 1)]) == nil)
        var other = positions()
        _ = other.load()
        #expect(other.advance([one: position("m-20", 20)]) == nil)
        #expect(late.advance([one: position("m-15", 15)]) == nil)
        #expect(loaded() == ["one": "m-20"])
        #expect(late.advance([one: position("m-30", 30)]) == nil)
        #expect(loaded() == ["one": "m-30"])
    }

    @Test func `In a conversation that was replaced by a shorter one, positions still advance`() {
        var mine = positions()
        #expect(mine.advance([one: position("m-100", 100)]) == nil)
        var again = positions()
        _ = again.load()
        #expect(again.advance([one: position("n-5", 5)]) == nil)
        #expect(loaded() == ["one": "n-5"])
    }

    @Test(arguments: [
        "", "not JSON", "{\"version\":1,\"read\":[{\"archive\":\"/archive\"}]}", "[]", "{\"version\":1}",
        "{\"version\":1,\"read\":[", "{\"version\":1,\"read\":[7]}", "{\"version\":1.5,\"read\":[]}",
        "{\"version\":1,\"read\":{}}", "{\"read\":[]}",
    ])
    func `A damaged file of positions is reported, kept under another name, and stops nothing`(text: String) throws {
        try write(text)
        var mine = positions()
        let (read, problem) = mine.load()
        #expect(read.isEmpty)
        #expect(problem == "\(path) is damaged: your read positions could not be read")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text, "looking changes nothing")
        for name in ["read.json.broken", "read.json.broken-2"] {
            try write(text)
            let told = mine.advance([one: position("m-1")]) ?? ""
            #expect(told.hasPrefix("\(path) was damaged") && told.hasSuffix(name))
            #expect(try String(contentsOfFile: state + "/" + name, encoding: .utf8) == text)
            #expect(loaded() == ["one": "m-1"])
        }
        #expect(mine.advance([two: position("m-2")]) == nil)
    }

    @Test func `A file of a later version is left as it is`() throws {
        let text = #"{"version":2,"read":{"in":"another way"}}"#
        try write(text)
        var mine = positions()
        #expect(mine.load().problem?.contains("a later version of Kedge") == true)
        #expect(mine.advance([one: position("m-1")])?.contains("a later version of Kedge") == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test func `A failure to write is reported, and nothing else happens`() throws {
        // Permissions would not stop root, so a file is in the place of the folder.
        try "a file".write(toFile: state, atomically: false, encoding: .utf8)
        var mine = positions()
        #expect(mine.load().problem == nil)
        let told = "\(path) cannot be written (Not a directory): your read positions cannot be saved"
        #expect(mine.advance([one: position("m-1")]) == told)
    }

    @Test func `A file that cannot be read is not overwritten`() throws {
        try FileManager.default.createDirectory(atPath: path + "/inside", withIntermediateDirectories: true)
        var mine = positions()
        #expect(
            mine.load().problem == "\(path) is not a regular file (move it away): your read positions could not be read"
        )
        #expect(mine.advance([one: position("m-1")]) != nil)
        #expect(FileManager.default.fileExists(atPath: path + "/inside"))
    }

    @Test func `An archive has one path by all its names`() throws {
        let archive = folder.appending(path: "archive").path
        let link = folder.appending(path: "link").path
        try FileManager.default.createDirectory(atPath: archive, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: archive)
        let real = ArchiveLocation.realPath(archive)
        #expect(ArchiveLocation.realPath(link + "/../link/.") == real)
        #expect(ArchiveLocation.realPath("/nowhere/at/all") == "/nowhere/at/all")
    }
}
