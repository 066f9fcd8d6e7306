import Dates
import Testing

@testable import Formats

struct IRCIdentityTests {
    private let log = """
        2026-03-29 00:00:05\tana\tsame
        2026-03-29 00:00:06\tana\tsame
        2026-03-29 00:00:06\tana\tsame
        2026-03-29 00:00:06\tben\tsame
        2026-03-29 00:00:06\tana\tsame
        2026-03-29 00:00:07\tana\tsame

        """

    @Test(arguments: chunks) func `equal lines of one second are numbered`(chunk: Int) throws {
        let ids = try IRCRecords(log, chunk: chunk).field("id")
        let code = ids[0].suffix(6)
        #expect(ids[0].wholeMatch(of: /20260329-000005-[a-z]{6}/) != nil)
        #expect(ids[1] == "20260329-000006-\(code)")
        #expect(ids[2] == "20260329-000006-\(code).2")
        #expect(ids[3].hasPrefix("20260329-000006-") && !ids[3].contains(code))
        #expect(ids[4] == "20260329-000006-\(code).3")
        #expect(ids[5] == "20260329-000007-\(code)")
    }

    @Test func `an ID depends neither on the zone nor on the lines around it`() throws {
        let all = try IRCRecords(log).field("id")
        #expect(try IRCRecords(log, zone: Zone(secondsEast: 7_200)).field("id") == all)
        let last = log.split(separator: "\n").suffix(1).joined() + "\n"
        #expect(try IRCRecords(last).field("id") == [all[5]])
    }

    @Test func `IDs never change from one version to the next`() throws {
        #expect(try IRCRecords(log).field("id")[0] == "20260329-000005-yfudgb")
    }

    @Test func `hundreds of lines in one second have IDs of their own`() throws {
        let lines = (0..<500).map { "2026-03-29 00:00:06\tana\tline \($0 % 100)\n" }.joined()
        let ids = try IRCRecords(lines).field("id")
        #expect(Set(ids).count == 500)
    }

    @Test(arguments: [
        "2026-03-29 00:00:06\tana\tsame\n", "--- Day changed Sun Mar 29 2026\n00:00 <ana> same\n",
        "**** BEGIN LOGGING AT Thu Dec 30 23:59:44 2010\nDec 30 23:59:44 <ana>\tsame\n", "[10:00] <ana> same\n",
    ]) func `a file that grows continues as if it had been there from the beginning`(begin: String) throws {
        let line = begin.split(separator: "\n").suffix(1).joined() + "\n"
        let whole = begin + line + line + line
        let expected = try IRCRecords(whole)
        let feed = try #require(expected.converted.archive.conversations.first?.feeds.first)
        let conversation = try #require(expected.converted.archive.conversations.first)
        for cut in 1...3 {
            var writer = RecordWriter()
            var state: String?
            let bytes = Array(whole.utf8)
            let middle = bytes.count - cut * line.utf8.count
            for part in [bytes[..<middle], bytes[middle...]] {
                let converter = IRCFormat().converter(
                    for: feed, of: conversation, names: ForeignNames(), state: state, zone: .utc)
                let consumed = (Array(part) + Array(repeating: 0, count: 64)).withUnsafeBytes {
                    converter.convert(
                        UnsafeRawBufferPointer(rebasing: $0[..<part.count]), at: Int64(part.startIndex), isEnd: true,
                        into: &writer)
                }
                #expect(consumed == part.count)
                state = converter.state
            }
            #expect(try Converted.lines(writer.lines).map { $0["id"] as? String } == expected.field("id"))
        }
    }

    @Test func `a line that comes after its message was shown is a message of the same person`() throws {
        let begin = Array("2026-03-29 00:00:06\tana\tone\n".utf8)
        let archive = try IRCFormat().archive(in: Source(["kedge.log": begin], isFile: true))
        let conversation = try #require(archive.conversations.first)
        var writer = RecordWriter()
        var state: String?
        for part in [begin, Array("two\n".utf8)] {
            let converter = IRCFormat().converter(
                for: conversation.feeds[0], of: conversation, names: ForeignNames(), state: state, zone: .utc)
            _ = part.withUnsafeBytes { converter.convert($0, at: state == nil ? 0 : 29, isEnd: true, into: &writer) }
            state = converter.state
        }
        #expect(try Converted.lines(writer.lines).map(IRCRecords.line) == ["ana: one", "ana: two"])
        #expect(writer.problems.isEmpty)
    }

    @Test func `the time of an ID finds its line`() throws {
        let format = IRCFormat()
        func needle(_ id: String, _ setting: String) -> String? {
            format.needle(of: id, in: Feed(file: "x", setting: setting)).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(needle("20260329-000006-abcdef", "weechat") == "2026-03-29 00:00:06")
        #expect(needle("20260329-000006-abcdef", "weechat T") == "00:00:06")
        #expect(needle("20260329-235900-abcdef.2", "irssi") == "23:59")
        #expect(needle("20260329-235906-abcdef", "znc 20541") == "23:59:06")
        #expect(needle("20180921-202223-abcdef", "ii") == "1537561343")
        #expect(needle("m-1", "weechat") == nil)
    }
}
