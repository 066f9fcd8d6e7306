internal import Dates

/// Converts the lines of one log.
final class IRCConverter: Converter {
    /// Apart from the class, so that no access to it is checked at runtime.
    private var reader: IRCReader

    init(_ feed: Feed, _ setting: IRCSetting, state: String?, zone: Zone) {
        reader = IRCReader(feed, setting, zone: zone)
        if let state { reader.resume(state) }
    }

    var leavesRest: Bool { reader.grows }
    var state: String { reader.state }
    func follow(_ state: String) { reader.follow(state) }

    func convert(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int
    {
        reader.convert(bytes, at: offset, isEnd: isEnd, into: &writer)
    }
}
