/// Reads bytes of the files of an export. Tests read from memory.
package protocol SourceReading: Sendable {
    /// At most `count` bytes from `offset` on; fewer at the end of the file.
    func read(_ file: SourceFile, at offset: Int64, count: Int) throws(SourceError) -> [UInt8]
}
