import Foundation
import Messages
import Testing

@testable import Settings

/// The last message of each conversation when an archive was first opened.
final class BaselineTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-base-\(UUID().uuidString)")
    private var state: String { folder.appending(path: "state").path }
    private let one = ConversationID("one")
    private let two = ConversationID("two")

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func baseline(_ archive: String = "/archive", of reader: PersonID? = nil) -> Baseline {
        Baseline(folder: state, archive: archive, reader: reader)
    }

    private func path() throws -> String {
        let files = try FileManager.default.contentsOfDirectory(atPath: state)
        return state + "/" + (try #require(files.first { $0.hasPrefix("baseline-") && $0.hasSuffix(".json") }))
    }

    @Test func `Without a file there is no baseline, and reading creates none`() {
        #expect(baseline().load().last == nil && baseline().load().problem == nil)
        #expect(!FileManager.default.fileExists(atPath: state))
    }

    @Test func `A baseline belongs to its archive and its reader, in a private file`() throws {
        let (ana, last) = (PersonID("ana"), [one: MessageID("m-1"), two: MessageID("m-2")])
        #expect(baseline(of: ana).keep(last).problem == nil)
        #expect(baseline(of: ana).load().last == last)
        #expect(baseline(of: PersonID("ben")).load().last == nil && baseline().load().last == nil)
        #expect(baseline("/other", of: ana).load().last == nil)
        var status = stat()
        #expect(lstat(try path(), &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func `A baseline is taken once, and the earlier one counts`() {
        let earlier = [one: MessageID("m-1")]
        #expect(baseline().keep(earlier).last == earlier)
        let (kept, problem) = baseline().keep([one: MessageID("m-9"), two: MessageID("m-2")])
        #expect(kept == earlier && problem == nil)
        #expect(baseline().load().last == earlier)
    }

    @Test func `An archive without messages has a baseline too`() {
        #expect(baseline().keep([:]).problem == nil)
        #expect(baseline().load().last == [:])
    }

    @Test func `Baselines keep IDs of any characters, and compare them by their bytes`() {
        let texts = ["\u{E9}", "e\u{301}", "\"\\\n\0", "a/b", "\u{1B}[2J", "👩‍👩‍👧"]
        let last = Dictionary(uniqueKeysWithValues: texts.map { (ConversationID($0), MessageID("of " + $0)) })
        for archive in texts { #expect(baseline("/" + archive).keep(last).problem == nil) }
        for archive in texts { #expect(baseline("/" + archive).load().last == last) }
    }

    @Test(arguments: [
        "", "not JSON", "[]", #"{"version":1}"#, #"{"version":1,"archive":"/archive","last":["one"]}"#,
        #"{"version":"1","archive":"/archive","last":[]}"#, #"{"version":1,"archive":"/archive","last":["one",2]}"#,
        #"{"version":1,"archive":"/archive","reader":7,"last":[]}"#,
    ])
    func `A damaged file is told of, kept under another name, and stops nothing`(text: String) throws {
        _ = baseline().keep([one: MessageID("m-1")])
        let path = try path()
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        let (last, problem) = baseline().load()
        #expect(last == nil && problem?.hasPrefix("\(path) is damaged") == true)
        let (kept, told) = baseline().keep([one: MessageID("m-2")])
        #expect(kept == [one: MessageID("m-2")] && told?.hasPrefix("\(path) was damaged") == true)
        #expect(baseline().load().last == kept)
        #expect(try String(contentsOfFile: path + ".broken", encoding: .utf8) == text)
    }

    @Test func `A baseline of a later version is left as it is, and the new one counts meanwhile`() throws {
        _ = baseline().keep([one: MessageID("m-1")])
        let (path, text) = (try path(), #"{"version":2,"in":"another way"}"#)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        let (kept, problem) = baseline().keep([two: MessageID("m-2")])
        #expect(kept == [two: MessageID("m-2")] && problem?.contains("a later version of Kedge") == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test func `Without a home a baseline counts until the program ends, and that is reported`() {
        let baseline = Baseline(folder: nil, archive: "/archive", reader: nil)
        #expect(baseline.load().last == nil && baseline.load().problem == nil)
        let (kept, problem) = baseline.keep([one: MessageID("m-1")])
        #expect(kept == [one: MessageID("m-1")] && problem?.contains("there is no folder") == true)
    }
}
