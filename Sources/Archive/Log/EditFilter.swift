import Glibc
internal import CLogScan

/// Finds the lines that may be edits or deletions: those that name another message, without those that say at their beginning
/// that they are a message or a reaction. As people write them, so that hardly another line is read.
struct EditFilter {
    private static let others = ["message", "reaction"].map { Array("{\"type\":\"\($0)\",".utf8) }

    private let links = IDFilter.links

    /// The first byte of the first such line, at `start` or after it; nil when there is none.
    /// - Parameters:
    ///   - bytes: whole lines.
    ///   - start: where a line begins.
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
