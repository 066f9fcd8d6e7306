import Dispatch
import FuzzTargets
import Glibc

/// libFuzzer's loop: calls the function with one input after another. It removes its own options from the arguments.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// `KEDGE_FUZZ=NAME kedge-fuzz ARGUMENTS`: one of the targets by its name, and libFuzzer's own arguments.
@main
enum KedgeFuzz {
    static func main() {
        let name = getenv("KEDGE_FUZZ").map { String(cString: $0) } ?? ""
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        switch FuzzTarget(rawValue: name) {
        case .config:
            exit(runFuzzer(&count, &arguments) { KedgeFuzz.run($0, $1, ConfigTarget.run) })
        case .export:
            exit(runFuzzer(&count, &arguments) { KedgeFuzz.run($0, $1, ExportTarget.run) })
        case .keys:
            exit(runFuzzer(&count, &arguments) { KedgeFuzz.run($0, $1, KeysTarget.run) })
        case .log: exit(runFuzzer(&count, &arguments) { KedgeFuzz.run($0, $1, KedgeFuzz.readLog) })
        case nil:
            let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
            complain("KEDGE_FUZZ is none of \(names)")
            exit(2)
        }
    }

    private static func complain(_ text: String) {
        let line = "kedge-fuzz: \(text)\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }

    private static func run(
        _ start: UnsafePointer<UInt8>?, _ count: Int, _ target: ([UInt8]) throws(FuzzFinding) -> Void
    ) -> CInt {
        do {
            try target(Array(UnsafeBufferPointer(start: start, count: count)))
            return 0
        } catch {
            // Like a crash: libFuzzer keeps the input and names its file.
            complain("\(error)")
            abort()
        }
    }

    /// One input of every eight also gets an archive, chosen by the sum of its bytes: the same input always does.
    private static let archivesOneIn = 8

    private static func readLog(_ bytes: [UInt8]) throws(FuzzFinding) {
        let sum = bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
        let outcome = Outcome()
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            do throws(FuzzFinding) {
                try await LogTarget.run(bytes, isLinesOnly: sum % archivesOneIn != 0)
            } catch {
                outcome.finding = error
            }
            end.signal()
        }
        end.wait()
        if let finding = outcome.finding { throw finding }
    }

    /// Written before the semaphore is signalled, read after.
    private final class Outcome: @unchecked Sendable {
        var finding: FuzzFinding?
    }
}
