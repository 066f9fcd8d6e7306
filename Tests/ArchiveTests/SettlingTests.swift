@testable import Archive
import Files
import Foundation
import Messages
import Synchronization
import Testing

struct SettlingTests {
    private static let second = "conversations/general/messages-000002.jsonl"

    private static func lines(_ numbers: some Sequence<Int>, _ text: String = "hello") -> String {
        numbers.map { message("m\($0)", minute: $0, text) + "\n" }.joined()
    }

    // MARK: - The pace

    private func segment(_ size: Int64) -> Segment {
        Segment(
            path: "x", label: "general/messages-000001.jsonl",
            stamp: FileStamp(size: size, inode: 1, seconds: 0, nanoseconds: 0))
    }

    private func state(_ size: Int64, half: Bool = false) -> Settling.State {
        Settling.State(segments: [segment(size)], isHalfWritten: half)
    }

    @Test func `Complete files are final after a short pause, incomplete ones after a long one, and all after a limit`()
    {
        let pace = SettlingPace(quiet: .seconds(3), patience: .seconds(20), limit: .seconds(50))
        var settling = Settling(pace: pace, at: .seconds(100))
        #expect(settling.look(state(1), at: .seconds(100)) == .wait(.seconds(3)))
        #expect(settling.look(state(2), at: .seconds(102)) == .wait(.seconds(3)))
        #expect(settling.look(state(2), at: .seconds(104)) == .wait(.seconds(1)))
        #expect(settling.look(state(2), at: .seconds(105)) == .final)
        settling = Settling(pace: pace, at: .seconds(100))
        #expect(settling.look(state(2, half: true), at: .seconds(100)) == .wait(.seconds(20)))
        #expect(settling.look(state(2, half: true), at: .seconds(119)) == .wait(.seconds(1)))
        #expect(settling.look(state(3), at: .seconds(119)) == .wait(.seconds(3)))
        #expect(settling.look(state(3, half: true), at: .seconds(140)) == .wait(.seconds(10)))
        #expect(settling.look(state(4), at: .seconds(149)) == .wait(.seconds(1)))
        #expect(settling.look(state(5), at: .seconds(150)) == .final)
    }

    // MARK: - Rewrites

    private func look(_ archive: TemporaryArchive, since known: KnownLog? = nil) throws -> LogLook {
        var strays = ProblemList()
        let segments = try Segment.all(in: archive.path + "/conversations/general", of: general, &strays)
        return LogLook(segments, since: known)
    }

    /// A log of 200 lines in two segments that was read, compared with its state after a change.
    private func look(after change: (TemporaryArchive) throws -> Void) throws -> LogLook {
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, Self.lines(0..<100))
        try archive.write(Self.second, Self.lines(100..<200))
        let segments = try look(archive).segments ?? []
        let known = try KnownLog(segments, end: .end(of: segments))
        try change(archive)
        return try look(archive, since: known)
    }

    @Test func `Appended lines, a new segment and a repaired last line do not count as a rewrite`() throws {
        #expect(try look { _ in }.isContinued)
        #expect(try look { try $0.append(Self.second, Self.lines([200])) }.isContinued)
        #expect(try look { try $0.write("conversations/general/messages-000003.jsonl", "") }.isContinued)
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, Self.lines(0..<9) + Self.lines([9]).dropLast(30))
        let segments = try look(archive).segments ?? []
        let known = try KnownLog(segments, end: .end(of: segments))
        #expect(truncate(archive.path + "/" + firstSegment, off_t(Self.lines(0..<9).utf8.count)) == 0)
        #expect(try look(archive, since: known).isContinued)
        try archive.append(firstSegment, Self.lines([10]))
        #expect(try look(archive, since: known).isContinued)
    }

    @Test func `Any other change of the files counts as a rewrite`() throws {
        let texts = [
            Self.lines(100..<199), Self.lines(101..<200), Self.lines(99..<200), Self.lines(100..<200, "hallo"),
            Self.lines(100..<150) + Self.lines(300..<350) + Self.lines(150..<200), "",
        ]
        for (number, text) in texts.enumerated() {
            #expect(try !look { try $0.write(Self.second, text) }.isContinued, "in place, \(number)")
            let other = try look { archive in
                try archive.write("other", text)
                _ = rename(archive.path + "/other", archive.path + "/" + Self.second)
            }
            #expect(!other.isContinued, "by another file, \(number)")
            #expect(try !look { try $0.write(firstSegment, text) }.isContinued, "in the first segment, \(number)")
        }
        #expect(try !look { unlink($0.path + "/" + firstSegment) }.isContinued)
        #expect(try !look { unlink($0.path + "/" + Self.second) }.isContinued)
        #expect(try !look { try $0.write("conversations/general/messages-000000.jsonl", "") }.isContinued)
    }

    @Test func `Files look incomplete if they are empty, truncated in place or end within a line`() throws {
        #expect(try look { try $0.write(Self.second, "") }.state.isHalfWritten)
        #expect(try look { try $0.write(Self.second, Self.lines(100..<150)) }.state.isHalfWritten)
        let torn = String(Self.lines(100..<300, "another").dropLast(9))
        #expect(try look { try $0.write(Self.second, torn) }.state.isHalfWritten)
        let other = try look { archive in
            try archive.write("other", Self.lines(100..<150))
            _ = rename(archive.path + "/other", archive.path + "/" + Self.second)
        }
        #expect(!other.state.isHalfWritten)
        #expect(try !look { try $0.write(Self.second, Self.lines(100..<200, "longer")) }.state.isHalfWritten)
        #expect(try !look { try $0.append(Self.second, "{") }.state.isHalfWritten)
    }

    // MARK: - Watching a conversation

    /// Collects the reports of a stream.
    private final class Reports<Element: Sendable>: Sendable {
        private let all = Mutex<[Element]>([])
        private let task = Mutex<Task<Void, Never>?>(nil)

        init(_ stream: AsyncStream<[Element]>) {
            let task = Task { [weak self] in
                for await elements in stream { self?.all.withLock { $0 += elements } }
            }
            self.task.withLock { $0 = task }
        }

        deinit { task.withLock { $0?.cancel() } }

        var soFar: [Element] { all.withLock(\.self) }

        /// Advances the clock until a matching report arrives.
        func next(_ time: ManualTime, where isWanted: (Element) -> Bool) async {
            while !soFar.contains(where: isWanted) {
                time.advance(by: .milliseconds(50))
                await Task.yield()
            }
        }
    }

    @Test(arguments: [true, false])
    func `An incomplete rewrite is neither reported nor taken as final`(isWithinLine: Bool) async throws {
        let time = ManualTime()
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, Self.lines(0..<100))
        let store = try archive.open(index: nil, pace: time.pace)
        let reported = Reports(store.changes(in: general, since: try await store.page(.latest).asOf))
        // The watch has begun.
        try archive.append(firstSegment, Self.lines([100]))
        await reported.next(time) { $0.isArrival }
        let sleeps = time.sleeps
        let new = Self.lines((0..<100).filter { $0 != 50 }, "another")
        let half = isWithinLine ? String(new.prefix(new.count / 2)) : Self.lines(0..<50, "another")
        try archive.write(firstSegment, half)
        // If it goes to sleep again, it has looked and reported nothing.
        await time.slept(sleeps + 1)
        time.advance(by: .seconds(1))
        for _ in 0..<100 { await Task.yield() }
        #expect(!reported.soFar.contains(.replaced))
        try archive.append(firstSegment, String(new.dropFirst(half.count)))
        await reported.next(time) { $0 == .replaced }
        #expect(try await store.ids(.latest, 200) == (0..<100).filter { $0 != 50 }.map { "m\($0)" })
    }

    @Test(arguments: Kind.allCases)
    func `Every kind of rewrite is reported once it is over, followed by the lines appended later`(_ kind: Kind)
        async throws
    {
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, Self.lines(0..<50))
        try archive.write(Self.second, Self.lines(50..<100))
        let store = try archive.open(index: nil)
        var changes = store.changes(in: general, since: try await store.page(.latest).asOf).makeAsyncIterator()
        // The watch has begun.
        try archive.append(Self.second, Self.lines([100]))
        while let reported = await changes.next(), !reported.contains(where: \.isArrival) {}
        try kind.change(archive)
        while let reported = await changes.next() { if reported.contains(.replaced) { break } }
        try archive.append(kind == .segmentRemoved ? firstSegment : Self.second, message("new") + "\n")
        var last: StoreChange?
        while let reported = await changes.next() {
            last = reported.last
            if last?.isArrival == true { break }
        }
        guard case .arrived(let message)? = last else { throw ExpectationMissed() }
        #expect(message.id == "new")
    }

    enum Kind: CaseIterable, Sendable {
        case renamed, inPlace, shorter, sameLength, segmentRemoved, segmentAdded, folder, archive

        func change(_ archive: TemporaryArchive) throws {
            let folder = archive.path + "/conversations/general"
            let files = FileManager.default
            switch self {
            case .renamed:
                try archive.write("other", SettlingTests.lines(60..<100))
                _ = rename(archive.path + "/other", archive.path + "/" + SettlingTests.second)
            case .inPlace: try archive.write(firstSegment, SettlingTests.lines(0..<50, "something longer"))
            case .shorter: try archive.write(SettlingTests.second, SettlingTests.lines(50..<60))
            case .sameLength: try archive.write(SettlingTests.second, SettlingTests.lines(50..<101, "hallo"))
            case .segmentRemoved: unlink(archive.path + "/" + SettlingTests.second)
            case .segmentAdded:
                try archive.write("conversations/general/messages-000000.jsonl", SettlingTests.lines(200..<250))
            case .folder:
                try files.copyItem(atPath: folder, toPath: archive.path + "/copy")
                try files.removeItem(atPath: folder)
                _ = rename(archive.path + "/copy", folder)
            case .archive:
                try files.copyItem(atPath: archive.path, toPath: archive.path + "-copy")
                try files.removeItem(atPath: archive.path)
                _ = rename(archive.path + "-copy", archive.path)
            }
        }
    }

    @Test func `Messages of a rewritten log count as known, and lines appended to it are reported`() async throws {
        let time = ManualTime()
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, Self.lines(0..<100))
        let store = try archive.open(index: nil, pace: time.pace)
        let reported = Reports(store.arrivals(besides: { _ in false }))
        // The start of the watch cannot be observed, so messages are appended until one is reported.
        var number = 1_000
        while reported.soFar.isEmpty {
            try archive.append(firstSegment, message("n\(number)") + "\n")
            number += 1
            await Task.yield()
        }
        let known = Set(reported.soFar.map(\.message.id)).union((1_000..<number).map { MessageID("n\($0)") })
        let new = Self.lines(0..<100, "another")
        try archive.write(firstSegment, String(new.prefix(new.count / 2)))
        await time.slept(1)
        try archive.append(firstSegment, String(new.dropFirst(new.count / 2)))
        // The watcher sleeps for `patience` at most, and reports later messages when the files have settled.
        number = 2_000
        while !reported.soFar.contains(where: { $0.message.id.rawValue.hasPrefix("n2") }) {
            time.advance(by: .milliseconds(400))
            for _ in 0..<50 { await Task.yield() }
            try archive.append(firstSegment, message("n\(number)") + "\n")
            number += 1
        }
        #expect(reported.soFar.allSatisfy { known.contains($0.message.id) || $0.message.id.rawValue.hasPrefix("n2") })
    }
}

extension StoreChange {
    fileprivate var isArrival: Bool { if case .arrived = self { true } else { false } }
}

struct SurvivorTests {
    private func ids(
        _ store: JSONArchive, _ wanted: [String], minute: Int = 0, thread: MessageID? = nil, limit: Int = 4
    ) async throws -> (focus: MessageID?, ids: [String]) {
        let moment = Timestamp(milliseconds: 1_740_000_000_000 + Int64(minute) * 60_000)
        let page = try await store.page(
            PageRequest(
                conversation: general, thread: thread,
                position: .survivor(of: wanted.map { MessageID($0) }, near: moment), limit: limit))
        return (page.focus, page.messages.map(\.id.rawValue))
    }

    @Test(arguments: [true, false])
    func `The page is centred on the first listed message that still exists`(isIndexed: Bool) async throws {
        let archive = try TemporaryArchive()
        let replies = (0..<9).map { message("t\($0)", minute: 20 + $0, more: #","thread":"m5""#) + "\n" }
        try archive.write(
            firstSegment, (0..<20).map { message("m\($0)", minute: $0) + "\n" }.joined() + replies.joined())
        let store = try isIndexed ? archive.open() : archive.open(index: nil)
        #expect(try await ids(store, ["m7"]) == ("m7", ["m5", "m6", "m7", "m8"]))
        #expect(try await ids(store, ["gone", "t3", "m9", "m7"]) == ("m9", ["m7", "m8", "m9", "m10"]))
        #expect(try await ids(store, ["gone"], minute: 12) == ("m12", ["m10", "m11", "m12", "m13"]))
        #expect(try await ids(store, [], minute: 99) == (nil, ["m16", "m17", "m18", "m19"]))
        #expect(try await ids(store, ["m5", "t9", "t4"], thread: "m5") == ("t4", ["t2", "t3", "t4", "t5"]))
        #expect(try await ids(store, ["gone"], minute: 22, thread: "m5") == ("t2", ["t0", "t1", "t2", "t3"]))
        #expect(try await ids(store, ["m7"], thread: "gone") == (nil, []))
        // The files are replaced.
        try archive.write(firstSegment, (0..<20).reversed().map { message("m\($0)", minute: $0) + "\n" }.joined())
        #expect(try await ids(store, ["t1", "m7"]) == ("m7", ["m9", "m8", "m7", "m6"]))
    }
}
