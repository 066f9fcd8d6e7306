internal import CMapping
import Glibc

/// The bytes of a part: a mapped file, or memory. Every read is checked against the bounds and, in a file, against the checksum
/// of its block. Belongs to one thread.
final class PartBytes {
    /// The path of the file, for errors.
    let path: String
    private let base: UnsafeMutableRawPointer
    private let size: Int
    private let mapping: CInt?
    private let sections: [Range<Int>]
    /// Where the sums of all blocks stand; nil in memory, which needs no check.
    private let sums: Range<Int>?
    private let topSums: Range<Int>
    /// A bit for each block that has been checked, and for each block of sums.
    private var checked: [UInt64] = []
    private var checkedSums: [UInt64] = []

    /// Maps a file.
    /// - Parameters:
    ///   - size: in bytes, as the manifest says.
    ///   - sum: of its header, as the manifest says.
    convenience init(mapping path: String, _ size: UInt64, sum: UInt64) throws(IndexFault) {
        let expected = Int(size)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system(file: path, code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == expected,
            expected >= PartLayout.header
        else { throw .damaged(file: path, reason: "it has another size than it was written with") }
        guard let base = mmap(nil, expected, PROT_READ, MAP_SHARED, descriptor, 0), base != MAP_FAILED else {
            throw .system(file: path, code: errno)
        }
        let number = cmapping_watch(base, expected)
        guard number >= 0 else {
            munmap(base, expected)
            throw .system(file: path, code: EMFILE)
        }
        guard PartLayout.sum(of: UnsafeRawBufferPointer(start: base, count: expected)) == sum else {
            cmapping_unwatch(number)
            munmap(base, expected)
            throw .damaged(file: path, reason: "it is damaged, or of another index")
        }
        try self.init(path, base, expected, mapping: number)
    }

    /// Takes over memory that was allocated for a part.
    convenience init(memory: UnsafeMutableRawBufferPointer) throws(IndexFault) {
        guard let base = memory.baseAddress else { throw .damaged(file: "memory", reason: "it is empty") }
        try self.init("memory", base, memory.count, mapping: nil)
    }

    private init(
        _ path: String, _ base: UnsafeMutableRawPointer, _ size: Int, mapping: CInt?
    ) throws(IndexFault) {
        (self.path, self.base, self.size, self.mapping) = (path, base, size, mapping)
        let isMapped = mapping != nil
        let header = UnsafeRawBufferPointer(start: base, count: min(size, PartLayout.header))
        func number(_ index: Int) -> Int {
            Int(truncatingIfNeeded: header.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        var found: [Range<Int>] = []
        var (end, sumCount) = (PartLayout.header, 0)
        var isWhole = size >= PartLayout.header && number(0) == Int(PartLayout.magic) && number(2) == size
        if isWhole {
            let body = UnsafeRawBufferPointer(rebasing: header[..<(PartLayout.header - 4)])
            isWhole =
                header.loadUnaligned(fromByteOffset: PartLayout.header - 4, as: UInt32.self) == BlockSum.of(body)
                && number(1) == Int(PartLayout.version)
        }
        if isWhole {
            for section in Section.allCases {
                let (offset, count) = (number(4 + 2 * section.rawValue), number(5 + 2 * section.rawValue))
                guard offset >= end, count >= 0, offset <= size, count <= size - offset else {
                    isWhole = false
                    break
                }
                found.append(offset..<offset + count)
                end = offset + count
            }
            sumCount = PartLayout.blocks(end - PartLayout.header)
        }
        sections = found
        let top = PartLayout.blocks(sumCount * 4)
        let topStart = end + sumCount * 4
        isWhole = isWhole && topStart + top * 4 == size
        sums = isMapped && isWhole ? end..<topStart : nil
        topSums = isWhole ? topStart..<size : 0..<0
        if isWhole {
            isWhole =
                UInt32(truncatingIfNeeded: number(3)) == BlockSum.of(UnsafeRawBufferPointer(rebasing: whole[topSums]))
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
    var isCut: Bool { mapping.map { cmapping_is_cut($0) } ?? false }

    /// Gives the memory of what was read back to the system, for a reader that goes through the file once.
    func release() { if mapping != nil { madvise(base, size, MADV_DONTNEED) } }

    private var whole: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: size) }

    /// The number of values in a section.
    func count(_ section: Section, of size: Int) -> Int { sections[section.rawValue].count / size }

    /// A value of a section.
    @inline(__always)
    func value<Value: BitwiseCopyable>(_ section: Section, _ index: Int, as type: Value.Type) throws(IndexFault)
        -> Value
    {
        let size = MemoryLayout<Value>.stride
        return try bytes(section, index * size, size).loadUnaligned(as: type)
    }

    /// Some bytes of a section. They stay valid as long as this object.
    @inline(__always)
    func bytes(_ section: Section, _ offset: Int, _ count: Int) throws(IndexFault) -> UnsafeRawBufferPointer {
        let range = sections[section.rawValue]
        guard offset >= 0, count >= 0, offset <= range.count, count <= range.count - offset else {
            throw .damaged(file: path, reason: "it refers to something that it does not contain")
        }
        let start = range.lowerBound + offset
        if sums != nil, count > 0 { try check(start, start + count) }
        return UnsafeRawBufferPointer(rebasing: whole[start..<start + count])
    }

    @inline(__always)
    private func check(_ start: Int, _ end: Int) throws(IndexFault) {
        let first = (start - PartLayout.header) / PartLayout.block
        let last = (end - 1 - PartLayout.header) / PartLayout.block
        for block in first...last where checked[block >> 6] & (1 << UInt64(block & 63)) == 0 { try check(block: block) }
    }

    private func check(block: Int) throws(IndexFault) {
        guard let sums else { return }
        let group = block / PartLayout.sumsInBlock
        if checkedSums[group >> 6] & (1 << UInt64(group & 63)) == 0 {
            let start = sums.lowerBound + group * PartLayout.block
            try compare(start, min(sums.upperBound, start + PartLayout.block), topSums.lowerBound + group * 4)
            checkedSums[group >> 6] |= 1 << UInt64(group & 63)
        }
        let start = PartLayout.header + block * PartLayout.block
        try compare(start, min(sums.lowerBound, start + PartLayout.block), sums.lowerBound + block * 4)
        checked[block >> 6] |= 1 << UInt64(block & 63)
    }

    private func compare(_ start: Int, _ end: Int, _ sum: Int) throws(IndexFault) {
        let found = BlockSum.of(UnsafeRawBufferPointer(rebasing: whole[start..<end]))
        guard found == whole.loadUnaligned(fromByteOffset: sum, as: UInt32.self) else {
            throw .damaged(file: path, reason: "a block of it is damaged")
        }
    }
}
