import Glibc
internal import Messages

/// Allocates buffers whose size depends on the files. Swift ends the process if an allocation fails; here that is an
/// ordinary error.
enum Memory {
    /// A buffer larger than this is allocated only if `multiple` times its size is free, since parser tables and
    /// strings made from it need memory too.
    private static let large = 2 << 20
    private static let multiple = 6

    /// Tests whether this many bytes can be allocated, without keeping them.
    /// - Throws: `unavailable` if not.
    static func reserve(_ count: Int) throws(StoreError) {
        let start = mmap(nil, count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let start, start != UnsafeMutableRawPointer(bitPattern: -1) else { throw .noMemory }
        munmap(start, count)
    }

    /// Allocates zeroed bytes, aligned for any type. Release them with `free`.
    /// - Throws: `unavailable` if there is not enough memory.
    static func allocate(_ count: Int) throws(StoreError) -> UnsafeMutableRawBufferPointer {
        if count > large { try reserve(count * multiple) }
        guard let start = calloc(max(1, count), 1) else { throw .noMemory }
        return UnsafeMutableRawBufferPointer(start: start, count: count)
    }

    /// Allocates zeroed characters.
    static func allocateCharacters(_ count: Int) throws(StoreError) -> UnsafeMutablePointer<CChar> {
        if count > large { try reserve(count * multiple) }
        guard let start = calloc(max(1, count), 1) else { throw .noMemory }
        return start.bindMemory(to: CChar.self, capacity: count)
    }

    static func free(_ buffer: UnsafeMutableRawBufferPointer) { Glibc.free(buffer.baseAddress) }
}

extension StoreError {
    /// The error if files cannot be read for lack of memory. It implies nothing about their content.
    static var noMemory: StoreError {
        .unavailable("there is no memory left to read the archive; close other programs, or raise `ulimit -v`")
    }
}
