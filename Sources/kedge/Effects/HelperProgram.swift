import Glibc
import Served
import Settings
import Threads

/// Starts `kedge-matrix`, which serves the archive of an account. It goes on when Kedge ends, and ends by itself after that.
enum HelperProgram {
    private static let name = "kedge-matrix"

    /// The program beside this one; by PATH if there is none.
    private static var path: String {
        let own = ArchiveLocation.realPath("/proc/self/exe")
        let beside = String(own[..<(own.lastIndex(of: "/") ?? own.startIndex)]) + "/" + name
        return access(beside, X_OK) == 0 ? beside : name
    }

    /// - Parameter archive: the real path of the archive.
    /// - Returns: its output: a line when it listens.
    static func start(archive: String, environment: [String: String]) -> Result<CInt, Helper.Failure> {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return .failure(Helper.Failure("no file descriptor is left")) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        do throws(ChildFailure) {
            let process = try Child.start(
                path, ["serve", "--archive", archive], environment: environment.map { "\($0)=\($1)" },
                writing: ends[1], seesTerminal: false)
            // Sleeps until it ends: it may end before Kedge does.
            SerialThread().run { _ = Child.wait(for: process) }
            return .success(ends[0])
        } catch {
            close(ends[0])
            return .failure(
                Helper.Failure(
                    error.code == ENOENT
                        ? "there is no \(name)" : "\(name) cannot be started: \(String(cString: strerror(error.code)))")
            )
        }
    }
}
