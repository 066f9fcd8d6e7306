import CNcurses
import Foundation
import Synchronization

/// A terminal of the test's own. What is written to it is read all the time, so that nobody waits for room.
final class Pty: Sendable {
    let master: Int32
    let slave: Int32
    private let output = Mutex<[UInt8]>([])
    private let ended = DispatchSemaphore(value: 0)

    struct Failure: Error {}

    init(columns: Int = 40, rows: Int = 6) throws {
        (master, slave) = try Self.open()
        resize(columns: columns, rows: rows)
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

    /// The two ends. (`posix_openpt` is not imported into Swift.)
    static func open() throws -> (master: Int32, slave: Int32) {
        let unlock = UInt(0x4004_5431)  // TIOCSPTLCK
        let getNumber = UInt(0x8004_5430)  // TIOCGPTN
        // Not for what other tests start meanwhile: it would keep the terminal open.
        let master = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var locked: Int32 = 0
        var number: UInt32 = 0
        guard master >= 0, ioctl(master, unlock, &locked) == 0, ioctl(master, getNumber, &number) == 0 else {
            throw Failure()
        }
        let slave = Glibc.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        guard slave >= 0 else { throw Failure() }
        return (master, slave)
    }

    func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    func type(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// The settings, in a form that can be compared.
    var settings: [UInt32] {
        var settings = termios()
        tcgetattr(slave, &settings)
        let characters = withUnsafeBytes(of: settings.c_cc) { $0.map { UInt32($0) } }
        return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag] + characters
    }

    /// Ends the terminal; answers with all that was written to it.
    func finish() -> String {
        close(slave)
        ended.wait()
        close(master)
        return output.withLock { String(decoding: $0, as: UTF8.self) }
    }
}
