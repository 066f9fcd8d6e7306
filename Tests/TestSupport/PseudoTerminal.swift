import Glibc

/// The two ends of a test's pseudo terminal. The test closes them.
package struct PseudoTerminal: Sendable {
    /// The user's end: the output of the program is read here.
    package let master: Int32
    /// The program's end.
    package let slave: Int32

    package struct Failure: Error {}

    /// (`posix_openpt` is not imported into Swift.)
    package init(columns: Int, rows: Int) throws {
        let unlock = UInt(0x4004_5431)  // TIOCSPTLCK
        let getNumber = UInt(0x8004_5430)  // TIOCGPTN
        // Closed in programs that other tests start meanwhile, which would otherwise keep the terminal open.
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var locked: Int32 = 0
        var number: UInt32 = 0
        guard master >= 0, ioctl(master, unlock, &locked) == 0, ioctl(master, getNumber, &number) == 0 else {
            throw Failure()
        }
        let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { throw Failure() }
        (self.master, self.slave) = (master, slave)
        resize(columns: columns, rows: rows)
    }

    package func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    package func type(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// The settings, in a form that can be compared.
    package var settings: [UInt32] {
        var settings = termios()
        tcgetattr(slave, &settings)
        let characters = withUnsafeBytes(of: settings.c_cc) { $0.map { UInt32($0) } }
        return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag] + characters
    }
}
