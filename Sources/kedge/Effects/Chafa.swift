import CMemory
import Display
import Files
import FoundationEssentials
import Glibc
import Interface
import Settings

/// Runs `chafa` (package chafa), which turns a picture file into the pixels for a terminal. Its input is the open file.
/// Time and memory are limited, since the file may be hostile, and its output is checked before a terminal gets it.
struct Chafa: Sendable {
    enum Form: String { case sixels, kitty }

    private let program: String
    private let environment: [String: String]
    private let limit: Duration

    private static let mostMemory: UInt64 = 1 << 30
    private static let mostOutput = 16 * 1024 * 1024

    /// - Parameter program: a path, or a name to be found by PATH.
    init(
        program: String = "chafa", environment: [String: String] = Environment.variables, limit: Duration = .seconds(5)
    ) {
        self.program = program
        self.limit = limit
        // It must not look for a terminal, whose cells it would count in: the options say everything.
        let hidden: Set<String> = ["TERM", "COLORTERM", "TERM_PROGRAM", "KITTY_WINDOW_ID"]
        self.environment = environment.filter { !hidden.contains($0.key) }
    }

    /// Runs it until it ends.
    /// - Parameters:
    ///   - cells: in units of chafa without a terminal: squares of 8 pixels in version 1.12, others elsewhere.
    func output(_ form: Form, of file: borrowing PictureFile, cells: Size) throws(EffectError) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(bitPattern: SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw EffectError("no file descriptor is left") }
        defer { close(ends[0]) }
        lseek(file.descriptor, 0, SEEK_SET)
        let arguments = [
            "--format", form.rawValue, "--animate", "off", "--polite", "on", "--colors", "full", "--font-ratio", "1/1",
            "--size", "\(cells.columns)x\(cells.rows)", "--threads", "1", "-",
        ]
        let process: pid_t
        do throws(FileError) {
            defer { close(ends[1]) }
            process = try Child.start(
                program, arguments, environment: environment, reading: file.descriptor, writing: ends[1],
                seesTerminal: false)
        } catch {
            throw EffectError(
                error.code == ENOENT
                    ? "to show this picture, install chafa"
                    : "\(program) cannot be started: \(error.reason)")
        }
        cmemory_limit(process, Chafa.mostMemory)
        let output = read(ends[0])
        if output == nil { kill(process, SIGKILL) }
        let status = Child.wait(for: process)
        guard let output else { throw EffectError("chafa needs too much time or memory for this picture") }
        guard status == 0, !output.isEmpty else {
            throw EffectError("chafa cannot read the picture: the file is damaged")
        }
        return output
    }

    /// Reads to the end; nil when it takes too long or is too large.
    private func read(_ end: Int32) -> [UInt8]? {
        let deadline = ContinuousClock.now + limit
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let left = (deadline - .now) / Duration.milliseconds(1)
            guard left > 0, output.count <= Chafa.mostOutput else { return nil }
            var request = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
            let ready = poll(&request, 1, Int32(left.rounded(.up)))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            let count = Glibc.read(end, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? output : nil }
            output += buffer.prefix(count)
        }
    }
}

/// The pixels in sequences of Kitty's protocol, as a program prints them. Only pixels and their size are used.
struct KittyRows: Equatable {
    /// Rows of pixels of four bytes.
    let rows: [UInt8]
    let size: PixelSize

    /// - Returns: nil when it holds anything else, or when pixels are missing.
    init?(_ text: [UInt8]) {
        let start = Array("\u{1B}_G".utf8)
        let end = Array("\u{1B}\\".utf8)
        var rest = text[...]
        var rows: [UInt8] = []
        var size: PixelSize?
        while rest.starts(with: start), let close = rest.firstRange(of: end) {
            let parts = rest[(rest.startIndex + start.count)..<close.lowerBound].split(
                separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
            if size == nil { size = parts.first.flatMap(KittyRows.size) }
            if parts.count > 1 {
                // Each piece is padded by itself.
                guard let piece = Data(base64Encoded: Data(parts[1])) else { return nil }
                rows += piece
            }
            rest = rest[close.upperBound...]
        }
        guard rest.allSatisfy({ $0 == 0x0A || $0 == 0x0D }), let size, rows.count == size.width * size.height * 4 else {
            return nil
        }
        (self.rows, self.size) = (rows, size)
    }

    /// `f=32,s=width,v=height`
    private static func size(_ keys: ArraySlice<UInt8>) -> PixelSize? {
        var values: [Substring: Int] = [:]
        for pair in String(decoding: keys, as: UTF8.self).split(separator: ",") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            if sides.count == 2, let value = Int(sides[1]) { values[sides[0]] = value }
        }
        guard values["f"] == 32, let width = values["s"], let height = values["v"], (1...65_535).contains(width),
            (1...65_535).contains(height)
        else { return nil }
        return PixelSize(width: width, height: height)
    }
}
