package import Glibc
internal import SystemPackage

/// The process that holds a `flock` lock, for messages to people who wait for it.
package struct LockHolder: Hashable, Sendable {
    package let process: pid_t
    /// The name that the system shows, without unprintable characters.
    package let name: String
    /// True if the process is stopped, and so keeps the lock until somebody continues it.
    package let isStopped: Bool

    /// Finds the holder of a file's lock in the system's list, or else by the process number that the holder has
    /// written into the file (some file systems hide their files from the list); nil when neither works.
    package static func of(_ descriptor: CInt, note: String? = nil) -> LockHolder? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        let list = SystemFile.text("/proc/locks") ?? ""
        let process = process(holding: status, in: list) ?? note.flatMap(number)
        return process.flatMap { LockHolder(process: $0) }
    }

    /// Nil when the process has ended.
    package init?(process: pid_t) {
        guard process > 0, let fields = LockHolder.fields(of: process) else { return nil }
        self.process = process
        // A process can give itself any name.
        let comm = (SystemFile.text("/proc/\(process)/comm") ?? "").trimmingNewline
        name = String(String.UnicodeScalarView(comm.unicodeScalars.filter(\.isShown)))
        isStopped = ["T", "t"].contains(fields.first)
    }

    /// The system's facts about a process, from its state on; nil when it has ended. (proc(5): the third field of `stat` and the next
    /// ones. The second field, in brackets, may contain blanks.)
    private static func fields(of process: pid_t) -> [Substring]? {
        guard let status = SystemFile.text("/proc/\(process)/stat"), let end = status.lastIndex(of: ")") else {
            return nil
        }
        return status[status.index(after: end)...].split(separator: " ")
    }

    /// True if a process is running. One that has ended stays in the system's list until its parent has asked for its end.
    package static func isRunning(_ process: pid_t) -> Bool {
        guard kill(process, 0) == 0 || errno == EPERM else { return false }
        return !["Z", "X"].contains(fields(of: process)?.first)
    }

    /// The time at which a process began, in the system's ticks since it was started; nil if it is not known. With the number of the
    /// process it tells the process from a later one with this number.
    package static func start(of process: pid_t) -> Int64? {
        guard let fields = fields(of: process), fields.count > 19 else { return nil }
        return Int64(fields[19])
    }

    /// `process 1234 (kedge)`; for a stopped process, also what to do about it.
    package var description: String {
        let who = "process \(process)" + (name.isEmpty ? "" : " (\(name))")
        return isStopped ? "\(who), which is stopped: continue it with `kill -CONT \(process)`, or end it" : who
    }

    /// The holder in words, even when it is not known.
    package static func describe(_ holder: LockHolder?) -> String { holder?.description ?? "another program" }

    /// - Parameter list: the contents of `/proc/locks`: `1: FLOCK  ADVISORY  WRITE 1234 08:01:5767 0 EOF`.
    package static func process(holding status: stat, in list: String) -> pid_t? {
        let device = UInt64(status.st_dev)
        let (major, minor) = ((device >> 8) & 0xFFF | (device >> 32) & ~0xFFF, device & 0xFF | (device >> 12) & ~0xFF)
        var others: [pid_t] = []
        for line in list.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 5, fields[1] == "FLOCK", let process = pid_t(fields[4]), process > 0 else { continue }
            let numbers = fields[5].split(separator: ":")
            guard numbers.count == 3, UInt64(numbers[2]) == UInt64(status.st_ino) else { continue }
            if UInt64(numbers[0], radix: 16) == major, UInt64(numbers[1], radix: 16) == minor { return process }
            others.append(process)
        }
        // Some file systems report another device for a file than the list of locks does.
        return others.count == 1 ? others[0] : nil
    }

    private static func number(_ note: String) -> pid_t? { pid_t(note.trimmingNewline) }
}

/// Reads small files that the system generates on reading. Does not use `Disk`, whose errors depend on `LockHolder`.
private enum SystemFile {
    static func text(_ path: String) -> String? {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return nil }
        defer { try? file.close() }
        var (text, buffer): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 16_384))
        while let count = try? buffer.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
            text += buffer[..<count]
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension String {
    fileprivate var trimmingNewline: String {
        var text = self[...]
        while let last = text.last, last.isNewline || last == " " { text = text.dropLast() }
        return String(text)
    }
}

extension Unicode.Scalar {
    /// Neither a control nor a character that reorders or hides others.
    fileprivate var isShown: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
