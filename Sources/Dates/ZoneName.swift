import Glibc

/// Finds a zone by its name.
package enum ZoneName {
    /// - Parameter name: `Europe/Berlin`, as the system's zone files are called; `UTC`, `Z`, `+02:00`, `-0530`.
    /// - Returns: nil for a zone that this machine does not know.
    package static func zone(_ name: String) -> Zone? {
        if name == "UTC" || name == "Z" { return .utc }
        if let seconds = offset(name) { return Zone(secondsEast: seconds) }
        guard !name.hasPrefix("/"), !name.split(separator: "/").contains(".."), !name.utf8.contains(0) else {
            return nil
        }
        for folder in ["/usr/share/zoneinfo", "/etc/zoneinfo", "/usr/lib/zoneinfo"] {
            guard let file = ZoneFile(bytes(of: folder + "/" + name)) else { continue }
            return Zone { file.offset(at: $0.milliseconds.flooredDivision(by: 1_000)) }
        }
        return nil
    }

    private static func offset(_ name: String) -> Int64? {
        guard name.hasPrefix("+") || name.hasPrefix("-") else { return nil }
        let digits = name.dropFirst().filter { $0 != ":" }
        guard digits.count == 4 || digits.count == 2, let number = Int64(digits) else { return nil }
        let (hours, minutes) = digits.count == 2 ? (number, 0) : (number / 100, number % 100)
        guard hours <= 14, minutes < 60 else { return nil }
        return (name.hasPrefix("-") ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    /// A zone file has some kilobytes.
    private static func bytes(of path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        return [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
            count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
        }
    }
}
