/// A file that a manifest names. It never changes.
package struct IndexFile: Hashable, Sendable {
    package let number: UInt64
    /// In bytes.
    package let size: UInt64
    /// The sum of its header, which stands for all its bytes: a file of another index is not taken for this one.
    let sum: UInt64
}

/// The names of the files of a generation: the parts, and the words of the records in them.
package struct IndexManifest: Equatable, Sendable {
    private static let magic: UInt64 = 0x3430_4D67_6764_656B
    /// Its words had a manifest of their own.
    private static let former: UInt64 = 0x3330_4D67_6764_656B
    /// In bytes.
    static let largest = 1 << 20

    /// A random number that tells this index from those before it. Never 0.
    package private(set) var identity = UInt64.random(in: 1...UInt64.max)
    var generation: UInt64 = 0
    /// The number of the next file. No number is used twice, nor by the next index at the same place.
    package var next = UInt64.random(in: 1..<1 << 48)
    /// From the oldest to the newest.
    var parts: [IndexFile] = []
    package var words: [IndexFile] = []

    init() {}

    /// Returns nil if the bytes are not those of a manifest.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 48, bytes.count % 8 == 0 else { return nil }
        let numbers = bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
        }
        let sum = bytes.dropLast(8).withUnsafeBytes { BlockSum.of($0) }
        guard numbers[0] == IndexManifest.magic, numbers.last == UInt64(sum), numbers.count % 3 == 0,
            numbers[2...].allSatisfy({ $0 < 1 << 62 }), Int(numbers[4]) <= numbers.count / 3 - 2
        else { return nil }
        (identity, generation, next) = (numbers[1], numbers[2], numbers[3])
        let files = stride(from: 5, to: numbers.count - 1, by: 3).map {
            IndexFile(number: numbers[$0], size: numbers[$0 + 1], sum: numbers[$0 + 2])
        }
        (parts, words) = (Array(files[..<Int(numbers[4])]), Array(files[Int(numbers[4])...]))
    }

    /// True for the manifest of an earlier version of Kedge. There is no index then.
    static func isFormer(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 8 && bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } == former
    }

    var bytes: [UInt8] {
        let numbers =
            [IndexManifest.magic, identity, generation, next, UInt64(parts.count)]
            + (parts + words).flatMap { [$0.number, $0.size, $0.sum] }
        var bytes: [UInt8] = []
        for number in numbers { withUnsafeBytes(of: number) { bytes += $0 } }
        let sum = UInt64(bytes.withUnsafeBytes { BlockSum.of($0) })
        withUnsafeBytes(of: sum) { bytes += $0 }
        return bytes
    }
}
