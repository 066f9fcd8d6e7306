/// Reads the times of a whole chat before any message is converted: the last of them can decide how the first is read.
struct WhatsAppScan {
    private let title: [UInt8]
    private let style: WhatsAppStyle
    private(set) var dates: DateOrders
    private(set) var evidence = Charset.Evidence()
    private var stamps = 0
    /// In so many messages words of WhatsApp itself are looked for.
    private static let most = 2_000
    /// Whether a person has the name of the chat.
    private(set) var titleSpeaks = false

    /// - Parameters:
    ///   - isForeign: whether the name of the file is of a language other than English.
    ///   - dates: the order of dates that the user has named.
    init(title: String, style: WhatsAppStyle, isForeign: Bool, dates: DateOrder?) {
        self.title = Array(title.utf8)
        self.style = style
        self.dates = DateOrders(named: dates)
        self.dates.isForeign = isForeign
    }

    mutating func read(_ file: SourceFile, in source: Source) throws(SourceError) {
        var position: Int64 = 0
        var rest: [UInt8] = []
        while position + Int64(rest.count) < file.size {
            let bytes = try source.read(file, at: position + Int64(rest.count), count: 1 << 20)
            rest += bytes
            let isEnd = bytes.isEmpty || position + Int64(rest.count) >= file.size
            let used = lines(in: rest, at: position, isEnd: isEnd)
            if isEnd { break }
            position += Int64(used)
            rest.removeFirst(used)
        }
    }

    /// - Returns: the number of bytes that were read.
    private mutating func lines(in bytes: [UInt8], at position: Int64, isEnd: Bool) -> Int {
        bytes.withUnsafeBytes { bytes in
            var at = 0
            defer { evidence.add(Bytes(rebasing: bytes[..<at])) }
            while at < bytes.count {
                let part = Bytes(rebasing: bytes[at...])
                let length = part.lineLength
                guard length < part.count || isEnd || part.count > Record.longest else { break }
                look(at: Bytes(rebasing: part[..<length]), at: position + Int64(at))
                at = min(bytes.count, at + length + 1)
            }
            return at
        }
    }

    private mutating func look(at line: Bytes, at offset: Int64) {
        guard let stamp = WhatsAppStamp(line), stamp.style == style else { return }
        dates.add(stamp.date, at: offset)
        stamps += 1
        if !dates.isForeign, stamps < WhatsAppScan.most,
            WhatsAppWords.areForeign(Bytes(rebasing: line[stamp.length...]))
        {
            dates.isForeign = true
        }
        guard !titleSpeaks, style != .dash else { return }
        let rest = Bytes(rebasing: line[stamp.length...]).withoutMarks
        guard rest.count > title.count + 2, rest.prefix(title.count).elementsEqual(title) else { return }
        let text = Bytes(rebasing: rest[title.count...])
        titleSpeaks = text.starts(with: ": ") && text.after(2).withoutMarks.count == text.after(2).count
    }
}
