internal import Messages

/// A hash of the last whole lines before a place in a file, some 4 KiB of them.
struct TailMark: Equatable {
    private static let longest: Int64 = 4_096

    private let start: Int64
    private let length: Int
    private let hash: UInt64

    /// The end of the last of these lines.
    var end: Int64 { start + Int64(length) }

    /// - Throws: the errors of reading files, also if the file is shorter.
    init(of path: String, before end: Int64) throws(StoreError) {
        start = max(0, end - TailMark.longest)
        let bytes = try TailMark.bytes(of: path, from: start, Int(end - start))
        // The bytes after the last line feed may be cut off and written anew.
        length = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
        hash = TailMark.hash(bytes.prefix(length))
    }

    /// Whether the file still contains these lines.
    func isThere(in path: String) -> Bool {
        guard let bytes = try? TailMark.bytes(of: path, from: start, length) else { return false }
        return TailMark.hash(bytes[...]) == hash
    }

    private static func bytes(of path: String, from start: Int64, _ count: Int) throws(StoreError) -> [UInt8] {
        if count == 0 { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        let file = try File(path)
        var failure: StoreError?
        bytes.withUnsafeMutableBytes { buffer in
            do throws(StoreError) { try file.read(into: buffer, at: start) } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.withUnsafeBytes { IDHash($0).value } }
}
