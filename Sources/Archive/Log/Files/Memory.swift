import Glibc
internal import Messages

/// Buffers whose size follows the files. Swift ends the process when there is no memory; here that is an error like others.
enum Memory {
    /// Beyond so many bytes, what is made of them has to have room too: the parser's tables, and strings.
    private static let large = 2 << 20
    private static let multiple = 6

    /// Looks whether so many bytes could be had, and takes none of them.
    /// - Throws: `unavailable` when they could not.
    static func reserve(_ count: Int) throws(StoreError) {
        let start = mmap(nil, count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let start, start != UnsafeMutableRawPointer(bitPattern: -1) else { throw .noMemory }
        munmap(start, count)
    }

    /// Bytes of zero, aligned for any type. To be given back by `free`.
    /// - Throws: `unavailable` when there is no memory for them.
    static func allocate(_ count: Int) throws(StoreError) -> UnsafeMutableRawBufferPointer {
        if count > large { try reserve(count * multiple) }
        guard let start = calloc(max(1, count), 1) else { throw .noMemory }
        return UnsafeMutableRawBufferPointer(start: start, count: count)
    }

    /// The same as characters.
    static func allocateCharacters(_ count: Int) throws(StoreError) -> UnsafeMutablePointer<CChar> {
        if count > large { try reserve(count * multiple) }
        guard let start = calloc(max(1, count), 1) else { throw .noMemory }
        return start.bindMemory(to: CChar.self, capacity: count)
    }

    static func free(_ buffer: UnsafeMutableRawBufferPointer) { Glibc.free(buffer.baseAddress) }
}

extension StoreError {
    /// The error for files that cannot be read for want of memory: it says nothing about their content.
    static var noMemory: StoreError {
        .unavailable("there is no memory left to read the archive; close other programs, or raise `ulimit -v`")
    }
}
