import Glibc
internal import CLogScan

/// Selects lines that may be edits or deletions: those that refer to another message, except those that begin with the
/// type of a message or a reaction. The exception applies to lines in the usual notation, so hardly any other line is
/// read.
struct EditFilter {
    private static let others = ["message", "reaction"].map { Array("{\"type\":\"\($0)\",".utf8) }

    private let links = IDFilter.links

    /// The index of the first byte of the first selected line at or after `start`; nil if there is none.
    /// - Parameters:
    ///   - bytes: whole lines.
    ///   - start: the start of a line.
    func firstCandidate(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var next = start
        while next < bytes.count, let found = links.firstCandidate(in: bytes, from: next) {
            let line = UnsafeRawBufferPointer(
                rebasing: bytes[(next + lineStart(in: bytes, from: next, before: found))...])
            let isOther = EditFilter.others.contains { line.starts(with: $0) }
            if !isOther { return bytes.count - line.count }
            guard let base = line.baseAddress, let feed = memchr(base, 0x0A, line.count) else { return nil }
            next = bytes.count - line.count + (UnsafeRawPointer(feed) - base) + 1
        }
        return nil
    }

    private func lineStart(in bytes: UnsafeRawBufferPointer, from start: Int, before end: Int) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        return cls_last_line((base + start).assumingMemoryBound(to: CChar.self), end - start)
    }
}
