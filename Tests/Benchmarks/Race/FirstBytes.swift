import FirstBytes
import Glibc

/// A program, and the bytes that it writes to its terminal when it shows a certain text.
struct FirstBytes {
    private let arguments: [String]
    private let environment: [String]
    private let target: String

    init(_ arguments: [String], _ environment: [String: String], target: String) {
        self.arguments = arguments
        self.environment = environment.map { "\($0.key)=\($0.value)" }
        self.target = target
    }

    /// Runs the program until it has written them.
    /// - Returns: the time since its start, and its processor time, in seconds.
    func run(within limit: Double = 120) throws -> (seconds: Double, processor: Double) {
        var measured = first_bytes()
        let problem = withStrings(arguments) { arguments in
            withStrings(environment) { environment in
                first_bytes(
                    arguments, environment, Int32(Session.rows), Int32(Session.columns), target, target.utf8.count,
                    limit, &measured)
            }
        }
        let name = arguments.joined(separator: " ")
        switch problem {
        case FB_NONE: return (measured.seconds, measured.processor)
        case FB_NO_TERMINAL: throw Failure("there is no pseudo terminal to be had; is /dev/pts mounted?")
        case FB_NO_PROGRAM: throw Failure("\(name): cannot be started")
        case FB_ENDED: throw Failure("\(name): has ended without writing \(target)")
        default: throw Timeout(description: "\(name): has not written \(target) in \(Int(limit)) s")
        }
    }

    private func withStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return body(copies)
    }
}
