import CNcurses
import Foundation
import Synchronization
import TestSupport

/// A pseudo terminal of the test. Its output is read all the time, so that no writer waits for room.
final class Pty: Sendable {
    private let ends: PseudoTerminal
    private let output = Mutex<[UInt8]>([])
    private let ended = DispatchSemaphore(value: 0)

    var master: Int32 { ends.master }
    var slave: Int32 { ends.slave }

    init(columns: Int = 40, rows: Int = 6) throws {
        ends = try PseudoTerminal(columns: columns, rows: rows)
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(master, &buffer, buffer.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { break }
                output.withLock { $0 += buffer.prefix(count) }
            }
            ended.signal()
        }
    }

    func resize(columns: Int, rows: Int) { ends.resize(columns: columns, rows: rows) }

    func type(_ bytes: [UInt8]) { ends.type(bytes) }

    var settings: [UInt32] { ends.settings }

    /// Ends the terminal; returns everything that was written to it.
    func finish() -> String {
        close(slave)
        ended.wait()
        close(master)
        return output.withLock { String(decoding: $0, as: UTF8.self) }
    }
}
