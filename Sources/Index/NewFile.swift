internal import Files
import Glibc

/// A file of the index under way. It gets its name when it is whole, in place of whatever has it, and is deleted if it never is. It does
/// not wait for the disk: a power cut may damage the file, which its checksums detect.
package final class NewFile {
    let path: String
    let descriptor: CInt
    private let number: UInt64
    private var isNamed = false

    /// - Parameter number: see `IndexManifest`.
    package init(_ path: String, number: UInt64 = 0) throws(IndexFault) {
        // A killed writer may have left it.
        Disk.remove(path + ".new")
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let descriptor = open(path + ".new", flags, 0o600)
        guard descriptor >= 0 else { throw .system(file: path, code: errno) }
        (self.path, self.descriptor, self.number) = (path, descriptor, number)
    }

    deinit {
        close(descriptor)
        if !isNamed { unlink(path + ".new") }
    }

    func name() throws(IndexFault) {
        try NewFile.rename(path + ".new", path)
        isNamed = true
    }

    /// Renames a file of the index. Whatever has the new name is replaced, even a folder.
    static func rename(_ path: String, _ name: String) throws(IndexFault) {
        if Glibc.rename(path, name) == 0 { return }
        if errno == EISDIR { Disk.remove(name) }
        guard Glibc.rename(path, name) == 0 else { throw .system(file: name, code: errno) }
    }

    /// Writes sections that are in memory, with the sums and the header, and names the file.
    func finish(_ memory: FileBytes) throws(IndexFault) -> IndexFile {
        try FileOutput(self).write(all: memory.whole)
        return try finish(memory.sections, NewFile.sums(of: memory.whole[FileLayout.header...]))
    }

    /// Reads the sections back, appends the sums, writes the header, and names the file.
    func finish(_ sections: [Range<Int>]) throws(IndexFault) -> IndexFile {
        let end = sections.last?.upperBound ?? FileLayout.header
        // The last section may end with a gap that was not written.
        guard ftruncate(descriptor, end) == 0 else { throw .system(file: path, code: errno) }
        var sums: [UInt32] = []
        sums.reserveCapacity(FileLayout.blocks(end - FileLayout.header))
        var buffer = [UInt8](repeating: 0, count: 64 * FileLayout.block)
        var offset = FileLayout.header
        while offset < end {
            let wanted = min(buffer.count, end - offset)
            let got = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, wanted, offset) }
            guard got == wanted else { throw .system(file: path, code: got < 0 ? errno : EIO) }
            buffer.withUnsafeBytes { sums += NewFile.sums(of: $0.prefix(wanted)) }
            offset += wanted
        }
        return try finish(sections, sums)
    }

    /// - Parameter sums: those of all blocks of the sections.
    private func finish(_ sections: [Range<Int>], _ sums: [UInt32]) throws(IndexFault) -> IndexFile {
        let end = sections.last?.upperBound ?? FileLayout.header
        let top = sums.withUnsafeBytes { NewFile.sums(of: $0[...]) }
        let output = FileOutput(self, from: end)
        try output.write(all: sums)
        try output.write(all: top)
        let size = end + 4 * (sums.count + top.count)
        let header = FileLayout.header(sections, size: size, topSum: top.withUnsafeBytes { BlockSum.of($0) })
        try FileOutput(self).write(all: header)
        try name()
        let sum = header.withUnsafeBytes { FileLayout.sum(of: $0) }
        return IndexFile(number: number, size: UInt64(size), sum: UInt64(sum))
    }

    /// The sum of each block.
    private static func sums(of bytes: Slice<UnsafeRawBufferPointer>) -> [UInt32] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: FileLayout.block).map { start in
            let block = bytes[start..<min(bytes.endIndex, start + FileLayout.block)]
            return BlockSum.of(UnsafeRawBufferPointer(rebasing: block))
        }
    }
}

/// Writes values one after the other to a place in a file.
final class FileOutput {
    private static let capacity = 256 << 10
    private let file: NewFile
    private var offset: Int
    private var buffer: [UInt8] = []

    init(_ file: NewFile, from offset: Int = 0) {
        (self.file, self.offset) = (file, offset)
        buffer.reserveCapacity(FileOutput.capacity)
    }

    /// The offset of the next value in the file, in bytes.
    var end: Int { offset + buffer.count }

    func write<Value: BitwiseCopyable>(_ value: Value) throws(IndexFault) {
        withUnsafeBytes(of: value) { buffer.append(contentsOf: $0) }
        if buffer.count >= FileOutput.capacity - 64 { try flush() }
    }

    func write(_ bytes: ArraySlice<UInt8>) throws(IndexFault) {
        buffer += bytes
        if buffer.count >= FileOutput.capacity - 64 { try flush() }
    }

    func write<Value: BitwiseCopyable>(all values: [Value]) throws(IndexFault) {
        values.withUnsafeBytes { buffer.append(contentsOf: $0) }
        try flush()
    }

    func write(all bytes: UnsafeRawBufferPointer) throws(IndexFault) {
        buffer.append(contentsOf: bytes)
        try flush()
    }

    func flush() throws(IndexFault) {
        var done = 0
        while done < buffer.count {
            let written = buffer.withUnsafeBytes {
                pwrite(file.descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, offset + done)
            }
            if written >= 0 { done += written } else if errno != EINTR { throw .system(file: file.path, code: errno) }
        }
        offset += done
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Writes the sections of a file one after the other: the first one piece by piece, the others as a whole.
package final class SectionWriter {
    private let file: NewFile
    private let output: FileOutput
    private var sections: [Range<Int>] = []

    package init(_ file: NewFile) {
        self.file = file
        output = FileOutput(file, from: FileLayout.header)
    }

    /// The bytes of the first section so far.
    package var count: Int { output.end - FileLayout.header }

    /// Adds bytes to the first section.
    package func write(_ bytes: ArraySlice<UInt8>) throws(IndexFault) { try output.write(bytes) }

    /// Adds the next section.
    package func add<Value: BitwiseCopyable>(_ values: [Value]) throws(IndexFault) {
        if sections.isEmpty { sections = [FileLayout.header..<output.end] }
        try output.write([UInt8](repeating: 0, count: -output.end & 7)[...])
        let start = output.end
        try output.write(all: values)
        sections.append(start..<output.end)
    }

    /// Names the file.
    package func finish() throws(IndexFault) -> IndexFile { try file.finish(sections) }
}
