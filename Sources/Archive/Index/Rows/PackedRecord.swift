/// A record as the index stores it: 64 bytes, so that its place in a page follows from its row.
struct PackedRecord: Equatable {
    /// In bytes.
    static let size = 64

    var kind: RecordKind
    /// Where its line begins in the segment, in bytes.
    var offset: Int64
    /// The bytes of the line, the line feed included.
    var length: Int
    /// The time in milliseconds, like `peak`.
    var at: Int64
    /// The latest time of the messages of the main timeline in its segment up to this record; nil if that is its own.
    var peak: Int64?
    /// The number of a person.
    var sender: Int64?
    /// How many messages of the main timeline stand before it in its segment.
    var main: Int
    /// The hash of its ID.
    var hash: Int64
    /// The hash of the message that it edits, deletes or reacts to, or of the root of its thread.
    var target: Int64?
    /// The hash of the message that it replies to.
    var reply: Int64?

    /// The bits that say which of the optional values are there.
    private enum Presence {
        static let peak: UInt16 = 1
        static let sender: UInt16 = 2
        static let target: UInt16 = 4
        static let reply: UInt16 = 8
    }
}

extension PackedRecord {
    /// - Parameter bytes: at least `size` of them, as `write` left them.
    init(_ bytes: UnsafeRawBufferPointer) {
        func number(_ offset: Int) -> Int64 { bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self) }
        func small(_ offset: Int) -> UInt32 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
        let present = bytes.loadUnaligned(fromByteOffset: 62, as: UInt16.self)
        kind = RecordKind(code: Int64(bytes.loadUnaligned(fromByteOffset: 60, as: UInt16.self)))
        hash = number(0)
        target = present & Presence.target == 0 ? nil : number(8)
        reply = present & Presence.reply == 0 ? nil : number(16)
        offset = number(24)
        at = number(32)
        peak = present & Presence.peak == 0 ? nil : number(40)
        length = Int(small(48))
        main = Int(small(52))
        sender = present & Presence.sender == 0 ? nil : Int64(small(56))
    }

    /// - Parameter bytes: at least `size` of them.
    func write(to bytes: UnsafeMutableRawBufferPointer) {
        var present: UInt16 = 0
        if peak != nil { present |= Presence.peak }
        if sender != nil { present |= Presence.sender }
        if target != nil { present |= Presence.target }
        if reply != nil { present |= Presence.reply }
        bytes.storeBytes(of: hash, toByteOffset: 0, as: Int64.self)
        bytes.storeBytes(of: target ?? 0, toByteOffset: 8, as: Int64.self)
        bytes.storeBytes(of: reply ?? 0, toByteOffset: 16, as: Int64.self)
        bytes.storeBytes(of: offset, toByteOffset: 24, as: Int64.self)
        bytes.storeBytes(of: at, toByteOffset: 32, as: Int64.self)
        bytes.storeBytes(of: peak ?? 0, toByteOffset: 40, as: Int64.self)
        bytes.storeBytes(of: UInt32(clamping: length), toByteOffset: 48, as: UInt32.self)
        bytes.storeBytes(of: UInt32(clamping: main), toByteOffset: 52, as: UInt32.self)
        bytes.storeBytes(of: UInt32(clamping: sender ?? 0), toByteOffset: 56, as: UInt32.self)
        bytes.storeBytes(of: UInt16(truncatingIfNeeded: kind.code), toByteOffset: 60, as: UInt16.self)
        bytes.storeBytes(of: present, toByteOffset: 62, as: UInt16.self)
    }
}
