internal import Files
internal import Dates
internal import JSON

/// Logs of IRC programs and bouncers, in files and folders.
///
/// Facts, from the sources of the programs (WeeChat `logger-config.c` and `logger-buffer.c`, irssi `log.c` and
/// `default.theme`, ZNC `modules/log.cpp`, HexChat `text.c` and `textevents.in`, Limnoria `ChannelLogger/plugin.py`) and from real
/// files of WeeChat 3.8 and irssi 1.4.3:
/// - WeeChat writes `2026-03-29 00:00:06⇥prefix⇥text` in local time, since 4.8 with a fraction and `Z` in UTC; one file holds both.
/// - irssi and HexChat write no date, or no year, in their lines, but in lines by which they open logs and change days.
/// - When logrotate's `copytruncate` empties such a log, the line with the date is only in the copy.
/// - ZNC and soju name their files by days.
/// - No program escapes a line feed: a line without a time continues the message before.
/// - No program writes IDs; `LineIdentity` makes them.
struct IRCFormat: Format {
    let id = "irc"
    let name = "IRC logs"
    let version = 4
    let countsAcrossFeeds = true

    func recognise(_ source: Source) -> Recognition {
        var (logs, others, isLog) = (0, 0, false)
        for file in IRCFolder.candidates(source).prefix(24) {
            guard let bytes = try? source.read(file, count: IRCSample.bytes), bytes.isText else { continue }
            let sample = IRCSample(bytes, isWhole: bytes.count < IRCSample.bytes)
            isLog = isLog || sample?.isLog ?? false
            if let sample, sample.isSure { logs += 1 } else { others += 1 }
        }
        return logs > 0 && logs >= others ? .certain : logs > 0 || isLog ? .weak : .no
    }

    func archive(in source: Source) throws(FileError) -> ForeignArchive {
        var folder = IRCFolder(source)
        return try folder.archive()
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        let setting = IRCSetting(feed.setting)
        return CharsetConverter(IRCConverter(feed, setting, context), charset: setting.charset)
    }

    func cut(_ bytes: Bytes, of feed: Feed) -> Int? { IRCSetting(feed.setting).cut(bytes) }

    /// The time as it is written, as far as all programs with this grammar write it the same way.
    func needle(of id: String, in feed: Feed) -> [UInt8]? {
        let digits = Array(id.utf8)
        guard digits.count > 15, digits[8] == 0x2D, digits[15] == 0x2D else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
        let minute = "\(part(9..<11)):\(part(11..<13))"
        let second = part(13..<15)
        let setting = IRCSetting(feed.setting)
        switch setting.grammar.stamp {
        case .tabbed where !setting.hasT:
            return Array("\(part(0..<4))-\(part(4..<6))-\(part(6..<8)) \(minute):\(second)".utf8)
        case .epoch:
            guard let moment = Timestamp(iso8601: "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(minute):\(second)Z")
            else {
                return nil
            }
            return Array(String(moment.milliseconds / 1_000).utf8)
        // Some logs have no seconds.
        default: return Array((second == "00" ? minute : "\(minute):\(second)").utf8)
        }
    }
}

/// Converts the lines of one log.
final class IRCConverter: Converter {
    /// A struct outside of the class, so that Swift does not check each access to it at runtime.
    private var reader: IRCReader

    init(_ feed: Feed, _ setting: IRCSetting, _ context: FeedContext) {
        reader = IRCReader(feed, setting, zone: context.zone)
        if let state = context.state { reader.resume(state) }
    }

    var leavesRest: Bool { reader.grows }
    var state: String { reader.state }
    func follow(_ state: String) { reader.follow(state) }

    func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int {
        reader.convert(bytes, at: offset, isEnd: isEnd, into: &writer)
    }
}
