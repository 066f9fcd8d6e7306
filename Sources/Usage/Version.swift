internal import CBuild

/// The version of both programs.
package enum Version {
    package static let number = "0.1.0"
    /// Of the manual pages.
    package static let date = "2026-11-23"

    /// With the commit of the sources, where `make build` has given it to the linker: `0.1.0 (3b4b5e1)`.
    package static var text: String { text(commit: cbuild_commit()) }

    /// - Parameter commit: seven hexadecimal digits, times two, and one more if the sources were changed after it; 0 for none.
    package static func text(commit: UInt32) -> String {
        guard commit > 1 else { return number }
        let digits = String(commit / 2, radix: 16)
        let id = String(repeating: "0", count: max(0, 7 - digits.count)) + digits
        return "\(number) (\(id)\(commit % 2 == 1 ? ", changed" : ""))"
    }
}

/// The arguments of the program, without its name.
package enum ProgramArguments {
    /// As they were given to `main`: without /proc, `CommandLine` knows none.
    package static var all: [String] {
        var all: [String] = []
        while let argument = cbuild_argument(CInt(all.count + 1)) { all.append(String(cString: argument)) }
        return all
    }
}
