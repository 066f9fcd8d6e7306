import Interface
import Threads

import Glibc

/// Opens addresses of the web and files in the user's own program for them, by running `xdg-open`.
final class Browser: Sendable {
    private let program: String
    private let environment: [String]
    private let mailbox: Mailbox

    /// - Parameter program: a path, or a name to be found by PATH.
    init(
        mailbox: Mailbox, environment: [String: String] = Environment.variables,
        program: String = "xdg-open"
    ) {
        self.mailbox = mailbox
        self.program = program
        self.environment = environment.map { "\($0)=\($1)" }
    }

    /// Does not wait. Tells the loop when it fails.
    /// - Parameters:
    ///   - address: of the web, or the absolute path of a file.
    ///   - kind: the user's word for it.
    func open(_ address: String, as kind: String = "link") {
        // A thread for each program: some run as long as the window that they opened, and each has to be waited for.
        SerialThread().run { [self] in
            guard let failure = run(address, kind) else { return }
            mailbox.post(.notOpened("the \(kind) was not opened: \(failure)", link: kind == "link" ? address : nil))
        }
    }

    private func run(_ address: String, _ kind: String) -> String? {
        let process: pid_t
        do throws(ChildFailure) {
            process = try Child.start(program, [address], environment: environment)
        } catch {
            return error.code == ENOENT
                ? "there is no \(program) (package xdg-utils)"
                : "\(program) cannot be started: \(String(cString: strerror(error.code)))"
        }
        let status = Child.wait(for: process)
        if status == 0 { return nil }
        let code = status >> 8 & 0xFF
        return code == 3
            ? "\(program) knows no \(kind == "link" ? "browser" : "program for it")"
            : "\(program) failed with status \(code)"
    }
}
