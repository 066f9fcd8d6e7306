extension UnsafeRawBufferPointer {
    /// The number that some digits say; nil if there is anything else. The digits lie within the bytes.
    func number(at start: Int, digits count: Int) -> Int? {
        var value = 0
        for byte in self[start..<start + count] {
            guard (48...57).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        return value
    }
}
