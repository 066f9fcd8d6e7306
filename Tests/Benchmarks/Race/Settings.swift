import Foundation

/// The options of the command line, which `make race` gives.
struct Settings {
    var size = 1_000_000
    var runs = 5
    /// The letters of the races to run; nil is all.
    var only: Set<Character>?
    /// The largest size of a plot instead of the races.
    var plot: Int?
    var kedge = ""
    /// Keeps archives and everything that programs write between runs.
    var folder = ""

    static let usage =
        "usage: Race --kedge PROGRAM --folder FOLDER [--size N] [--runs N] [--only \"LETTERS\"] [--plot LARGEST]"

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Failure(Settings.usage) }
            switch name {
            case "--size": size = try Settings.number(value, from: 1_000)
            case "--runs": runs = try Settings.number(value, from: 1)
            case "--plot": plot = try value.isEmpty ? nil : Settings.largest(value)
            case "--only":
                let letters = Set(value.lowercased().filter { $0.isLetter })
                guard letters.isSubset(of: Set(Race.all.map(\.letter))) else {
                    throw Failure("there is no such race: \(value); there are \(String(Race.all.map(\.letter)))")
                }
                only = letters.isEmpty ? nil : letters
            case "--kedge": kedge = value
            case "--folder": folder = value
            default: throw Failure(Settings.usage)
            }
        }
        guard !kedge.isEmpty, !folder.isEmpty else { throw Failure(Settings.usage) }
        guard FileManager.default.isExecutableFile(atPath: kedge) else {
            throw Failure("there is no program \(kedge); `make build` makes it")
        }
    }

    /// 1 only asks for a plot.
    private static func largest(_ text: String) throws -> Int {
        let number = try number(text, from: 1)
        return number == 1 ? 10_000_000 : max(1_000, number)
    }

    private static func number(_ text: String, from least: Int) throws -> Int {
        guard let number = Int(text), number >= least else {
            throw Failure("'\(text)' is no number from \(least) on; \(usage)")
        }
        return number
    }
}
