import Glibc

/// Who holds a lock, as the system tells it (proc_locks(5)).
enum LockHolder {
    /// - Parameter descriptor: of the file that is locked.
    /// - Returns: the process that holds it; nil when that is not known, as of one in another container.
    static func find(of descriptor: CInt) -> pid_t? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        let locks = open("/proc/locks", O_RDONLY | O_CLOEXEC)
        guard locks >= 0 else { return nil }
        defer { close(locks) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(locks, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        // 1: FLOCK  ADVISORY  WRITE 7261 08:01:262151 0 EOF
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 5, fields[1] == "FLOCK", fields[5].hasSuffix(":\(status.st_ino)") else { continue }
            return pid_t(fields[4]).flatMap { $0 > 0 ? $0 : nil }
        }
        return nil
    }
}
