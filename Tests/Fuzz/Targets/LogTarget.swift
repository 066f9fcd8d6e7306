import Archive
import Foundation

/// Reads the lines of a log, and an archive with this log as its only segment.
package enum LogTarget {
    /// - Parameter isLinesOnly: whether to leave out the archive, which takes a hundred times as long as its lines do.
    package static func run(_ bytes: [UInt8], isLinesOnly: Bool = false) async throws(FuzzFinding) {
        try lines(bytes)
        if !isLinesOnly { try await archive(bytes) }
    }

    /// Reads each line as every reader does; the result must stay the same when it is written again.
    private static func lines(_ bytes: [UInt8]) throws(FuzzFinding) {
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            do {
                if case .changed(let id) = try line.withUnsafeBytes({ try LineProbe.run($0) }) {
                    throw FuzzFinding("message \(id) is another once it is written and read again")
                }
            } catch let finding as FuzzFinding {
                throw finding
            } catch {
                throw FuzzFinding("a line of \(line.count) bytes cannot be read: \(error)")
            }
        }
    }

    private static func archive(_ bytes: [UInt8]) async throws(FuzzFinding) {
        do {
            let archive = try FuzzArchive(segment: bytes)
            defer { archive.remove() }
            try await archive.check()
        } catch let finding as FuzzFinding {
            throw finding
        } catch {
            throw FuzzFinding("\(error)")
        }
    }
}
