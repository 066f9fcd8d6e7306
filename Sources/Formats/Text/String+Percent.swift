extension String {
    /// An address, or a part of it, with its percent signs resolved (RFC 3986). Those that stand for nothing stay.
    init(percentDecoding text: some StringProtocol) {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var at = 0
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count,
                let value = UInt8(String(decoding: bytes[at + 1...at + 2], as: UTF8.self), radix: 16)
            {
                result.append(value)
                at += 3
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        self.init(decoding: result, as: UTF8.self)
    }
}
