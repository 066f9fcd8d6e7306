internal import CLogScan
internal import Messages

/// The hash of an ID. Different IDs may have the same hash.
struct IDHash: Hashable {
    let value: UInt64

    /// The same bits as a signed number, for databases.
    var number: Int64 { Int64(bitPattern: value) }

    init(value: UInt64) { self.value = value }

    init(_ bytes: UnsafeRawBufferPointer) {
        value = cls_hash_id(bytes.baseAddress, bytes.count)
    }

    init(_ id: OpaqueID<some Any>) {
        var text = id.rawValue
        self = text.withUTF8 { IDHash(UnsafeRawBufferPointer($0)) }
    }
}
