internal import CMapping
import Glibc

/// The sections of a file of the index: mapped, or in memory. Every read is checked against the bounds and, in a file, against the
/// checksum of its block. Belongs to one thread.
package final class FileBytes {
    /// The path of the file, for errors.
    package let path: String
    private let base: UnsafeMutableRawPointer
    private let size: Int
    private let mapping: CInt?
    let sections: [Range<Int>]
    /// The place of the checksums of all blocks, in bytes; nil for bytes in memory, which need no check.
    private let sums: Range<Int>?
    private let topSums: Range<Int>
    /// A bit for each block that has been checked, and for each block of sums.
    private var checked: [UInt64] = []
    private var checkedSums: [UInt64] = []

    /// Maps a file that a manifest names.
    package convenience init(mapping path: String, _ file: IndexFile) throws(IndexFault) {
        let expected = Int(file.size)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw .opening(path, code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == expected,
            expected >= FileLayout.header
        else { throw .damaged(file: path, reason: "its size has changed since it was written") }
        guard let base = mmap(nil, expected, PROT_READ, MAP_SHARED, descriptor, 0), base != MAP_FAILED else {
            throw .system(file: path, code: errno)
        }
        let number = cmapping_watch(base, expected)
        guard number >= 0 else {
            munmap(base, expected)
            throw .system(file: path, code: EMFILE)
        }
        guard FileLayout.sum(of: UnsafeRawBufferPointer(start: base, count: expected)) == file.sum else {
            cmapping_unwatch(number)
            munmap(base, expected)
            throw .damaged(file: path, reason: "it is damaged, or of another index")
        }
        try self.init(path, base, expected, mapping: number)
    }

    /// Takes memory for sections.
    /// - Parameters:
    ///   - sections: their places, rising, as in a file.
    ///   - fill: writes all bytes from the header to the end of the last section.
    init(_ sections: [Range<Int>], _ fill: (UnsafeMutableRawPointer) -> Void) {
        (path, mapping, self.sections, sums, topSums) = ("memory", nil, sections, nil, 0..<0)
        size = sections.last?.upperBound ?? FileLayout.header
        base = .allocate(byteCount: size, alignment: 16)
        base.initializeMemory(as: UInt8.self, repeating: 0, count: FileLayout.header)
        fill(base)
    }

    private init(_ path: String, _ base: UnsafeMutableRawPointer, _ size: Int, mapping: CInt) throws(IndexFault) {
        (self.path, self.base, self.size, self.mapping) = (path, base, size, mapping)
        let header = UnsafeRawBufferPointer(start: base, count: min(size, FileLayout.header))
        func number(_ index: Int) -> Int {
            Int(truncatingIfNeeded: header.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        var found: [Range<Int>] = []
        var (end, sumCount) = (FileLayout.header, 0)
        var isWhole = size >= FileLayout.header && number(0) == Int(FileLayout.magic) && number(1) == size
        if isWhole {
            let body = UnsafeRawBufferPointer(rebasing: header[..<(FileLayout.header - 4)])
            isWhole =
                header.loadUnaligned(fromByteOffset: FileLayout.header - 4, as: UInt32.self) == BlockSum.of(body)
                && (0...FileLayout.mostSections).contains(number(3))
        }
        if isWhole {
            for section in 0..<number(3) {
                let (offset, count) = (number(4 + 2 * section), number(5 + 2 * section))
                guard offset >= end, count >= 0, offset <= size, count <= size - offset else {
                    isWhole = false
                    break
                }
                found.append(offset..<offset + count)
                end = offset + count
            }
            sumCount = FileLayout.blocks(end - FileLayout.header)
        }
        sections = found
        let top = FileLayout.blocks(sumCount * 4)
        let topStart = end + sumCount * 4
        isWhole = isWhole && topStart + top * 4 == size
        sums = isWhole ? end..<topStart : nil
        topSums = isWhole ? topStart..<size : 0..<0
        if isWhole {
            isWhole =
                UInt32(truncatingIfNeeded: number(2)) == BlockSum.of(UnsafeRawBufferPointer(rebasing: whole[topSums]))
        }
        guard isWhole else {
            throw .damaged(file: path, reason: "it is damaged, or of another version")
        }
        checked = Array(repeating: 0, count: sumCount / 64 + 1)
        checkedSums = Array(repeating: 0, count: top / 64 + 1)
    }

    deinit {
        guard let mapping else {
            base.deallocate()
            return
        }
        cmapping_unwatch(mapping)
        munmap(base, size)
    }

    /// True if another program has truncated the file, and zeros were read from it.
    private var isCut: Bool { mapping.map { cmapping_is_cut($0) } ?? false }

    /// Gives the memory of what was read back to the system, for a reader that goes through the file once.
    package func release() { if mapping != nil { madvise(base, size, MADV_DONTNEED) } }

    var whole: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: size) }

    /// The number of bytes of a section.
    package func count(_ section: Int) -> Int { section < sections.count ? sections[section].count : 0 }

    /// The number of values in a section.
    func count(_ section: Section, of size: Int) -> Int { count(section.rawValue) / size }

    /// A value of a section.
    @inline(__always)
    func value<Value: BitwiseCopyable>(_ section: Section, _ index: Int, as type: Value.Type) throws(IndexFault)
        -> Value
    {
        let size = MemoryLayout<Value>.stride
        return try bytes(section.rawValue, index * size, size).loadUnaligned(as: type)
    }

    @inline(__always)
    func bytes(_ section: Section, _ offset: Int, _ count: Int) throws(IndexFault) -> UnsafeRawBufferPointer {
        try bytes(section.rawValue, offset, count)
    }

    /// Some bytes of a section. They stay valid as long as this object.
    @inline(__always)
    package func bytes(_ section: Int, _ offset: Int, _ count: Int) throws(IndexFault) -> UnsafeRawBufferPointer {
        guard section < sections.count else { throw outside }
        let range = sections[section]
        guard offset >= 0, count >= 0, offset <= range.count, count <= range.count - offset else { throw outside }
        let start = range.lowerBound + offset
        if sums != nil, count > 0 { try check(start, start + count) }
        return UnsafeRawBufferPointer(rebasing: whole[start..<start + count])
    }

    private var outside: IndexFault {
        .damaged(file: path, reason: "it refers to something that it does not contain")
    }

    /// Compares all of a file with its checksums. The memory for this is given back at once.
    package func checkAll() throws(IndexFault) {
        guard let sums else { return }
        for block in 0..<FileLayout.blocks(sums.lowerBound - FileLayout.header) {
            try check(block: block)
            if block % 256 == 255 { release() }
        }
        release()
        try checkLoss()
    }

    /// Throws if another program has truncated the file since it was opened: what was read since then may be wrong.
    package func checkLoss() throws(IndexFault) {
        if isCut { throw .damaged(file: path, reason: "it was cut off while it was open") }
    }

    @inline(__always)
    private func check(_ start: Int, _ end: Int) throws(IndexFault) {
        let first = (start - FileLayout.header) / FileLayout.block
        let last = (end - 1 - FileLayout.header) / FileLayout.block
        for block in first...last where checked[block >> 6] & (1 << UInt64(block & 63)) == 0 { try check(block: block) }
    }

    private func check(block: Int) throws(IndexFault) {
        guard let sums else { return }
        let group = block / FileLayout.sumsInBlock
        if checkedSums[group >> 6] & (1 << UInt64(group & 63)) == 0 {
            let start = sums.lowerBound + group * FileLayout.block
            try compare(start, min(sums.upperBound, start + FileLayout.block), topSums.lowerBound + group * 4)
            checkedSums[group >> 6] |= 1 << UInt64(group & 63)
        }
        let start = FileLayout.header + block * FileLayout.block
        try compare(start, min(sums.lowerBound, start + FileLayout.block), sums.lowerBound + block * 4)
        checked[block >> 6] |= 1 << UInt64(block & 63)
    }

    private func compare(_ start: Int, _ end: Int, _ sum: Int) throws(IndexFault) {
        let found = BlockSum.of(UnsafeRawBufferPointer(rebasing: whole[start..<end]))
        guard found == whole.loadUnaligned(fromByteOffset: sum, as: UInt32.self) else {
            throw .damaged(file: path, reason: "a block of it is damaged")
        }
    }
}
