import Foundation

/// The machine on which the figures were measured.
enum Machine {
    /// Cores, their model, memory and kernel.
    static var line: String {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let model = value("model name", in: "/proc/cpuinfo") ?? "unknown processor"
        let memory = Double(ProcessInfo.processInfo.physicalMemory) / 1_073_741_824
        let kernel = (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)) ?? "?"
        let load = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?.split(separator: " ").first ?? "?"
        return "\(cores) cores, \(model), \(String(format: "%.1f", memory)) GiB, Linux "
            + kernel.trimmingCharacters(in: .whitespacesAndNewlines) + ", load \(load)"
    }

    /// The text after the colon in a line of a file in /proc.
    static func value(_ name: String, in path: String) -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") || $0.hasPrefix(name + "\t") }
        return line?.split(separator: ":", maxSplits: 1).last?.trimmingCharacters(in: .whitespaces)
    }

    /// A figure of /proc/PID/status that is given in kB, in bytes.
    static func bytes(_ name: String, of process: pid_t) throws -> Double {
        guard let text = value(name, in: "/proc/\(process)/status")?.split(separator: " ").first,
            let number = Double(text)
        else { throw Failure("/proc/\(process)/status has no \(name)") }
        return number * 1_024
    }

    /// For each thread of a process, by its ID, how often it went to sleep by itself.
    static func sleeps(of process: pid_t) throws -> [String: Int] {
        let folder = "/proc/\(process)/task"
        let threads = try FileManager.default.contentsOfDirectory(atPath: folder)
        let sleeps = threads.map { thread in
            (thread, value("voluntary_ctxt_switches", in: "\(folder)/\(thread)/status").flatMap { Int($0) } ?? 0)
        }
        return Dictionary(sleeps) { first, _ in first }
    }
}
