/// The date and time at the beginning of a message, as it is written there: the order of day, month and year is not known yet.
struct WhatsAppStamp {
    private(set) var date = WrittenDate()
    /// Seconds since midnight.
    private(set) var second = 0
    private(set) var style = WhatsAppStyle.dash
    /// The number of its bytes, with what separates it from the message.
    private(set) var length = 0

    /// Reads the beginning of a line; nil if no message begins there.
    init?(_ line: Bytes) {
        guard line.count >= 12 else { return nil }
        var reader = WhatsAppStampReader(line)
        reader.skipMarks()
        let isBracketed = reader.take("[")
        guard readMoment(&reader) else { return nil }
        reader.skipBlanks()
        if isBracketed {
            guard reader.take("]") else { return nil }
            style = .brackets
        } else if reader.take(": ") {
            style = .colon
        } else {
            guard reader.take("-") || reader.take("–") else { return nil }
        }
        reader.skipBlanks()
        length = reader.at
    }

    /// The date and the time; in a few languages the time stands first.
    private mutating func readMoment(_ reader: inout WhatsAppStampReader) -> Bool {
        let start = reader
        if readDate(&reader), reader.skipToTime(), readTime(&reader) { return true }
        reader = start
        return readTime(&reader) && reader.skipToTime() && readDate(&reader)
    }

    private mutating func readDate(_ reader: inout WhatsAppStampReader) -> Bool {
        guard var found = reader.date() else { return false }
        found.notation.clock = date.notation.clock
        // WhatsApp is younger.
        found.notation.firstYear = 2_009
        date = found
        return true
    }

    private mutating func readTime(_ reader: inout WhatsAppStampReader) -> Bool {
        guard let time = reader.time() else { return false }
        second = time.second
        date.notation.clock = time.clock
        return true
    }
}

/// How a phone separates the time from the message.
enum WhatsAppStyle: String, Hashable, Sendable {
    /// `[31/12/2022, 11:40:26] Jane: text`, from iPhones.
    case brackets
    /// `31/12/2022, 11:40 - Jane: text`, from other phones.
    case dash
    /// `31/12/2022, 11:40:26: Jane: text`, from iPhones before 2018.
    case colon
}
