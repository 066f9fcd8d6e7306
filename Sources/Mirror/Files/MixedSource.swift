internal import Formats
internal import Messages

/// Reads a folder in which some files are unpacked elsewhere.
struct MixedSource: SourceReading {
    let plain: DiskSource
    /// Where a file is unpacked, by its path in the source.
    let unpacked: [String: String]

    func read(_ file: SourceFile, at offset: Int64, count: Int) throws(SourceError) -> [UInt8] {
        guard let path = unpacked[file.path] else { return try plain.read(file, at: offset, count: count) }
        return try DiskSource(root: path, isFile: true).read(file, at: offset, count: count)
    }
}
