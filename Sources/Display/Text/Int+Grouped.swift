extension Int {
    /// `1,234,567`
    package var grouped: String {
        let digits = Array(magnitude.description.utf8)
        var bytes: [UInt8] = self < 0 ? [UInt8(ascii: "-")] : []
        for index in digits.indices {
            if index > 0, (digits.count - index) % 3 == 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(digits[index])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
